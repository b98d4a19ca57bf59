from __future__ import annotations

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


# class: M
# non_inference: vf
# acceptable-uncertain: backbone.1
class M(TorchRLModule):
    def setup(self):
        self.backbone = nn.Sequential(nn.Linear(6, 3), nn.Linear(3, 2))
        self.vf = nn.Linear(3, 1)
        self.features = [nn.Sequential(*list(self.backbone.children())[:-1])]

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        return {Columns.ACTION_DIST_INPUTS: self.features[0](x)}
