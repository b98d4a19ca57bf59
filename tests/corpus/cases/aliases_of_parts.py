# class: RootAliases
# non_inference: actor, critic, net.critic
# findings: INF101@"class RootAliases"
"""Root names for the parts of one net; inference goes through the net."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class ActorCritic(nn.Module):
    def __init__(self, size, actions):
        super().__init__()
        self.body = nn.Linear(size, 8)
        self.actor = nn.Linear(8, actions)
        self.critic = nn.Linear(8, 1)


class RootAliases(TorchRLModule):
    def setup(self):
        self.net = ActorCritic(self.observation_space.shape[0], self.action_space.n)
        self.actor = self.net.actor
        self.critic = self.net.critic

    def _forward(self, batch, **kwargs):
        net = self.net
        return {Columns.ACTION_DIST_INPUTS: net.actor(net.body(batch[Columns.OBS]))}

    def compute_values(self, batch, embeddings=None):
        return self.critic(self.net.body(batch[Columns.OBS])).squeeze(-1)
