from __future__ import annotations

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Base(TorchRLModule):
    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        inner = cls._forward
        def _forward(self, batch, **kwargs):
            self.vf.bias.sum()
            return inner(self, batch)
        cls._forward = _forward


# class: M
# non_inference:
class M(Base):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 3)

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        return {Columns.ACTION_DIST_INPUTS: self.pi(x)}
