# class: Wrapped
# non_inference: vf, icm
# findings: INF101@"class Wrapped"
"""torch.compile, spectral_norm, weight_norm and an init function around the builds."""

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm, weight_norm


def init(module, gain=1.0):
    nn.init.orthogonal_(module.weight, gain)
    nn.init.zeros_(module.bias)
    return module


class Wrapped(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.encoder = spectral_norm(init(nn.Linear(size, 8)))
        self.pi = init(nn.Linear(8, self.action_space.n), gain=0.1)
        self.vf = init(weight_norm(nn.Linear(8, 1)) if size > 99 else nn.Linear(8, 1))
        self.icm = torch.compile(spectral_norm(nn.Linear(size, 8)).requires_grad_(True))
        self.apply(lambda module: None)
        self.to(torch.float32)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.encoder(batch[Columns.OBS]))}

    def _forward_train(self, batch, **kwargs):
        h = self.encoder(batch[Columns.OBS])
        return {
            Columns.ACTION_DIST_INPUTS: self.pi(h),
            Columns.VF_PREDS: self.vf(h).squeeze(-1),
        }

    def curiosity(self, batch):
        return self.icm(batch[Columns.OBS])
