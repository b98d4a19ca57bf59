# class: Literal
# non_inference: vf, critic
# findings:
"""Right lists, written in every way."""

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


VALUE_NAMES = ("vf", "critic")


class Literal(_Nets, InferenceOnlyAPI):
    def get_non_inference_attributes(self) -> list[str]:
        return [
            "vf",  # the value head
            "critic",
        ]


# class: Constant
# non_inference: vf, critic
# findings:
class Constant(_Nets, InferenceOnlyAPI):
    def get_non_inference_attributes(self):
        return [*VALUE_NAMES]


# class: FStrings
# non_inference: vf, critic, q_0, q_1, target_q_0, target_q_1
# findings:
class FStrings(_Nets, InferenceOnlyAPI):
    N = 2

    def setup(self):
        super().setup()
        for i in range(self.N):
            setattr(self, f"q_{i}", nn.Linear(8, 1))

    def make_target_networks(self):
        for i in range(self.N):
            setattr(self, f"target_q_{i}", nn.Linear(8, 1))

    def get_non_inference_attributes(self):
        names = ["vf", "critic"]
        names += [f"{prefix}q_{i}" for i in range(self.N) for prefix in ("", "target_")]
        return names


# class: SuperPlus
# non_inference: vf, critic, extra
# findings:
class SuperPlus(Literal):
    def setup(self):
        super().setup()
        self.extra = nn.Linear(8, 1)

    def get_non_inference_attributes(self):
        return super().get_non_inference_attributes() + ["extra"]


# class: AsSet
# non_inference: vf, critic, extra
# findings:
class AsSet(SuperPlus):
    def get_non_inference_attributes(self):
        return list(set(super().get_non_inference_attributes()) | {"extra", "vf"})


# class: InheritsAll
# non_inference: vf, critic, extra, more
# findings: INF201@"class InheritsAll"
class InheritsAll(SuperPlus):
    def setup(self):
        super().setup()
        self.more = nn.Linear(8, 1)
