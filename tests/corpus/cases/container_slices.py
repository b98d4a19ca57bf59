# class: Slices
# non_inference: last, params.value_scale
# acceptable-uncertain: prefix.2, spread.2
# findings: INF101@"class Slices"
# note: dropping an element moves the others: net[:-1], pair-unpacking and negative indices need
#     all of them; prefix[:2] and the starred rest do not, which is more than a pass need see.
"""Slices, unpacking and negative indices of containers; a ParameterDict."""

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Slices(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.net = nn.Sequential(nn.Linear(size, 8), nn.Linear(8, 8), nn.Linear(8, 1))
        self.prefix = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1))
        self.pair = nn.ModuleList([nn.Linear(8, 3), nn.Linear(8, 1)])
        self.spread = nn.ModuleList([nn.Linear(8, 3), nn.Linear(8, 3), nn.Linear(8, 1)])
        self.last = nn.ModuleList([nn.Linear(8, 1), nn.Linear(8, 1)])
        self.params = nn.ParameterDict(
            {"scale": nn.Parameter(torch.ones(3)), "value_scale": nn.Parameter(torch.ones(1))}
        )

    def _forward(self, batch, **kwargs):
        h = self.prefix[:2](self.net[:-1](batch[Columns.OBS]))
        pi, _ = self.pair
        first, second, *_ = self.spread
        logits = pi(h) + first(h) + second(h)
        return {Columns.ACTION_DIST_INPUTS: logits * self.params["scale"]}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        h = self.net[:-1](batch[Columns.OBS])
        values = self.net(batch[Columns.OBS]) + self.prefix(h) + self.pair[1](h)
        out[Columns.VF_PREDS] = (values + self.spread[2](h)) * self.params["value_scale"]
        out["q"] = self.last[-1](h)
        return out
