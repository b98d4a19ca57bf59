# class: PublicForwards
# non_inference: train_pi, vf
# findings: INF101@"class PublicForwards"
"""The public `forward_inference` and `forward_exploration` are overridden."""

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class PublicForwards(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.pi = nn.Linear(size, self.action_space.n)
        self.noise = nn.Linear(size, self.action_space.n)
        self.train_pi = nn.Linear(size, self.action_space.n)
        self.vf = nn.Linear(size, 1)

    @torch.no_grad()
    def forward_inference(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}

    def forward_exploration(self, batch, **kwargs):
        out = self.forward_inference(batch, **kwargs)
        out[Columns.ACTION_DIST_INPUTS] += 0.1 * self.noise(batch[Columns.OBS])
        return out

    def _forward(self, batch, **kwargs):
        logits = self.train_pi(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: logits, Columns.VF_PREDS: self.vf(batch[Columns.OBS])}
