from __future__ import annotations

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn
from contextlib import contextmanager


class Enc(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(6, 3)
        self.critic = nn.Linear(6, 3)

    def forward(self, x):
        return self.trunk(x)


# class: M
# non_inference: enc.trunk, other
class M(TorchRLModule):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.enc = Enc()
        self.other = Enc()

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        with self._scope() as enc:
            y = self.pi(x) + enc.critic(x)
        return {Columns.ACTION_DIST_INPUTS: y}

    @contextmanager
    def _scope(self):
        yield self.enc
