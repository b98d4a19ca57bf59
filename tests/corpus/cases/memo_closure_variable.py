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

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        use = False
        def run(y):
            return self.pi(y) + self.vf(y) if use else self.pi(y)
        run(x)
        use = True
        return {Columns.ACTION_DIST_INPUTS: run(x)}
