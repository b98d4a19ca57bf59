from __future__ import annotations

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


# class: M
# non_inference: x
class M(TorchRLModule):
    def setup(self):
        for n, s in zip(('pi', 'vf'), (3, 3)): setattr(self, n, nn.Linear(6, s))
        for n, k in zip(['x', 'y'], ['pi', 'vf']): self.__dict__[n] = getattr(self, k)

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        return {Columns.ACTION_DIST_INPUTS: self.pi(x) + self.y(x)}
