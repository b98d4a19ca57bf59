# class: OwnState
# non_inference: vf
"""The module has `get_state` and `set_state` of its own."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class OwnState(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        size = self.observation_space.shape[0]
        self.pi = nn.Linear(size, self.action_space.n)
        self.vf = nn.Linear(size, 1)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}

    def compute_values(self, batch, embeddings=None):
        return self.vf(batch[Columns.OBS]).squeeze(-1)

    def get_state(self, components=None, *, inference_only=False, **kwargs):
        state = super().get_state(components, inference_only=inference_only, **kwargs)
        return {key: value for key, value in state.items() if value is not None}

    def set_state(self, state):
        super().set_state({key: value for key, value in state.items() if value is not None})

    def get_non_inference_attributes(self):
        return ["vf"]
