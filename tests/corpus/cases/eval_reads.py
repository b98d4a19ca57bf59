# class: OverridesTrain
# non_inference: vf
# acceptable-uncertain: frozen.0
# findings: INF202@"\"frozen\""
# note: since 2.55 the forwards call eval(), which is train(False), which reads `frozen`.
"""`train()` is overridden to keep a frozen encoder in eval mode."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class OverridesTrain(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        size = self.observation_space.shape[0]
        self.pi = nn.Linear(size, self.action_space.n)
        self.frozen = nn.Sequential(nn.Linear(size, 8), nn.Dropout(0.1)).requires_grad_(False)
        self.vf = nn.Linear(8, 1)

    def train(self, mode=True):
        super().train(mode)
        self.frozen.eval()
        return self

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}

    def compute_values(self, batch, embeddings=None):
        return self.vf(self.frozen(batch[Columns.OBS])).squeeze(-1)

    def get_non_inference_attributes(self):
        return ["vf", "frozen"]
