from __future__ import annotations

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Net(nn.Sequential):
    pass


# class: M
# non_inference:
# acceptable-uncertain: net.1
class M(TorchRLModule):
    def setup(self):
        self.pi=nn.Linear(6,3)
        self.net = Net(nn.Linear(6,6), nn.Linear(6,6))

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.net[0](x))}
