from __future__ import annotations

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn
from types import SimpleNamespace


# class: M
# non_inference:
class M(TorchRLModule):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 3)
        self.ns = SimpleNamespace(net=self.vf)

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        def each():
            yield from [self.ns.net]
        y = self.pi(x)
        for net in each():
            y = y + net(x)
        return {Columns.ACTION_DIST_INPUTS: y}
