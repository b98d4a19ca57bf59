# class: Dispatch
# non_inference: icm
# findings: INF202@"\"icm\", \"vf\""
# note: making the dict reads self.vf, so its deletion breaks inference whatever the key.
"""`{"pi": self.pi, "vf": self.vf}[key]`: all values are read before one is picked."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Dispatch(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        size = self.observation_space.shape[0]
        self.encoder = nn.Linear(size, 8)
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)
        self.icm = nn.Linear(8, 1)

    def _head(self, name):
        return {"pi": self.pi, "vf": self.vf}[name]

    def _forward(self, batch, **kwargs):
        h = self.encoder(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: self._head("pi")(h)}

    def compute_values(self, batch, embeddings=None):
        h = self.encoder(batch[Columns.OBS])
        return dict(vf=self._head("vf"), icm=self.icm)["vf"](h).squeeze(-1)

    def get_non_inference_attributes(self):
        return ["icm", "vf"]
