# class: ReadsByName
# non_inference: vf, vf_norm
# findings: INF101@"class ReadsByName"
"""`getattr(self, name)` over constant names: a loop, an f-string, a default."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class ReadsByName(TorchRLModule):
    ORDER = ("first", "second")

    def setup(self):
        size = self.observation_space.shape[0]
        self.first = nn.Linear(size, 8)
        self.second = nn.Linear(8, 8)
        self.head_0 = nn.Linear(8, 3)
        self.head_1 = nn.Linear(8, 3)
        self.bonus = nn.Linear(8, 3)
        self.vf_norm = nn.LayerNorm(8)
        self.vf = nn.Linear(8, 1)

    def _features(self, batch):
        x = batch[Columns.OBS]
        for name in self.ORDER:
            x = getattr(self, name)(x).relu()
        return x

    def _forward(self, batch, **kwargs):
        x = self._features(batch)
        logits = sum(getattr(self, f"head_{i}")(x) for i in range(2))
        bonus = getattr(self, "bonus", None)
        return {Columns.ACTION_DIST_INPUTS: logits + bonus(x)}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        x = self._features(batch)
        for name in ["vf_norm", "vf"]:
            x = getattr(self, name)(x)
        out[Columns.VF_PREDS] = x.squeeze(-1)
        return out
