from __future__ import annotations

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


# class: M
# non_inference: nets.b
class M(TorchRLModule):
    def setup(self):
        self.nets = nn.ModuleDict({"a": nn.Linear(6, 3), "b": nn.Linear(6, 2)})
        self.nets["c"] = self.nets.pop("a")

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        return {Columns.ACTION_DIST_INPUTS: self.nets["c"](x)}
