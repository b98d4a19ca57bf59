# class: PartsOnly
# non_inference: net, critic
# findings: INF101@"class PartsOnly"
# note: inference reads the registered aliases alone, so their owner's keys need not be sent.
"""Inference reads the root aliases of a net's parts, never the net."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Net(nn.Module):
    def __init__(self, size, actions):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(size, 8), nn.Tanh())
        self.heads = nn.ModuleDict({"pi": nn.Linear(8, actions), "vf": nn.Linear(8, 1)})

    def forward(self, obs):
        h = self.body(obs)
        return self.heads["pi"](h), self.heads["vf"](h)


class PartsOnly(TorchRLModule):
    def setup(self):
        self.net = Net(self.observation_space.shape[0], self.action_space.n)
        self.body, self.actor = self.net.body, self.net.heads["pi"]
        self.critic = self.net.heads["vf"]

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.actor(self.body(batch[Columns.OBS]))}

    def _forward_train(self, batch, **kwargs):
        logits, values = self.net(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: logits, Columns.VF_PREDS: values.squeeze(-1)}

    def compute_values(self, batch, embeddings=None):
        return self.critic(self.body(batch[Columns.OBS])).squeeze(-1)
