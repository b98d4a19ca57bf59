from __future__ import annotations

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Drop(nn.Module):
    def __init__(self, owner):
        super().__init__()
        object.__setattr__(self, "owner", owner)
    def forward(self, x):
        return x + self.owner.vf(x).sum() if self.training else x


# class: M
# non_inference:
class M(TorchRLModule):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 3)
        self.drop = Drop(self)

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        self.drop.train(True)
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.drop(x))}
