# class: UsesOtherFile
# non_inference: net.critic, net.scale, baseline, target
# findings: INF101@"class UsesOtherFile"
"""The nets and their factory come from another file of the package."""

import copy

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule

from . import nets
from .nets import make_pair as build_pair


class UsesOtherFile(TorchRLModule):
    def setup(self):
        size, n = self.observation_space.shape[0], self.action_space.n
        self.net, self.baseline = build_pair(size, n)
        self.extra = nets.mlp(size, n)
        self.target = copy.deepcopy(self.baseline)

    def _forward(self, batch, **kwargs):
        obs = batch[Columns.OBS]
        return {Columns.ACTION_DIST_INPUTS: self.net.policy(obs) + self.extra(obs)}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        obs = batch[Columns.OBS]
        out[Columns.VF_PREDS] = (self.net.value(obs) + self.baseline(obs)).squeeze(-1)
        out["target"] = self.target(obs)
        return out
