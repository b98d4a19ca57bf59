# class: InitialisesEverything
# non_inference: vf, critic
# findings: INF101@"class InitialisesEverything"
# note: reads while setup() runs do not count: the removal comes after it.
"""`setup()` walks over everything: inits, counts, prints, copies."""

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class InitialisesEverything(TorchRLModule):
    pi: nn.Module
    vf: nn.Module

    def setup(self):
        self.pi = self.vf = self.critic = None
        size = self.observation_space.shape[0]
        with torch.no_grad():
            self.pi = nn.Linear(size, self.action_space.n)
            self.vf = nn.Linear(size, 1)
        self.critic = nn.Linear(size, 1)
        for net in (self.pi, self.vf, self.critic):
            net.apply(self._init_weights)
        for module in self.modules():
            module.training = True
        self.size = sum(p.numel() for p in self.parameters())
        self.critic.load_state_dict(self.vf.state_dict())
        self._log(self)

    @staticmethod
    def _init_weights(module):
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)

    def _log(self, module):
        self.summary = repr(module)

    def trainable(self):
        return [*self.vf.parameters(), *self.critic.parameters()]

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS]) * self.size}

    def compute_values(self, batch, embeddings=None):
        return (self.vf(batch[Columns.OBS]) + self.critic(batch[Columns.OBS])).squeeze(-1)
