# class: RuntimeBranches
# non_inference: icm
# acceptable-uncertain: vf, aux
# findings: INF101@"class RuntimeBranches"
# note: forward_exploration gets `t`, so `bonus` is read; the other branches are never taken by an
#     EnvRunner, which the source does not say.
"""Branches on kwargs, on the batch, and on a constant of the file."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn

DEBUG = False


class RuntimeBranches(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.pi = nn.Linear(size, self.action_space.n)
        self.bonus = nn.Linear(size, self.action_space.n)
        self.vf = nn.Linear(size, 1)
        self.aux = nn.Linear(size, 1)
        self.icm = nn.Linear(size, 1)

    def _forward(self, batch, **kwargs):
        logits = self.pi(batch[Columns.OBS])
        if kwargs.get("t") is not None:
            logits = logits + self.bonus(batch[Columns.OBS])
        out = {Columns.ACTION_DIST_INPUTS: logits}
        if Columns.ACTIONS in batch:
            out[Columns.VF_PREDS] = self.vf(batch[Columns.OBS]).squeeze(-1)
        if DEBUG:
            out["aux"] = self.aux(batch[Columns.OBS])
        return out

    def curiosity(self, batch):
        return self.icm(batch[Columns.OBS])
