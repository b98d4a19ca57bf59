# class: TrainingFlag
# non_inference: vf, noise_net
# findings: INF101@"class TrainingFlag"
# note: since 2.55 both inference forwards run under eval(); before, these blocks ran too.
"""`if self.training:` blocks do not run in inference."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class TrainingFlag(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.encoder = nn.Sequential(nn.Linear(size, 8), nn.Dropout(0.5))
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)
        self.noise_net = nn.Linear(size, 8)

    def _forward(self, batch, **kwargs):
        h = self.encoder(batch[Columns.OBS])
        if self.training:
            h = h + self.noise_net(batch[Columns.OBS])
        out = {Columns.ACTION_DIST_INPUTS: self.pi(h)}
        if not self.training:
            return out
        out[Columns.VF_PREDS] = self.vf(h).squeeze(-1)
        return out
