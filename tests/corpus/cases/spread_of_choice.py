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
# non_inference: a.net.trunk, enc.trunk
# acceptable-uncertain: b, other, b.net.trunk, other.trunk
class M(TorchRLModule):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.enc = Enc()
        self.other = Enc()
        self.a = {"net": self.enc}
        self.b = {"net": self.other}

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        kw = self.a if x.sum() > -1e9 else self.b
        return {Columns.ACTION_DIST_INPUTS: self.pi(x) + self._run(x, **kw)}

    def _run(self, x, net):
        return net.critic(x)
