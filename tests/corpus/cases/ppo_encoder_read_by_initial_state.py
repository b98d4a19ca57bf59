# class: CriticOnlyEncoder
# non_inference: vf
# acceptable-uncertain: encoder.0
# configs: [ppo()]
# findings: INF202@"\"encoder\""
# note: the inherited get_initial_state() reads self.encoder; only hasattr() looks at it,
#     so its parts are unused in truth.
"""Only the critic runs `encoder`, yet the inherited `get_initial_state()` reads it."""

from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
from ray.rllib.core.columns import Columns
from torch import nn


class CriticOnlyEncoder(DefaultPPOTorchRLModule):
    def setup(self):
        in_size = self.observation_space.shape[0]
        self.policy = nn.Sequential(nn.Linear(in_size, 8), nn.Tanh(), nn.Linear(8, 3))
        self.encoder = nn.Sequential(nn.Linear(in_size, 8), nn.Tanh())
        self.vf = nn.Linear(8, 1)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.policy(batch[Columns.OBS])}

    def _forward_train(self, batch, **kwargs):
        return self._forward(batch)

    def compute_values(self, batch, embeddings=None):
        return self.vf(self.encoder(batch[Columns.OBS])).squeeze(-1)

    def get_non_inference_attributes(self):
        return ["vf", "encoder"]
