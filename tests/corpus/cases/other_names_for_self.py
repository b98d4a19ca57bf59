# class: SelfUnderOtherNames
# non_inference: vf
# findings: INF101@"class SelfUnderOtherNames"
"""`self` under other names: a local, a default argument, `unwrapped()`, another first argument."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class SelfUnderOtherNames(TorchRLModule):
    def setup(this):
        size = this.observation_space.shape[0]
        this.body = nn.Linear(size, 8)
        this.pi = nn.Linear(8, this.action_space.n)
        this.shift = nn.Linear(8, this.action_space.n)
        rlm = this
        rlm.vf = nn.Linear(8, 1)

    def _forward(self, batch, **kwargs):
        me = self

        def encode(obs, module=self):
            return module.body(obs)

        h = encode(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: me.pi(h) + self.unwrapped().shift(h)}

    def compute_values(me, batch, embeddings=None):
        return me.vf(me.body(batch[Columns.OBS])).squeeze(-1)
