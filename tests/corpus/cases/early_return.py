# class: ReturnsEarly
# non_inference: vf, aux
# findings: INF101@"class ReturnsEarly"
"""`if self.inference_only: return` and a raise guard what follows."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class ReturnsEarly(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.encoder = nn.Linear(size, 8)
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)
        self.aux = nn.Linear(8, 1)

    def _forward(self, batch, **kwargs):
        h = self.encoder(batch[Columns.OBS])
        out = {Columns.ACTION_DIST_INPUTS: self.pi(h)}
        if self.inference_only:
            return out
        out[Columns.VF_PREDS] = self.vf(h).squeeze(-1)
        return self._with_aux(out, h)

    def _with_aux(self, out, h):
        if self.inference_only is True:
            raise RuntimeError("only for training")
        out["aux"] = self.aux(h)
        return out
