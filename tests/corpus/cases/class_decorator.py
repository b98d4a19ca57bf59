from __future__ import annotations

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


def with_value(cls):
    inner = cls._forward
    def _forward(self, batch, **kwargs):
        out = inner(self, batch)
        return {Columns.ACTION_DIST_INPUTS: out[Columns.ACTION_DIST_INPUTS] + self.vf(batch[Columns.OBS])}
    cls._forward = _forward
    return cls


# class: M
# non_inference:
@with_value
class M(TorchRLModule):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 3)

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        return {Columns.ACTION_DIST_INPUTS: self.pi(x)}
