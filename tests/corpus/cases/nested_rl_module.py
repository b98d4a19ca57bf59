# class: Outer
# non_inference: mixer_vf
# acceptable-uncertain: inner.vf
# findings: INF101@"class Outer"
# note: an owned RLModule: following forward_inference() into it is more than need be.
"""An RLModule that owns another one."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Inner(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.pi = nn.Linear(size, self.action_space.n)
        self.vf = nn.Linear(size, 1)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}

    def compute_values(self, batch, embeddings=None):
        return self.vf(batch[Columns.OBS]).squeeze(-1)


class Outer(TorchRLModule):
    def setup(self):
        self.inner = Inner(
            observation_space=self.observation_space,
            action_space=self.action_space,
            inference_only=self.inference_only,
            model_config=self.model_config,
        )
        self.mixer = nn.Linear(self.action_space.n, self.action_space.n)
        self.mixer_vf = nn.Linear(1, 1)

    def _forward(self, batch, **kwargs):
        out = self.inner.forward_inference(batch)
        out[Columns.ACTION_DIST_INPUTS] = self.mixer(out[Columns.ACTION_DIST_INPUTS])
        return out

    def compute_values(self, batch, embeddings=None):
        return self.mixer_vf(self.inner.compute_values(batch).unsqueeze(-1)).squeeze(-1)
