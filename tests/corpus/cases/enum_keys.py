# class: EnumKeys
# non_inference: value_encoder
# acceptable-uncertain: heads.vf
# findings: INF101@"class EnumKeys"
"""ModuleDict keys out of an Enum."""

import enum

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Head(str, enum.Enum):
    POLICY = "pi"
    VALUE = "vf"


class EnumKeys(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.encoder, self.value_encoder = (nn.Linear(size, 8) for _ in range(2))
        sizes = {Head.POLICY: self.action_space.n, Head.VALUE: 1}
        self.heads = nn.ModuleDict({head.value: nn.Linear(8, o) for head, o in sizes.items()})

    def _forward(self, batch, **kwargs):
        h = self.encoder(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: self.heads[Head.POLICY.value](h)}

    def compute_values(self, batch, embeddings=None):
        h = self.value_encoder(batch[Columns.OBS])
        return self.heads[Head.VALUE.value](h).squeeze(-1)
