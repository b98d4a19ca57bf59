# class: FromRegistry
# non_inference: value_net
# findings: INF101@"class FromRegistry"
# note: the kinds come from a registry and from importlib; the reads decide.
"""Builds whose type no reader of the file can know."""

import importlib

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule

REGISTRY = {}


def register(name):
    def add(factory):
        REGISTRY[name] = factory
        return factory

    return add


@register("linear")
def _linear(i, o):
    return importlib.import_module("torch.nn").Linear(i, o)


def instantiate(spec, **kwargs):
    module, _, name = spec.rpartition(".")
    return getattr(importlib.import_module(module), name)(**kwargs)


class FromRegistry(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        spec = self.model_config.get("encoder", "torch.nn.Linear")
        self.encoder = instantiate(spec, in_features=size, out_features=8)
        self.policy_net = REGISTRY["linear"](8, self.action_space.n)
        self.value_net = REGISTRY["linear"](8, 1)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.policy_net(self.encoder(batch[Columns.OBS]))}

    def compute_values(self, batch, embeddings=None):
        return self.value_net(self.encoder(batch[Columns.OBS])).squeeze(-1)
