# class: InheritedNets
# non_inference: net.critic, net.extra
"""The owned net inherits its parts and methods, and is made by a classmethod."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class SmallNet(nn.Module):
    def __init__(self, size, actions):
        super().__init__()
        self.body = nn.Linear(size, 8)
        self.actor = nn.Linear(8, actions)
        self._make_critic()

    @classmethod
    def from_spaces(cls, observation_space, action_space):
        return cls(observation_space.shape[0], action_space.n)

    def _make_critic(self):
        self.critic = nn.Linear(8, 1)

    def features(self, obs):
        return self.body(obs)

    def act(self, obs):
        return self.actor(self.features(obs))


class BigNet(SmallNet):
    def __init__(self, size, actions):
        super().__init__(size, actions)
        self.norm = nn.LayerNorm(8)
        self.extra = nn.Linear(8, 4)

    def features(self, obs):
        return self.norm(super().features(obs))

    def _make_critic(self):
        self.critic = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1))


class InheritedNets(TorchRLModule):
    def setup(self):
        self.net = BigNet.from_spaces(self.observation_space, self.action_space)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.net.act(batch[Columns.OBS])}

    def _forward_train(self, batch, **kwargs):
        h = self.net.features(batch[Columns.OBS])
        return {"v": self.net.critic(h), "x": self.net.extra(h), "pi": self.net.actor(h)}
