"""The base under its private name."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class _PolicyBase(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.policy = nn.Linear(size, self.action_space.n)
        self.build_value(size)

    def build_value(self, size):
        raise NotImplementedError

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.policy(batch[Columns.OBS])}
