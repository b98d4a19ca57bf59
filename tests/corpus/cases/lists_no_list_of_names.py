# class: ReturnsString
# non_inference: vf, critic
# findings: INF204@"return \"vf\"", ?INF201, ?INF203
"""What the method returns is no list of attribute names."""

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


class ReturnsString(_Nets, InferenceOnlyAPI):
    def get_non_inference_attributes(self):
        return "vf"


# class: ReturnsParenthesised
# non_inference: vf, critic
# findings: INF204@"return (\"critic\")", ?INF201, ?INF203
class ReturnsParenthesised(_Nets, InferenceOnlyAPI):
    def get_non_inference_attributes(self):
        return ("critic")


# class: ReturnsNothing
# non_inference: vf, critic
# findings: INF204@"def get_non_inference_attributes", ?INF201
class ReturnsNothing(_Nets, InferenceOnlyAPI):
    def get_non_inference_attributes(self):
        names = ["vf", "critic"]
        names.sort()


# class: ReturnsAppend
# non_inference: vf, critic
# findings: INF204@"return names.append", ?INF201
class ReturnsAppend(_Nets, InferenceOnlyAPI):
    def get_non_inference_attributes(self):
        names = ["vf"]
        return names.append("critic")


# class: IsGenerator
# non_inference: vf, critic
# findings: INF204@"def get_non_inference_attributes", ?INF201
class IsGenerator(_Nets, InferenceOnlyAPI):
    def get_non_inference_attributes(self):
        yield "vf"
        yield "critic"


# class: IsProperty
# non_inference: vf, critic
# findings: INF204@"def get_non_inference_attributes", ?INF201
class IsProperty(_Nets, InferenceOnlyAPI):
    @property
    def get_non_inference_attributes(self):
        return ["vf", "critic"]


# class: ReturnsModules
# non_inference: vf, critic
# findings: INF204@"return [self.vf", ?INF201
class ReturnsModules(_Nets, InferenceOnlyAPI):
    def get_non_inference_attributes(self):
        return [self.vf, self.critic]


# class: MissingComma
# non_inference: vf, critic
# findings: INF204@"\"vf\"", ?INF201, ?INF203
class MissingComma(_Nets, InferenceOnlyAPI):
    def get_non_inference_attributes(self):
        return [
            "vf"
            "critic",
        ]
