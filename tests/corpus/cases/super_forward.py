# class: Residual
# non_inference: vf, icm
# findings: INF101@"class Residual"
"""`super()._forward*()` delegation, through a base that brings only the forwards."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class _Plain(TorchRLModule):
    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.encoder(batch[Columns.OBS]))}

    def _forward_train(self, batch, **kwargs):
        out = super()._forward_train(batch, **kwargs)
        out[Columns.VF_PREDS] = self.vf(self.encoder(batch[Columns.OBS])).squeeze(-1)
        return out


class Residual(_Plain):
    def setup(self):
        super().setup()
        size = self.observation_space.shape[0]
        self.encoder = nn.Linear(size, 8)
        self.skip = nn.Linear(size, self.action_space.n)
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)
        self.icm = nn.Linear(size, size)

    def _forward(self, batch, **kwargs):
        out = super()._forward(batch, **kwargs)
        out[Columns.ACTION_DIST_INPUTS] += self.skip(batch[Columns.OBS])
        return out

    def _forward_train(self, batch, **kwargs):
        out = super(Residual, self)._forward_train(batch, **kwargs)
        out["icm"] = self.icm(batch[Columns.OBS])
        return out
