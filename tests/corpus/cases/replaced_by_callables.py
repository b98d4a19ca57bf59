# class: LambdaHeads
# non_inference: shared_head
# findings: INF101@"class LambdaHeads"
# note: class_level is no instance attribute: nothing can be removed, so it is no component.
"""Attributes that other classes fill with nets hold lambdas and methods here."""

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class LambdaHeads(TorchRLModule):
    class_level = nn.Linear(6, 1)

    def setup(self):
        size, n = self.observation_space.shape[0], self.action_space.n
        self.shared_head = nn.Linear(size, n + 1)
        self.policy_head = nn.Linear(size, n)
        self.pi = lambda obs: self.policy_head(obs)
        self.vf = lambda obs: self.shared_head(obs)[..., -1]
        self.encoder = self._identity
        self.log_std = torch.zeros(n)

    def _identity(self, obs):
        return obs

    def _forward(self, batch, **kwargs):
        h = self.encoder(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: self.pi(h) + self.log_std}

    def compute_values(self, batch, embeddings=None):
        h = self.encoder(batch[Columns.OBS])
        return self.vf(h) + self.class_level(h).squeeze(-1)
