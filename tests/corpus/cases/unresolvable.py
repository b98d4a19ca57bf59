# class: UnknownBase
# non_inference:
# acceptable-uncertain: vf, pi
# runtime: skip
# findings:
# note: nobody knows what the base's inference reads.
"""Bases and styles that leave the question open."""

from company_internal.rl import ResearchModule
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class UnknownBase(ResearchModule, TorchRLModule):
    def setup(self):
        super().setup()
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 1)

    def compute_values(self, batch, embeddings=None):
        return self.vf(batch[Columns.OBS]).squeeze(-1)


# class: ModelV2Style
# non_inference:
# acceptable-uncertain: policy_net, value_net
# runtime: skip
# findings:
# note: no forward of the new API: nothing that an EnvRunner could call.
class ModelV2Style(TorchRLModule):
    def setup(self):
        self.policy_net = nn.Linear(6, 3)
        self.value_net = nn.Linear(6, 1)

    def forward(self, input_dict, state, seq_lens):
        self._value = self.value_net(input_dict["obs"])
        return self.policy_net(input_dict["obs"]), state

    def value_function(self):
        return self._value.squeeze(-1)
