# class: Rebinds
# non_inference: vf, encoder.critic
# configs: [ppo(vf_share_layers=True)]
"""The inherited nets are replaced after `super().setup()`; the old ones leave no trace."""

from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
from ray.rllib.core.columns import Columns
from torch import nn


class TwoTowers(nn.Module):
    def __init__(self, size, width=8):
        super().__init__()
        self.actor = nn.Linear(size, width)
        self.critic = nn.Linear(size, width)


class Rebinds(DefaultPPOTorchRLModule):
    def setup(self):
        super().setup()
        self.encoder = TwoTowers(self.observation_space.shape[0])
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.encoder.actor(batch[Columns.OBS]))}

    def _forward_train(self, batch, **kwargs):
        return self._forward(batch)

    def compute_values(self, batch, embeddings=None):
        return self.vf(self.encoder.critic(batch[Columns.OBS])).squeeze(-1)
