# class: ListsNested
# non_inference: net.critic
# note: nested paths crash RLlib's removal; as a verdict they are right.
"""A wrapper net whose critic is listed by its path: bare, and removed by hand in `setup()`."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Net(nn.Module):
    def __init__(self, size, actions):
        super().__init__()
        self.actor = nn.Linear(size, actions)
        self.critic = nn.Linear(size, 1)

    def forward(self, obs):
        return self.actor(obs)


class ListsNested(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        self.net = Net(self.observation_space.shape[0], self.action_space.n)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.net(batch[Columns.OBS])}

    def compute_values(self, batch, embeddings=None):
        return self.net.critic(batch[Columns.OBS]).squeeze(-1)

    def get_non_inference_attributes(self):
        return ["net.critic"]


# class: RemovesByHand
# non_inference: net.critic
# findings:
# note: the way that works: gone before RLlib looks, and listed for the state's filter.
class RemovesByHand(ListsNested):
    def setup(self):
        super().setup()
        if self.inference_only:
            del self.net.critic


# class: NullsByHand
# non_inference: net.critic
# findings:
class NullsByHand(ListsNested):
    def setup(self):
        super().setup()
        if self.inference_only:
            self.net.critic = None
