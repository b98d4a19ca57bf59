# class: ThroughTheRegistry
# non_inference:
# acceptable-uncertain: vf, nets.vf
# findings:
# note: `self` goes to attrgetter, so all may be uncertain; the
#     rest is read by name, only not as attributes.
"""Reads through torch's own registries and look-ups."""

import operator

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class ThroughTheRegistry(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        size = self.observation_space.shape[0]
        self.norm = nn.LayerNorm(size)
        self.pi = nn.Linear(size, 8)
        self.head = nn.Linear(8, 8)
        self.nets = nn.ModuleDict({"pi": nn.Linear(8, 3), "vf": nn.Linear(8, 1)})
        self.bias = nn.Parameter(torch.zeros(3))
        self.vf = nn.Linear(8, 1)

    def _forward(self, batch, **kwargs):
        x = self._modules["norm"](batch[Columns.OBS])
        x = self.get_submodule("head")(operator.attrgetter("pi")(self)(x))
        logits = self.get_submodule("nets.pi")(x) + self.get_parameter("bias")
        return {Columns.ACTION_DIST_INPUTS: logits}

    def compute_values(self, batch, embeddings=None):
        h = self.pi(self.norm(batch[Columns.OBS]))
        return (self.vf(h) + self.nets["vf"](h)).squeeze(-1)

    def get_non_inference_attributes(self):
        return ["vf"]
