# class: ListedAndGuarded
# non_inference: vf
# ignore-outputs: vf_preds
# findings:
"""`hasattr` around a component: as a guard for a listed one, and as a feature switch."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class ListedAndGuarded(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        self.encoder = nn.Linear(self.observation_space.shape[0], 8)
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)

    def _forward(self, batch, **kwargs):
        h = self.encoder(batch[Columns.OBS])
        out = {Columns.ACTION_DIST_INPUTS: self.pi(h)}
        if hasattr(self, "vf"):
            out[Columns.VF_PREDS] = self.vf(h).squeeze(-1)
        return out

    def get_non_inference_attributes(self):
        return ["vf"]


# class: OptionalParts
# non_inference: vf
# findings: INF101@"class OptionalParts"
# configs: [{}, {"residual": True}]
# note: `adapter` and `residual` change the logits where they exist: they are needed.
class OptionalParts(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.encoder = nn.Linear(size, 8)
        self.adapter = nn.Linear(8, 8)
        if self.model_config.get("residual"):
            self.residual = nn.Linear(size, 8)
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)

    def _forward(self, batch, **kwargs):
        h = self.encoder(batch[Columns.OBS])
        if hasattr(self, "residual"):
            h = h + self.residual(batch[Columns.OBS])
        adapter = getattr(self, "adapter", None)
        if adapter is not None:
            h = adapter(h)
        return {Columns.ACTION_DIST_INPUTS: self.pi(h)}

    def compute_values(self, batch, embeddings=None):
        if not hasattr(self, "vf"):
            return 0.0
        return self.vf(self.encoder(batch[Columns.OBS])).squeeze(-1)
