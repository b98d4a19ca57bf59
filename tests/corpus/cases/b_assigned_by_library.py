import torch
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI



# class: M
# non_inference: pi
# findings: ?INF201 ?INF202
class M(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        self.pi = nn.Linear(6,3)
        nn.utils.parametrizations.weight_norm(self.pi)

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        return {Columns.ACTION_DIST_INPUTS: x}

    def get_non_inference_attributes(self):
        return ['pi.parametrizations']
