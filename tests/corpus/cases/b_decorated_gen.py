import torch
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI

def as_list(f):
    def g(self):
        return list(f(self))
    return g

# class: M
# non_inference: vf
# findings:
class M(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 3)

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        return {Columns.ACTION_DIST_INPUTS: self.pi(x)}

    @as_list
    def get_non_inference_attributes(self):
        yield 'vf'
