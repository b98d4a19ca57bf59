# class: DropsParts
# non_inference: value_branch
# configs: [{}]
# findings: INF101@"class DropsParts"
"""`del self.x` after `super().setup()`: the inherited component is gone for everybody."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class _WithEverything(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.encoder = nn.Linear(size, 8)
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)
        self.icm = nn.Linear(size, 8)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.encoder(batch[Columns.OBS]))}


class DropsParts(_WithEverything):
    def setup(self):
        super().setup()
        del self.vf
        delattr(self, "icm")
        self.value_branch = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1))

    def compute_values(self, batch, embeddings=None):
        return self.value_branch(self.encoder(batch[Columns.OBS])).squeeze(-1)
