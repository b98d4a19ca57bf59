# class: ListsTheProperty
# non_inference: _critic
# findings: ?INF201, ?INF202, ?INF203, ?INF204
# note: the list names the property, not the attribute behind it; which code says so is open.
"""A property is a name for an attribute; only the attribute can be stripped."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class ListsTheProperty(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        size = self.observation_space.shape[0]
        self._actor = nn.Linear(size, 3)
        self._critic = nn.Linear(size, 1)

    @property
    def critic(self):
        return self._critic

    @property
    def actor(self):
        return self._actor

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.actor(batch[Columns.OBS])}

    def compute_values(self, batch, embeddings=None):
        return self.critic(batch[Columns.OBS]).squeeze(-1)

    def get_non_inference_attributes(self):
        return ["critic"]
