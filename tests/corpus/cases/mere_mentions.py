# class: Mentions
# non_inference: unread
# findings: INF202@"\"vf\"", INF202@"\"critics\"", INF202@"\"teacher\""
# note: an assert, a len() and an isinstance() read the name: deleting it breaks inference.
"""Inference mentions components without running them; one component nobody ever reads."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Mentions(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        size = self.observation_space.shape[0]
        self.pi = nn.Linear(size, self.action_space.n)
        self.vf = nn.Linear(size, 1)
        self.critics = nn.ModuleList([nn.Linear(size, 1) for _ in range(2)])
        self.teacher = nn.Linear(size, 3)
        self.unread = nn.Linear(size, 99)

    def _forward(self, batch, **kwargs):
        assert self.vf is not None, "call setup() first"
        logits = self.pi(batch[Columns.OBS]) * len(self.critics)
        if not isinstance(self.teacher, nn.Module):
            raise TypeError(type(self.teacher))
        return {Columns.ACTION_DIST_INPUTS: logits}

    def compute_values(self, batch, embeddings=None):
        obs = batch[Columns.OBS]
        return (self.vf(obs) + sum(c(obs) for c in self.critics)).squeeze(-1)

    def get_non_inference_attributes(self):
        return [
            "vf",
            "critics",
            "teacher",
            "unread",
        ]
