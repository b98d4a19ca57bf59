# class: MethodWithoutBase
# non_inference: vf, critic
# findings: INF102@"def get_non_inference_attributes", ?INF101
"""The method, the base, or the name is missing."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class _Nets(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.encoder = nn.Linear(size, 8)
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)
        self.critic = nn.Linear(8, 1)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.encoder(batch[Columns.OBS]))}

    def compute_values(self, batch, embeddings=None):
        h = self.encoder(batch[Columns.OBS])
        return (self.vf(h) + self.critic(h)).squeeze(-1)


class MethodWithoutBase(_Nets):
    def get_non_inference_attributes(self):
        return ["vf", "critic"]


# class: BaseWithoutMethod
# non_inference: vf, critic
# findings: INF103@"class BaseWithoutMethod"
class BaseWithoutMethod(_Nets, InferenceOnlyAPI):
    pass


# class: MisspelledWithBase
# non_inference: vf, critic
# findings: INF104@"def get_non_inference_only_attributes", ?INF103
class MisspelledWithBase(_Nets, InferenceOnlyAPI):
    def get_non_inference_only_attributes(self):
        return ["vf", "critic"]


# class: MisspelledWithoutBase
# non_inference: vf, critic
# findings: INF104@"def get_non_inference_attribute(self)", ?INF101
class MisspelledWithoutBase(_Nets):
    def get_non_inference_attribute(self):
        return ["vf", "critic"]
