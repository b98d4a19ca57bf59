# class: RawParameters
# non_inference: value_scale, return_mean, return_var, critic
# findings: INF101@"class RawParameters"
"""`nn.Parameter` and buffers at the root are components too."""

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class RawParameters(TorchRLModule):
    def setup(self):
        size, n = self.observation_space.shape[0], self.action_space.n
        self.actor = nn.Linear(size, n)
        self.critic = nn.Linear(size, 1)
        self.temperature = nn.Parameter(torch.ones(n))
        self.value_scale = nn.Parameter(torch.tensor(1.0), requires_grad=True)
        self.register_buffer("obs_mean", torch.zeros(size))
        self.register_buffer("return_mean", torch.zeros(()))
        self.register_buffer("return_var", torch.ones(()), persistent=True)
        self.steps = 0

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS] - self.obs_mean
        return {Columns.ACTION_DIST_INPUTS: self.actor(x) / (self.temperature.exp() + 1.0)}

    def _forward_train(self, batch, **kwargs):
        self.steps += 1
        return self._forward(batch)

    def compute_values(self, batch, embeddings=None):
        v = self.critic(batch[Columns.OBS] - self.obs_mean).squeeze(-1) * self.value_scale
        with torch.no_grad():
            self.return_mean.mul_(0.99).add_(0.01 * v.mean())
        return v * self.return_var.sqrt() + self.return_mean
