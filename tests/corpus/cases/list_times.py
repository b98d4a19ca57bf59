from __future__ import annotations

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


# class: M
# non_inference:
class M(TorchRLModule):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 3)
        self.layers = [self.vf] * 2

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        y = self.pi(x)
        for layer in self.layers:
            y = y + layer(x)
        return {Columns.ACTION_DIST_INPUTS: y}
