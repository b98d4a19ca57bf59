# class: ValueEverywhere
# non_inference:
# findings: INF202@"\"vf\""
"""The commonest over-listing: all phases share one forward that also computes the value."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class ValueEverywhere(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    def setup(self):
        in_size = self.observation_space.shape[0]
        self.encoder = nn.Sequential(
            nn.Linear(in_size, 8),
            nn.Tanh(),
        )
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)

    def _forward(self, batch, **kwargs):
        return self._common(batch)

    def _common(self, batch):
        emb = self.encoder(batch[Columns.OBS])
        return {
            Columns.ACTION_DIST_INPUTS: self.pi(emb),
            Columns.VF_PREDS: self.vf(emb).squeeze(-1),
        }

    def compute_values(self, batch, embeddings=None):
        return self._common(batch)[Columns.VF_PREDS]

    def get_non_inference_attributes(self):
        return [
            "vf",
        ]
