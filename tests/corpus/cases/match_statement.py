# class: Matches
# non_inference: value
# configs: [{"arch": "mlp"}, {"arch": "wide"}, {"arch": "linear"}]
# findings: INF101@"class Matches"
"""`match` in the build and in inference."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Matches(TorchRLModule):
    def setup(self):
        size, n = self.observation_space.shape[0], self.action_space.n
        match self.model_config.get("arch", "mlp"):
            case "mlp":
                self.body = nn.Sequential(nn.Linear(size, 8), nn.Tanh())
                self.value = nn.Linear(8, 1)
            case "wide":
                self.body = nn.Linear(size, 8)
                self.wide = nn.Linear(size, 8)
                self.value = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 1))
            case other:
                self.body = nn.Linear(size, 8, bias=other == "linear")
                self.value = nn.Linear(8, 1)
        self.pi = nn.Linear(8, n)

    def _forward(self, batch, **kwargs):
        obs = batch[Columns.OBS]
        match self.model_config:
            case {"arch": "wide"}:
                h = self.body(obs) + self.wide(obs)
            case _:
                h = self.body(obs)
        return {Columns.ACTION_DIST_INPUTS: self.pi(h)}

    def compute_values(self, batch, embeddings=None):
        return self.value(self.body(batch[Columns.OBS])).squeeze(-1)
