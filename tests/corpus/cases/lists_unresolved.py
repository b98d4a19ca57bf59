# class: Typos
# non_inference: vf, critic
# findings: INF203@"\"vff\"", INF203@"\"self.critic\"", ?INF201
"""Names that nothing ever assigns."""

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


class Typos(_Nets, InferenceOnlyAPI):
    def get_non_inference_attributes(self):
        return [
            "vff",
            "self.critic",
        ]


# class: StrayBlank
# non_inference: vf, critic
# findings: INF203@"vf ", ?INF201
class StrayBlank(_Nets, InferenceOnlyAPI):
    def get_non_inference_attributes(self):
        return ["vf ", "critic"]


# class: MadeLater
# non_inference: vf, critic, target_vf, icm
# configs: [{"icm": True}, {}]
# findings:
# note: names that a condition or make_target_networks() makes are fine.
class MadeLater(_Nets, InferenceOnlyAPI):
    def setup(self):
        super().setup()
        if self.model_config.get("icm"):
            self.icm = nn.Linear(8, 8)

    def make_target_networks(self):
        self.target_vf = nn.Linear(8, 1)

    def get_non_inference_attributes(self):
        return ["vf", "critic", "target_vf", "icm"]


# class: DottedTypo
# non_inference: vf, critic
# findings: INF203@"encoder.critic_encoder"
class DottedTypo(_Nets, InferenceOnlyAPI):
    def get_non_inference_attributes(self):
        return ["vf", "critic", "encoder.critic_encoder"]
