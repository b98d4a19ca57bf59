# class: ComposedPolicy
# non_inference: encoder, pi, vf
# findings: INF101@"class ComposedPolicy"
# note: `policy` registers encoder and pi a second time; inference reads only `policy`.
"""Parts composed into a Sequential, which is what inference calls."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class ComposedPolicy(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.encoder = nn.Linear(size, 8)
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)
        self.policy = nn.Sequential(self.encoder, nn.Tanh(), self.pi)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.policy(batch[Columns.OBS])}

    def _forward_train(self, batch, **kwargs):
        h = self.encoder(batch[Columns.OBS]).tanh()
        return {Columns.ACTION_DIST_INPUTS: self.pi(h), Columns.VF_PREDS: self.vf(h).squeeze(-1)}
