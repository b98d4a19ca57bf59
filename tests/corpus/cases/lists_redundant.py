# class: ChildFirst
# non_inference: vf, critic, towers
# findings: INF207@"towers.left"
# note: the child first: RLlib deletes the leaf on the root, so this order is an AttributeError.
"""Names twice, and children beside their parents."""

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


class ChildFirst(_Nets, InferenceOnlyAPI):
    def setup(self):
        super().setup()
        self.towers = nn.ModuleDict({"left": nn.Linear(8, 1), "right": nn.Linear(8, 1)})

    def get_non_inference_attributes(self):
        return ["vf", "critic", "towers.left", "towers"]


# class: TwiceTheSame
# non_inference: vf, critic
# findings:
# note: only an info: the second removal is skipped.
class TwiceTheSame(_Nets, InferenceOnlyAPI):
    def get_non_inference_attributes(self):
        return ["vf", "critic", "vf"]
