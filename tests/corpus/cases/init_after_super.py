# class: BuiltLate
# non_inference: vf
# findings: INF101@"class BuiltLate"
# note: built after super().__init__(), so listing vf needs the builds moved to setup() first.
"""Components made in `__init__` after `super().__init__()`."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class BuiltLate(TorchRLModule):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        size = self.observation_space.shape[0]
        self.encoder = nn.Sequential(nn.Linear(size, 8), nn.Tanh())
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.encoder(batch[Columns.OBS]))}

    def compute_values(self, batch, embeddings=None):
        return self.vf(self.encoder(batch[Columns.OBS])).squeeze(-1)
