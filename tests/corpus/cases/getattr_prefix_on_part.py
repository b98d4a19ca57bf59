from __future__ import annotations

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Enc(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(6, 3)
        self.b = nn.Linear(6, 3)
    def run_a(self, x): return self.a(x)
    def run_b(self, x): return self.b(x)


# class: M
# non_inference: vf
# acceptable-uncertain: enc.b
class M(TorchRLModule):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 3)
        self.enc = Enc()

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        return {Columns.ACTION_DIST_INPUTS: self.pi(x) + getattr(self.enc, f"run_{str(self.model_config.get(0, chr(97)))}")(x)}
