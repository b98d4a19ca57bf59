# class: NumberedCritics
# non_inference: critic_0, critic_1, critic_2, target_a, target_b
# findings: INF101@"class NumberedCritics"
"""`setattr` with an f-string over a constant range, and over a constant tuple."""

import copy

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn

N_CRITICS = 3


class NumberedCritics(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        for i in range(N_CRITICS):
            setattr(self, f"critic_{i}", nn.Linear(size, 1))
        for i in range(2):
            setattr(self, "block" + str(i), nn.Linear(size, size))
        for tag in ("a", "b"):
            setattr(self, f"target_{tag}", copy.deepcopy(self.critic_0))
        self.pi = nn.Linear(size, self.action_space.n)

    def _forward(self, batch, **kwargs):
        x = self.block1(self.block0(batch[Columns.OBS]).tanh())
        return {Columns.ACTION_DIST_INPUTS: self.pi(x)}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        obs = batch[Columns.OBS]
        out["qs"] = [getattr(self, f"critic_{i}")(obs) for i in range(N_CRITICS)]
        out["targets"] = self.target_a(obs), self.target_b(obs)
        return out
