from __future__ import annotations

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Core(nn.GRUCell):
    pass


# class: M
# non_inference:
class M(TorchRLModule):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 3)
        self.core = Core(6, 6)

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        if hasattr(self.core, "projection"):
            return {Columns.ACTION_DIST_INPUTS: self.pi(self.core(x))}
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.core(x)) + self.vf(x)}
