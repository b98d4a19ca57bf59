# class: TriesTheValue
# non_inference: icm
# acceptable-uncertain: vf
# ignore-outputs: vf_preds
# findings: INF101@"class TriesTheValue"
# note: without vf the forwards still give the same actions, but no vf_preds.
"""try / except AttributeError around the value head."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class TriesTheValue(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.encoder = nn.Linear(size, 8)
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)
        self.mask_net = nn.Linear(8, self.action_space.n)
        self.icm = nn.Linear(size, 1)

    def _forward(self, batch, **kwargs):
        h = self.encoder(batch[Columns.OBS])
        logits = self.pi(h)
        try:
            logits = logits + self.mask_net(h)
        except AttributeError:
            pass
        out = {Columns.ACTION_DIST_INPUTS: logits}
        try:
            out[Columns.VF_PREDS] = self.vf(h).squeeze(-1)
        except AttributeError:
            pass
        return out

    def curiosity(self, batch):
        return self.icm(batch[Columns.OBS])
