# class: Decorated
# non_inference: vf
# findings: INF202@"\"obs_norm\""
"""Decorators of this file wrap the forwards; one of them reads a component."""

import functools

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.utils.annotations import override
from torch import nn


def normalised(method):
    @functools.wraps(method)
    def wrapper(self, batch, **kwargs):
        batch = {**batch, Columns.OBS: self.obs_norm(batch[Columns.OBS])}
        return method(self, batch, **kwargs)

    return wrapper


def scaled(factor):
    def decorate(method):
        def wrapper(self, *args, **kwargs):
            out = method(self, *args, **kwargs)
            out[Columns.ACTION_DIST_INPUTS] = out[Columns.ACTION_DIST_INPUTS] * factor
            return out

        return wrapper

    return decorate


class Decorated(TorchRLModule, InferenceOnlyAPI):
    @override(TorchRLModule)
    def setup(self):
        size = self.observation_space.shape[0]
        self.obs_norm = nn.LayerNorm(size)
        self.pi = nn.Linear(size, self.action_space.n)
        self.vf = nn.Linear(size, 1)

    @torch.no_grad()
    @scaled(0.5)
    @normalised
    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}

    @normalised
    def _forward_train(self, batch, **kwargs):
        values = self.vf(batch[Columns.OBS]).squeeze(-1)
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS]), "v": values}

    def get_non_inference_attributes(self):
        return ["vf", "obs_norm"]
