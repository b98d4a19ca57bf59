from __future__ import annotations

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn
import functools


def _proto(): ...
_proto.use_vf = True


# class: M
# non_inference:
class M(TorchRLModule):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 3)
        functools.update_wrapper(self, _proto, assigned=())

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        if hasattr(self, "use_vf"):
            x = x + self.vf(x).sum()
        return {Columns.ACTION_DIST_INPUTS: self.pi(x)}
