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
        self.net = nn.Sequential(nn.Linear(6, 6), nn.ReLU())
        for name, m in self.net.named_modules():
            if name == "0":
                m.register_forward_pre_hook(lambda m, args: (args[0] + self.vf(args[0]).sum(),))

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.net(x))}
