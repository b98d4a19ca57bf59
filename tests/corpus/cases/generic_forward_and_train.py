# class: SharedTrunk
# non_inference: vf
# findings:
"""`_forward` and `_forward_train`, a shared trunk, and a right list."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class SharedTrunk(TorchRLModule, ValueFunctionAPI, InferenceOnlyAPI):
    def setup(self):
        self.trunk = nn.Sequential(nn.Linear(self.observation_space.shape[0], 8), nn.ReLU())
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)

    def _forward(self, batch, **kwargs):
        emb = self.trunk(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: self.pi(emb)}

    def _forward_train(self, batch, **kwargs):
        emb = self.trunk(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: self.pi(emb), Columns.EMBEDDINGS: emb}

    def compute_values(self, batch, embeddings=None):
        if embeddings is None:
            embeddings = self.trunk(batch[Columns.OBS])
        return self.vf(embeddings).squeeze(-1)

    def get_non_inference_attributes(self):
        return ["vf"]
