from __future__ import annotations

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


# class: M
# non_inference: vf
class M(TorchRLModule):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 3)
        self.scale = 1.0

    @property
    def scale(self):
        return self._scale

    @scale.setter
    def scale(self, value):
        self._scale = value

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.scale * self.pi(batch[Columns.OBS])}
