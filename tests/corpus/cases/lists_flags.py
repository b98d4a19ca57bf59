# class: FlagsListed
# non_inference: vf, critic
# findings: INF202@"\"use_gate\"", INF202@"\"width\","
"""Plain attributes in the list: read ones break inference, None is skipped."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class _Nets(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.encoder = nn.Linear(size, 8)
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)
        self.critic = nn.Linear(8, 1)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.encoder(batch[Columns.OBS]))}

    def compute_values(self, batch, embeddings=None):
        h = self.encoder(batch[Columns.OBS])
        return (self.vf(h) + self.critic(h)).squeeze(-1)


class FlagsListed(_Nets, InferenceOnlyAPI):
    def setup(self):
        super().setup()
        self.use_gate = False
        self.width = 8
        self.cached = None
        self.loss_scale = 0.5

    def _forward(self, batch, **kwargs):
        out = super()._forward(batch, **kwargs)
        if self.use_gate or self.cached is not None:
            out["width"] = self.width
        return out

    def get_non_inference_attributes(self):
        return [
            "vf",
            "critic",
            "use_gate",
            "width",
            "cached",
            "loss_scale",
        ]


# class: ReadByTheDist
# non_inference: vf, critic
# findings: INF202@"\"dist_cls\""
class ReadByTheDist(_Nets, InferenceOnlyAPI):
    def setup(self):
        super().setup()
        self.dist_cls = super().get_inference_action_dist_cls()

    def get_inference_action_dist_cls(self):
        return self.dist_cls

    def get_non_inference_attributes(self):
        return ["vf", "critic", "dist_cls"]
