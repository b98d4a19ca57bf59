# class: RenamedHead
# non_inference: value_head
# configs: [ppo()]
# findings: INF201@"class RenamedHead"
"""`setup()` is rebuilt without super(); the value head has another name than the listed one."""

from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
from ray.rllib.core.columns import Columns
from torch import nn


class RenamedHead(DefaultPPOTorchRLModule):
    def setup(self):
        in_size = self.observation_space.shape[0]
        self.encoder = nn.Sequential(nn.Linear(in_size, 8), nn.Tanh())
        self.pi = nn.Linear(8, self.action_space.n)
        self.value_head = nn.Linear(8, 1)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.encoder(batch[Columns.OBS]))}

    def _forward_train(self, batch, **kwargs):
        h = self.encoder(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: self.pi(h), Columns.EMBEDDINGS: h}

    def compute_values(self, batch, embeddings=None):
        if embeddings is None:
            embeddings = self.encoder(batch[Columns.OBS])
        return self.value_head(embeddings).squeeze(-1)
