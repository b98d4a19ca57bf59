# class: Walrus
# non_inference: vf, old_pi
# findings: INF101@"class Walrus"
"""Assignment expressions, chained and annotated assignments, in builds and in reads."""

from typing import Optional

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Walrus(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.pi = (pi := nn.Linear(8, self.action_space.n))
        self.encoder: nn.Module = nn.Linear(size, 8)
        self.old_pi: Optional[nn.Module] = None
        self.vf = vf = nn.Linear(8, 1)
        if (extra := self.model_config.get("extra", 3)) > 2:
            self.bonus = nn.Linear(8, extra)
        self.old_pi = nn.Linear(pi.in_features, pi.out_features)
        nn.init.zeros_(vf.bias)

    def _forward(self, batch, **kwargs):
        h = (enc := self.encoder)(batch[Columns.OBS])
        if (bonus := self.bonus) is not None and enc is not bonus:
            h = h * bonus(h).mean(-1, keepdim=True)
        return {Columns.ACTION_DIST_INPUTS: (head := self.pi)(h) * float(head.out_features)}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        out[Columns.VF_PREDS] = (v := self.vf)(self.encoder(batch[Columns.OBS])).squeeze(-1)
        out["n"] = v.out_features + self.old_pi.out_features
        return out
