from __future__ import annotations

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Enc(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(6, 3)
        self.critic = nn.Linear(6, 3)

    def forward(self, x):
        return self.trunk(x)


# class: M
# non_inference: enc, other
# acceptable-uncertain: heads.0
class M(TorchRLModule):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.enc = Enc()
        self.other = Enc()
        self.heads = nn.ModuleList([self.enc, self.other])

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        best = max(self.heads, key=lambda h: float(h.critic(x).sum()))
        return {Columns.ACTION_DIST_INPUTS: self.pi(x) + best(x)}
