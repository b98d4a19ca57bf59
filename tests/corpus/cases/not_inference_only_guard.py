# class: GuardedValue
# non_inference: vf_encoder, vf
# findings: INF101@"class GuardedValue"
# note: built and read only `if not self.inference_only`; the keys are still sent at each sync.
"""Guards on `inference_only` around the build and the reads, and no API."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class GuardedValue(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.pi = nn.Sequential(nn.Linear(size, 8), nn.ReLU(), nn.Linear(8, self.action_space.n))
        if not self.inference_only:
            self.vf_encoder = nn.Linear(size, 8)
            self.vf = nn.Linear(8, 1)

    def _forward(self, batch, **kwargs):
        out = {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}
        if not self.inference_only and self.framework == "torch":
            out[Columns.VF_PREDS] = self.compute_values(batch)
        return out

    def compute_values(self, batch, embeddings=None):
        return self.vf(self.vf_encoder(batch[Columns.OBS])).squeeze(-1)


# class: GuardedBothWays
# non_inference: critic, big_pi
# findings: INF101@"class GuardedBothWays"
class GuardedBothWays(GuardedValue):
    def setup(self):
        size = self.observation_space.shape[0]
        if self.inference_only:
            self.critic = None
        else:
            self.critic = nn.Linear(size, 1)
            self.big_pi = nn.Linear(size, 3)
        self.pi = nn.Linear(size, 3)

    def _forward(self, batch, **kwargs):
        pi = self.pi if self.inference_only else self.big_pi
        values = None if self.inference_only else self.critic(batch[Columns.OBS])
        out = {Columns.ACTION_DIST_INPUTS: pi(batch[Columns.OBS])}
        return out if values is None else {**out, Columns.VF_PREDS: values}
