# class: TargetsInSetup
# non_inference: q2, target_q, target_q2, targets
# findings: INF101@"class TargetsInSetup"
"""Targets made in `setup()` with copy.deepcopy, in a loop and in a ModuleDict."""

import copy
from copy import deepcopy

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class TargetsInSetup(TorchRLModule):
    def setup(self):
        size, n = self.observation_space.shape[0], self.action_space.n
        self.q = nn.Linear(size, n)
        self.q2 = nn.Linear(size, n)
        self.target_q = copy.deepcopy(self.q)
        self.target_q2 = deepcopy(self.q2).eval()
        self.targets = nn.ModuleDict({"q": deepcopy(self.q), "q2": deepcopy(self.q2)})
        for net in (self.target_q, self.target_q2, self.targets):
            for p in net.parameters():
                p.requires_grad = False

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.q(batch[Columns.OBS])}

    def _forward_train(self, batch, **kwargs):
        obs = batch[Columns.OBS]
        return {
            Columns.ACTION_DIST_INPUTS: self.q(obs),
            "q2": self.q2(obs),
            "targets": (self.target_q(obs), self.target_q2(obs)),
            "more": [net(obs) for net in self.targets.values()],
        }
