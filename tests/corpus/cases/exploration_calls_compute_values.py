# class: ValuesWhileSampling
# non_inference:
# findings:
"""Exploration stores value predictions, so there is nothing to strip and nothing to say."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class ValuesWhileSampling(TorchRLModule, ValueFunctionAPI):
    def setup(self):
        size = self.observation_space.shape[0]
        self.actor = nn.Sequential(nn.Linear(size, 8), nn.Tanh(), nn.Linear(8, 3))
        self.critic = nn.Sequential(nn.Linear(size, 8), nn.Tanh(), nn.Linear(8, 1))

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.actor(batch[Columns.OBS])}

    def _forward_exploration(self, batch, **kwargs):
        out = self._forward(batch)
        out[Columns.VF_PREDS] = self.compute_values(batch)
        return out

    def compute_values(self, batch, embeddings=None):
        return self.critic(batch[Columns.OBS]).squeeze(-1)
