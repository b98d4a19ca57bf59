# class: Redirects
# non_inference:
# acceptable-uncertain: vf
# findings: ?INF101@"class Redirects"
# note: `self.policy` is no attribute; __getattr__ turns it into a read of `pi`.
"""`__getattr__` redirects old names."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Redirects(TorchRLModule):
    OLD_NAMES = {"policy": "pi", "value_function": "vf"}

    def __getattr__(self, name):
        if name in type(self).OLD_NAMES:
            name = type(self).OLD_NAMES[name]
        return super().__getattr__(name)

    def setup(self):
        size = self.observation_space.shape[0]
        self.pi = nn.Linear(size, self.action_space.n)
        self.vf = nn.Linear(size, 1)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.policy(batch[Columns.OBS])}

    def compute_values(self, batch, embeddings=None):
        return self.value_function(batch[Columns.OBS]).squeeze(-1)
