from __future__ import annotations

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


# class: M
# non_inference:
# acceptable-uncertain: heads.1
class M(TorchRLModule):
    def setup(self):
        self.heads = nn.ModuleList([nn.Linear(6, 4), nn.Linear(6, 3), nn.Linear(6, 2)])
        del self.heads[0]

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        return {Columns.ACTION_DIST_INPUTS: self.heads[0](x)}
