# class: Picks
# non_inference: vf
# configs: [{"shared": True}, {"shared": False}]
# findings: INF101@"class Picks"
"""Conditional expressions, `or`, and short-circuit picks between components."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Picks(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.shared = bool(self.model_config.get("shared"))
        self.trunk = nn.Linear(size, 8)
        self.tower = None if self.shared else nn.Linear(size, 8)
        self.pi = nn.Linear(8, self.action_space.n)
        self.pi_alt = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)

    def _encoder(self):
        return self.tower or self.trunk

    def _forward(self, batch, **kwargs):
        h = self._encoder()(batch[Columns.OBS])
        head = self.pi if self.shared else self.pi_alt
        return {Columns.ACTION_DIST_INPUTS: head(h)}

    def compute_values(self, batch, embeddings=None):
        encoder = self.trunk if self.shared else self.tower
        return self.vf(encoder(batch[Columns.OBS])).squeeze(-1)
