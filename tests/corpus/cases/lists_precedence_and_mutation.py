# class: Precedence
# non_inference: vf, critic
# configs: [{"twin": True}, {}]
# findings: INF205@"return [\"vf\"]", ?INF201
"""Conditionals that bind too loosely, and lists that others share."""

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


SHARED = ["vf"]


class Precedence(_Nets, InferenceOnlyAPI):
    def get_non_inference_attributes(self):
        return ["vf"] + ["critic"] if self.model_config.get("twin") else ["critic"]


# class: Parenthesised
# non_inference: vf, critic
# findings: ?INF201
class Parenthesised(_Nets, InferenceOnlyAPI):
    def get_non_inference_attributes(self):
        return ["vf"] + (["critic"] if self.model_config.get("twin", True) else ["critic"])


# class: ClassLevelList
# non_inference: vf, critic
# findings: INF206@"names += "
class ClassLevelList(_Nets, InferenceOnlyAPI):
    NAMES = ["vf"]

    def get_non_inference_attributes(self):
        names = self.NAMES
        names += ["critic"]
        return names


# class: ModuleLevelList
# non_inference: vf, critic
# findings: INF206@"SHARED.append"
class ModuleLevelList(_Nets, InferenceOnlyAPI):
    def get_non_inference_attributes(self):
        SHARED.append("critic")
        return SHARED


# class: FreshFromSuper
# non_inference: vf, critic, extra
# findings:
class FreshFromSuper(Parenthesised):
    def setup(self):
        super().setup()
        self.extra = nn.Linear(8, 1)

    def get_non_inference_attributes(self):
        names = super().get_non_inference_attributes()
        names += ["extra"]
        return names


# class: CopiedList
# non_inference: vf, critic
# findings:
class CopiedList(_Nets, InferenceOnlyAPI):
    NAMES = ("vf",)

    def get_non_inference_attributes(self):
        names = list(self.NAMES)
        names.extend(["critic"])
        return names
