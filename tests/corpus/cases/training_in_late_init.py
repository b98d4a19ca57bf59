from __future__ import annotations

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


# class: M
# non_inference:
class M(TorchRLModule):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if self.training:
            self.size = self.vf.out_features
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 3)

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        return {Columns.ACTION_DIST_INPUTS: self.pi(x)}
