# class: HelpedFromElsewhere
# non_inference: vf, vf2
# findings: INF101@"class HelpedFromElsewhere"
"""Helper functions of another file get `self`, in the build and in inference."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn

from pkg_helpers import helpers
from pkg_helpers.helpers import add_value_branch


class HelpedFromElsewhere(TorchRLModule):
    def setup(self):
        self.encoder = nn.Linear(self.observation_space.shape[0], 8)
        self.pi = nn.Linear(8, self.action_space.n)
        add_value_branch(self, 8, twin=True)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: helpers.logits(self, batch[Columns.OBS])}

    def compute_values(self, batch, embeddings=None):
        return helpers.values(self, batch[Columns.OBS]).squeeze(-1)
