"""Torch nets and a factory, without anything of RLlib."""

from torch import nn


def mlp(i, o, width=8):
    return nn.Sequential(nn.Linear(i, width), nn.Tanh(), nn.Linear(width, o))


class ActorCritic(nn.Module):
    def __init__(self, size, actions):
        super().__init__()
        self.actor = mlp(size, actions)
        self.critic = mlp(size, 1)
        self.scale = nn.Linear(1, 1)

    def policy(self, obs):
        return self.actor(obs)

    def value(self, obs):
        return self.scale(self.critic(obs))


def make_pair(size, actions):
    net = ActorCritic(size, actions)
    return net, mlp(size, 1)
