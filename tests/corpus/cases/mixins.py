# class: Composed
# non_inference: value_net, value_norm
# findings: INF101@"class Composed"
"""Mixins: one builds the value net, one encodes observations, in a cooperative `setup()`."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class ValueMixin:
    def setup(self):
        super().setup()
        self.value_net = nn.Linear(self.width, 1)
        self.value_norm = nn.LayerNorm(self.width)

    def compute_values(self, batch, embeddings=None):
        return self.value_net(self.value_norm(self.encode(batch[Columns.OBS]))).squeeze(-1)


class EncoderMixin:
    width = 8

    def setup(self):
        super().setup()
        self.encoder = nn.Linear(self.observation_space.shape[0], self.width)

    def encode(self, obs):
        return self.encoder(obs).relu()


class Composed(ValueMixin, EncoderMixin, TorchRLModule):
    def setup(self):
        super().setup()
        self.pi = nn.Linear(self.width, self.action_space.n)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.encode(batch[Columns.OBS]))}
