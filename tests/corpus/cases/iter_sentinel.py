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

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        y = 0
        self.n = 0
        for z in iter(self._poll, None):
            y = y + self.vf_out
        return {Columns.ACTION_DIST_INPUTS: self.pi(x) + y}

    def _poll(self):
        self.n += 1
        self.vf_out = self.vf.bias
        return self.n if self.n < 3 else None
