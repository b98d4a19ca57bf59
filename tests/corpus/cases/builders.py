# class: ManyBuilders
# non_inference: vf, q1, q2, nets.vf
# findings: INF101@"class ManyBuilders"
"""Factories: a partial of a class, a lambda, a dict of classes, a nested def, a loop over names."""

import functools
from collections import OrderedDict

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Mlp(nn.Sequential):
    def __init__(self, i, o):
        super().__init__(nn.Linear(i, 8), nn.Tanh(), nn.Linear(8, o))


KINDS = {"linear": nn.Linear, "mlp": Mlp}


class ManyBuilders(TorchRLModule):
    def setup(self):
        size, n = self.observation_space.shape[0], self.action_space.n
        head = functools.partial(nn.Linear, 8)
        tower = lambda i: nn.Sequential(nn.Linear(i, 8), nn.ReLU())  # noqa: E731
        self.tower = tower(size)
        self.pi, self.vf = head(n), head(1)
        self.q1 = KINDS[self.model_config.get("kind", "mlp")](8, 1)

        def critic(width=8):
            net = nn.Linear(width, 1)
            nn.init.zeros_(net.bias)
            return net

        self.q2 = critic()
        self.nets = nn.ModuleDict()
        for name in ("pi", "vf"):
            self.nets[name] = nn.Linear(8, 3)
        self.named = nn.Sequential(
            OrderedDict([("norm", nn.LayerNorm(8)), ("out", nn.Linear(8, 3))])
        )

    def _forward(self, batch, **kwargs):
        h = self.named.norm(self.tower(batch[Columns.OBS]))
        return {Columns.ACTION_DIST_INPUTS: self.pi(h) + self.nets.pi(h) + self.named.out(h)}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        h = self.tower(batch[Columns.OBS])
        out["values"] = (self.vf(h), self.q1(h), self.q2(h), self.nets.vf(h))
        return out
