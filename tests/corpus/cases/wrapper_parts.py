# class: WrapsParts
# non_inference: _net.critic, _net.towers.critic, _net.unused
"""Sub-parts of an owned net: `.actor` in inference, `.critic` in training, deeper ones as well."""

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Towers(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.actor = nn.Linear(size, 8)
        self.critic = nn.Linear(size, 8)


class Net(nn.Module):
    def __init__(self, size: int, actions: int):
        super().__init__()
        self.towers = Towers(size)
        self.actor = nn.Linear(8, actions)
        self.critic = nn.Linear(8, 1)
        self.unused = nn.Parameter(torch.zeros(1))

    def forward(self, obs):
        raise NotImplementedError("use the parts")


class WrapsParts(TorchRLModule):
    def setup(self):
        self._net = Net(self.observation_space.shape[0], actions=self.action_space.n)

    def _forward(self, batch, **kwargs):
        actor = self._net.actor
        return {Columns.ACTION_DIST_INPUTS: actor(self._net.towers.actor(batch[Columns.OBS]))}

    def compute_values(self, batch, embeddings=None):
        towers = self._net.towers
        return self._net.critic(towers.critic(batch[Columns.OBS])).squeeze(-1)
