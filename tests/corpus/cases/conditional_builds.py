# class: ConditionalBuilds
# non_inference: vf_encoder, vf, icm
# configs: [{"separate": True}, {"separate": False, "curiosity": True}, {"gated": True}]
# findings: INF101@"class ConditionalBuilds"
"""if / else / for / try around the builds; what a config may switch on in inference is needed."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class ConditionalBuilds(TorchRLModule):
    def setup(self):
        cfg = self.model_config
        size = self.observation_space.shape[0]
        self.encoder = nn.Linear(size, 8)
        if cfg.get("separate", False):
            self.vf_encoder = nn.Linear(size, 8)
        else:
            self.vf_encoder = None
        if cfg.get("gated"):
            self.gate = nn.Linear(8, 8)
        try:
            width = int(cfg["vf_width"])
        except KeyError:
            self.vf = nn.Linear(8, 1)
        else:
            self.vf = nn.Sequential(nn.Linear(8, width), nn.Linear(width, 1))
        self.pi = nn.Linear(8, self.action_space.n) if size > 2 else nn.Identity()
        if cfg.get("curiosity"):
            self.icm = nn.Linear(size, size)

    def _forward(self, batch, **kwargs):
        h = self.encoder(batch[Columns.OBS])
        if self.model_config.get("gated"):
            h = h * self.gate(h).sigmoid()
        return {Columns.ACTION_DIST_INPUTS: self.pi(h)}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        obs = batch[Columns.OBS]
        encoder = self.vf_encoder if self.vf_encoder is not None else self.encoder
        out[Columns.VF_PREDS] = self.vf(encoder(obs)).squeeze(-1)
        if self.model_config.get("curiosity"):
            out["icm"] = self.icm(obs)
        return out
