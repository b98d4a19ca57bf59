# class: Diamond
# non_inference: vf
# findings: ?INF101@"class Diamond"
# note: Left's super()._features() is Right's here, so right_net is needed.
"""A diamond: `super()` in one branch leads into the sibling."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Base(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.body = nn.Linear(size, 8)
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)

    def _features(self, obs):
        return self.body(obs)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self._features(batch[Columns.OBS]))}

    def compute_values(self, batch, embeddings=None):
        return self.vf(self._features(batch[Columns.OBS])).squeeze(-1)


class Left(Base):
    def setup(self):
        super().setup()
        self.left_net = nn.Linear(8, 8)

    def _features(self, obs):
        return self.left_net(super()._features(obs))


class Right(Base):
    def setup(self):
        super().setup()
        self.right_net = nn.Linear(8, 8)

    def _features(self, obs):
        return self.right_net(Base._features(self, obs))


class Diamond(Left, Right):
    pass


# class: SkipsRight
# non_inference: vf, right_net
# findings: INF101@"class SkipsRight"
class SkipsRight(Left, Right):
    def _features(self, obs):
        return self.left_net(Base._features(self, obs))
