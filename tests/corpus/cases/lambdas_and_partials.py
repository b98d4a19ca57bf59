# class: SmallCallables
# non_inference: vf, q_net
# findings: INF202@"\"pi\"", INF202@"\"log_std\""
"""Lambdas and partials that read `self` when they are called."""

import functools

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class SmallCallables(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        size = self.observation_space.shape[0]
        self.pi = nn.Linear(size, self.action_space.n)
        self.vf = nn.Linear(size, 1)
        self.q_net = nn.Linear(size, 3)
        self.log_std = nn.Parameter(torch.zeros(3))
        self._logits = lambda obs: self.pi(obs)
        self._values = lambda obs: self.vf(obs).squeeze(-1)
        self._scale = functools.partial(self._rescale, power=0.5)
        self._q = functools.partial(lambda net, obs: net(obs), self.q_net)

    def _rescale(self, x, power):
        return x * (self.log_std.exp() ** power + 0.5)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self._scale(self._logits(batch[Columns.OBS]))}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        out[Columns.VF_PREDS] = self._values(batch[Columns.OBS])
        out["q"] = self._q(batch[Columns.OBS])
        return out

    def get_non_inference_attributes(self):
        return [
            "pi",
            "vf",
            "q_net",
            "log_std",
        ]
