# class: ReadsAfterSuper
# non_inference: critic
# findings: INF101@"class ReadsAfterSuper"
# note: RLlib removes names inside super().__init__(); the constructor reads vf after that.
"""The constructor reads a component after `super().__init__()`."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class ReadsAfterSuper(TorchRLModule):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        nn.init.zeros_(self.vf.bias)

    def setup(self):
        size = self.observation_space.shape[0]
        self.pi = nn.Linear(size, self.action_space.n)
        self.vf = nn.Linear(size, 1)
        self.critic = nn.Linear(size, 1)
        nn.init.zeros_(self.critic.bias)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}

    def compute_values(self, batch, embeddings=None):
        return (self.vf(batch[Columns.OBS]) + self.critic(batch[Columns.OBS])).squeeze(-1)
