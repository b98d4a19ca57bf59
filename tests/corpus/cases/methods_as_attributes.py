# class: AssignedMethods
# non_inference: vf, aux
# findings: INF101@"class AssignedMethods"
"""Methods kept in attributes, in a dict of callbacks, and replaced for the forwards."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class AssignedMethods(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.body = nn.Linear(size, 8)
        self.pi = nn.Linear(8, self.action_space.n)
        self.shift = nn.Linear(8, 3)
        self.vf = nn.Linear(8, 1)
        self.aux = nn.Linear(8, 1)
        self._head_fn = self._logits
        self._callbacks = {"post": self._post, "final": lambda x: x}
        self._train_callbacks = [self._values, self._aux]

    def _logits(self, h):
        return self.pi(h)

    def _post(self, logits, h):
        return logits + self.shift(h)

    def _values(self, h):
        return self.vf(h)

    def _aux(self, h):
        return self.aux(h)

    def _forward(self, batch, **kwargs):
        h = self.body(batch[Columns.OBS])
        logits = self._callbacks["post"](self._head_fn(h), h)
        return {Columns.ACTION_DIST_INPUTS: self._callbacks["final"](logits)}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        h = self.body(batch[Columns.OBS])
        out["extras"] = [callback(h) for callback in self._train_callbacks]
        return out
