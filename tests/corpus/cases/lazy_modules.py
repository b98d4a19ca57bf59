# class: Lazy
# non_inference: aux, icm
# findings: INF101@"class Lazy"
# note: `icm` comes into being in forward_train only; listing it is fine and needed for the sync.
"""Modules made on first use, in a helper and in the training forward."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Lazy(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.body = nn.Linear(size, 8)
        self.pi = nn.Linear(8, self.action_space.n)
        self.icm = None
        self.aux = nn.Linear(8, 2)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.body(batch[Columns.OBS]))}

    def _icm(self):
        if self.icm is None:
            self.icm = nn.Linear(8, self.observation_space.shape[0])
        return self.icm

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        h = self.body(batch[Columns.OBS])
        out["icm"] = self._icm()(h)
        out["aux"] = self.aux(h)
        return out
