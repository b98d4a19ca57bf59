# class: Streams
# non_inference: vf, vf_layers
# findings: INF101@"class Streams"
"""Generator methods, `yield from`, and a contextlib context manager over components."""

import contextlib

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Streams(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.first, self.second = nn.Linear(size, 8), nn.Linear(8, 8)
        self.pi = nn.Linear(8, self.action_space.n)
        self.temperature = nn.Parameter(torch.ones(3))
        self.vf_layers = nn.ModuleList([nn.Linear(8, 8)])
        self.vf = nn.Linear(8, 1)

    def _layers(self):
        yield self.first
        yield from self._more()

    def _more(self):
        yield self.second

    def _value_layers(self):
        for layer in self.vf_layers:
            yield layer
        yield self.vf

    @contextlib.contextmanager
    def _annealed(self):
        yield self.temperature.exp()

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        for layer in self._layers():
            x = layer(x).tanh()
        with torch.no_grad(), self._annealed() as temperature:
            return {Columns.ACTION_DIST_INPUTS: self.pi(x) / temperature}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        x = self.second(self.first(batch[Columns.OBS]))
        for layer in self._value_layers():
            x = layer(x)
        out[Columns.VF_PREDS] = x.squeeze(-1)
        return out
