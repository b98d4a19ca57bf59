# class: StaleRoutes
# non_inference: vf, twin.head
# findings: INF101@"class StaleRoutes"
# note: pi, trunk, twin.body, scale_net and gain are read by inference through routes that are
#     not in the state (a lambda, a plain list, object.__setattr__, a closure, a partial):
#     without their registered names' keys the routes would run on stale weights.
"""Components whose registered names inference never reads, and which it needs all the same."""

import functools

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Twin(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.body = nn.Linear(size, size)
        self.head = nn.Linear(size, 1)


def scaled(net, gain, x):
    return net(x) * gain(x)


class StaleRoutes(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.trunk = nn.Linear(size, 8)
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)
        self.scale_net = nn.Linear(8, 8)
        self.gain = nn.Linear(8, 8)
        self.twin = Twin(size)
        self._chain = [self.trunk]
        pi = self.pi
        self._act = lambda h: pi(h)
        object.__setattr__(self, "_twin_body", self.twin.body)
        self._scaled = functools.partial(scaled, self.scale_net, self.gain)

    def _forward(self, batch, **kwargs):
        h = self._twin_body(batch[Columns.OBS])
        for layer in self._chain:
            h = layer(h)
        return {Columns.ACTION_DIST_INPUTS: self._act(self._scaled(h))}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        h = self.trunk(self.twin.body(batch[Columns.OBS]))
        out[Columns.VF_PREDS] = self.vf(h).squeeze(-1) + self.twin.head(batch[Columns.OBS])
        return out
