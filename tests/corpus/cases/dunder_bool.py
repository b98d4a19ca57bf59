from __future__ import annotations

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Gate:
    def __init__(self, owner):
        self.owner = owner
    def __bool__(self):
        return bool(self.owner.vf.bias.sum() > 1e9)


# class: M
# non_inference:
class M(TorchRLModule):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 3)

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        if Gate(self):
            x = x + 1
        return {Columns.ACTION_DIST_INPUTS: self.pi(x)}
