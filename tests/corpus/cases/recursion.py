# class: Recursive
# non_inference: value, value_mix
# findings: INF101@"class Recursive"
"""Methods that call themselves and each other."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Recursive(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.refine = nn.Linear(size, size)
        self.mix = nn.Linear(size, size)
        self.pi = nn.Linear(size, self.action_space.n)
        self.value_mix = nn.Linear(size, size)
        self.value = nn.Linear(size, 1)

    def _even(self, x, depth):
        return x if depth == 0 else self._odd(self.refine(x).tanh(), depth - 1)

    def _odd(self, x, depth):
        if depth <= 0:
            return self.mix(x)
        return self._even(self.mix(x).tanh(), depth - 1)

    def _evaluate(self, x, depth=2):
        if depth:
            return self._evaluate(self.value_mix(x), depth - 1)
        return self.value(x)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self._even(batch[Columns.OBS], 3))}

    def compute_values(self, batch, embeddings=None):
        return self._evaluate(self._even(batch[Columns.OBS], 3)).squeeze(-1)
