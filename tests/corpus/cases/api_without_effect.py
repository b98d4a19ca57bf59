# class: SharedEncoderMulti
# non_inference:
# acceptable-uncertain: encoder
# runtime: skip
# findings: INF105@"class SharedEncoderMulti", ?INF202
# note: only TorchRLModule strips and filters; a MultiRLModule has no such list.
"""`InferenceOnlyAPI` where nothing applies it."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModule
from ray.rllib.core.rl_module.rl_module import RLModule
from torch import nn


class SharedEncoderMulti(MultiRLModule, InferenceOnlyAPI):
    def setup(self):
        super().setup()
        self.encoder = nn.Linear(6, 8)

    def get_non_inference_attributes(self):
        return ["encoder"]


# class: NotTorch
# non_inference:
# acceptable-uncertain: vf, pi
# runtime: skip
# findings: INF105@"class NotTorch"
class NotTorch(RLModule, InferenceOnlyAPI):
    framework = "jax"

    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 1)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}

    def get_non_inference_attributes(self):
        return ["vf"]
