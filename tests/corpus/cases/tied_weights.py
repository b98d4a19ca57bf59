# class: Tied
# non_inference: decoder, vf
# findings: INF101@"class Tied"
"""Two layers share one Parameter; dropping one holder leaves the other its weights."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Tied(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.encoder = nn.Linear(size, size, bias=False)
        self.decoder = nn.Linear(size, size)
        self.decoder.weight = self.encoder.weight
        self.pi = nn.Linear(size, self.action_space.n)
        self.vf = nn.Linear(size, 3)
        self.vf.bias = self.pi.bias

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.encoder(batch[Columns.OBS]))}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        h = self.encoder(batch[Columns.OBS])
        out["reconstruction"] = self.decoder(h)
        out[Columns.VF_PREDS] = self.vf(h).mean(-1)
        return out
