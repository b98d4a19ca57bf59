import torch
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI



# class: M
# non_inference:
# acceptable-uncertain: vf
# findings:
# ignore-outputs: v
class M(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 3)
        self.with_value = not self.inference_only

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        out = {Columns.ACTION_DIST_INPUTS: self.pi(x)}
        if self.with_value:
            out['v'] = self.vf(x)
        return out

    def get_non_inference_attributes(self):
        return ['vf']
