# class: Ensembles
# non_inference: critics, target_critics
# findings: INF101@"class Ensembles"
"""Comprehensions over ModuleLists, a generator argument, and `map`."""

import copy

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Ensembles(TorchRLModule):
    def setup(self):
        size, n = self.observation_space.shape[0], self.action_space.n
        self.actors = nn.ModuleList([nn.Linear(size, n) for _ in range(2)])
        self.gates = nn.ModuleList(nn.Linear(size, 1) for _ in range(2))
        self.biases = nn.ParameterList([nn.Parameter(torch.zeros(n)) for _ in range(2)])
        self.critics = nn.ModuleList([nn.Linear(size, 1) for _ in range(2)])
        self.target_critics = nn.ModuleList([copy.deepcopy(c) for c in self.critics])

    def _forward(self, batch, **kwargs):
        obs = batch[Columns.OBS]
        logits = torch.stack([actor(obs) for actor in self.actors])
        gates = torch.stack(list(map(lambda gate: gate(obs), self.gates)))
        total = (logits * gates).sum(0) + sum(bias for bias in self.biases)
        return {Columns.ACTION_DIST_INPUTS: total}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        obs = batch[Columns.OBS]
        out["q"] = torch.stack([critic(obs) for critic in self.critics]).min(0).values
        out["target_q"] = {i: net(obs) for i, net in enumerate(self.target_critics)}
        return out
