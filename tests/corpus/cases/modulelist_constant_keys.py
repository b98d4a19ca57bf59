# class: HeadsByIndex
# non_inference: heads.1, critics
# findings: INF201@"def get_non_inference_attributes"
"""`heads[0]` is the policy, `heads[1]` the value; a list of critics is not listed at all."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class HeadsByIndex(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        self.body = nn.Linear(self.observation_space.shape[0], 8)
        self.heads = nn.ModuleList([nn.Linear(8, self.action_space.n), nn.Linear(8, 1)])
        self.critics = nn.ModuleList([nn.Linear(8, 1) for _ in range(2)])

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.heads[0](self.body(batch[Columns.OBS]))}

    def _forward_train(self, batch, **kwargs):
        h = self.body(batch[Columns.OBS])
        out = {Columns.ACTION_DIST_INPUTS: self.heads[0](h), Columns.VF_PREDS: self.heads[1](h)}
        for i, critic in enumerate(self.critics):
            out[f"q{i}"] = critic(h)
        return out

    def get_non_inference_attributes(self):
        return []
