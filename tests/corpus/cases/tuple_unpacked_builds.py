# class: Unpacked
# non_inference: vf, target_vf
# findings: INF101@"class Unpacked"
"""Components from tuple targets: a factory's pair, a swap of literals, a nested target, a list."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


def build_heads(width, actions):
    pi = nn.Linear(width, actions)
    vf = nn.Linear(width, 1)
    return pi, vf


class Unpacked(TorchRLModule):
    def setup(self):
        size, n = self.observation_space.shape[0], self.action_space.n
        self.norm, self.encoder = nn.LayerNorm(size), nn.Linear(size, 8)
        (self.pi, self.vf), self.width = build_heads(8, n), 8
        [self.target_vf, *_] = [nn.Linear(8, 1), None, None]

    def _forward(self, batch, **kwargs):
        x = self.norm(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.encoder(x))}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        x = self.encoder(self.norm(batch[Columns.OBS]))
        out[Columns.VF_PREDS] = self.vf(x).squeeze(-1)
        out["target"] = self.target_vf(x).squeeze(-1).detach()
        return out
