# class: BooleanFlag
# non_inference: aux
# acceptable-uncertain: vf
# findings: INF101@"class BooleanFlag"
# note: vf is read under a flag that inference passes as False.
"""One helper for all phases, with a boolean argument for the value branch."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class BooleanFlag(TorchRLModule):
    def setup(self):
        self.body = nn.Linear(self.observation_space.shape[0], 8)
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)
        self.aux = nn.Linear(8, 2)

    def _compute(self, batch, with_value=False):
        h = self.body(batch[Columns.OBS])
        out = {Columns.ACTION_DIST_INPUTS: self.pi(h)}
        if with_value:
            out[Columns.VF_PREDS] = self.vf(h).squeeze(-1)
        return out

    def _forward_inference(self, batch, **kwargs):
        return self._compute(batch)

    def _forward_exploration(self, batch, **kwargs):
        return self._compute(batch, with_value=False)

    def _forward_train(self, batch, **kwargs):
        out = self._compute(batch, with_value=True)
        out["aux"] = self.aux(self.body(batch[Columns.OBS]))
        return out
