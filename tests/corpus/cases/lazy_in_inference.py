# class: LazyInference
# non_inference: vf
# acceptable-uncertain: critic
# findings: INF101@"class LazyInference"
"""A net that inference itself makes on first use, and LazyLinear layers."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class LazyInference(TorchRLModule):
    def setup(self):
        self._adapter = None
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)

    def _adapt(self, obs):
        if self._adapter is None:
            self._adapter = nn.Linear(obs.shape[-1], 8)
        return self._adapter(obs)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self._adapt(batch[Columns.OBS]))}

    def compute_values(self, batch, embeddings=None):
        if not hasattr(self, "critic"):
            self.critic = nn.Linear(8, 1)
        h = self._adapt(batch[Columns.OBS])
        return (self.vf(h) + self.critic(h)).squeeze(-1)
