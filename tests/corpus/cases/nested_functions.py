# class: Closures
# non_inference: vf
# findings: INF101@"class Closures"
"""Nested functions and closures read `self`; one of them is only made, never called."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Closures(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]

        def linear(o):
            self.built = getattr(self, "built", 0) + 1
            return nn.Linear(size, o)

        self.enc_a = linear(8)
        self.enc_b = linear(8)
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)

    def _forward(self, batch, **kwargs):
        obs = batch[Columns.OBS]

        def encode():
            def second():
                return self.enc_b(obs)

            return self.enc_a(obs) + second()

        logits = (lambda h: self.pi(h))(encode())
        return {Columns.ACTION_DIST_INPUTS: logits}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)

        def values():
            return self.vf(self.enc_a(batch[Columns.OBS]))

        out[Columns.VF_PREDS] = values().squeeze(-1)
        return out
