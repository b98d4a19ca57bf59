"""The base class of the package: builds, encodes, and lists."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class BaseModule(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        size = self.observation_space.shape[0]
        self.encoder = nn.Linear(size, 8)
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = self._make_value_head()

    def _make_value_head(self):
        return nn.Linear(8, 1)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self._head(self.encoder(batch[Columns.OBS]))}

    def _head(self, h):
        return self.pi(h)

    def get_non_inference_attributes(self):
        return ["vf"]
