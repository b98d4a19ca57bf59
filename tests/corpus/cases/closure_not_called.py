# class: UncalledClosure
# non_inference:
# acceptable-uncertain: vf
# configs: [{}]
# note: `lazy_value` goes out with the result; a caller may or may not run it.
"""Inference hands out a closure over the value head."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class UncalledClosure(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.pi = nn.Linear(size, self.action_space.n)
        self.vf = nn.Linear(size, 1)

    def _forward(self, batch, **kwargs):
        obs = batch[Columns.OBS]

        def lazy_value():
            return self.vf(obs).squeeze(-1)

        self._last_value = lazy_value
        return {Columns.ACTION_DIST_INPUTS: self.pi(obs)}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        out[Columns.VF_PREDS] = self._last_value()
        return out
