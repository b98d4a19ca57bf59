# class: Middle
# non_inference: vf
# findings: INF101@"class Middle"
"""Three levels: what a parent's inference never reads, a child's may, and the other way round."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Root(TorchRLModule):
    def setup(self):
        self.encoder = nn.Linear(self.observation_space.shape[0], 8)

    def _features(self, batch):
        return self.encoder(batch[Columns.OBS])

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self._features(batch))}


class Middle(Root):
    def setup(self):
        super().setup()
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)

    def compute_values(self, batch, embeddings=None):
        return self.vf(self._features(batch)).squeeze(-1)


# class: OverridesFeatures
# non_inference: encoder, vf
# findings: INF101@"class OverridesFeatures"
class OverridesFeatures(Middle):
    def setup(self):
        super().setup()
        self.cnn = nn.Sequential(nn.Linear(self.observation_space.shape[0], 8), nn.ReLU())

    def _features(self, batch):
        return self.cnn(batch[Columns.OBS])


# class: UsesTheValue
# non_inference:
# findings:
class UsesTheValue(Middle):
    def _forward_exploration(self, batch, **kwargs):
        out = super()._forward_exploration(batch, **kwargs)
        out[Columns.VF_PREDS] = self.compute_values(batch)
        return out
