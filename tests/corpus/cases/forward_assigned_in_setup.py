# class: SwapsForwards
# non_inference: slow_pi, vf
# findings: INF101@"class SwapsForwards"
"""An entry point is bound in the class body to another method (`_forward_inference = _act`)."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class SwapsForwards(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.fast_pi = nn.Linear(size, self.action_space.n)
        self.slow_pi = nn.Linear(size, self.action_space.n)
        self.vf = nn.Linear(size, 1)

    def _act(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.fast_pi(batch[Columns.OBS])}

    def _forward(self, batch, **kwargs):
        logits = self.slow_pi(batch[Columns.OBS])
        values = self.vf(batch[Columns.OBS]).squeeze(-1)
        return {Columns.ACTION_DIST_INPUTS: logits, Columns.VF_PREDS: values}

    _forward_inference = _forward_exploration = _act
