# class: StaticHelpers
# non_inference: critic, value_bias
# findings: INF101@"class StaticHelpers"
"""staticmethod and classmethod helpers, with components or the module itself as arguments."""

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class StaticHelpers(TorchRLModule):
    @classmethod
    def _mlp(cls, i, o):
        return nn.Sequential(nn.Linear(i, cls.width()), nn.Tanh(), nn.Linear(cls.width(), o))

    @staticmethod
    def width():
        return 8

    def setup(self):
        size = self.observation_space.shape[0]
        self.actor = self._mlp(size, self.action_space.n)
        self.critic = StaticHelpers._mlp(size, 1)
        self.scale = nn.Parameter(torch.ones(3))
        self.value_bias = nn.Parameter(torch.zeros(1))

    @staticmethod
    def _run(net, batch, post=None):
        out = net(batch[Columns.OBS])
        return out if post is None else post(out)

    @staticmethod
    def _rescale(module, logits):
        return logits * module.scale.exp()

    @staticmethod
    def _shift(module, values):
        return values + module.value_bias

    def _forward(self, batch, **kwargs):
        logits = type(self)._run(self.actor, batch, post=torch.tanh)
        return {Columns.ACTION_DIST_INPUTS: self._rescale(self, logits)}

    def compute_values(self, batch, embeddings=None):
        return self._shift(self, self._run(self.critic, batch)).squeeze(-1)
