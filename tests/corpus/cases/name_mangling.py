# class: PrivateNames
# non_inference: _PrivateNames__vf, _Base__critic
# findings: INF101@"class PrivateNames"
"""`self.__x` is `_Class__x` to everybody else, and another attribute in each class."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class _Base(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.__vf = nn.Linear(size, 8)
        self.__critic = nn.Linear(size, 1)

    def _features(self, obs):
        return self.__vf(obs)

    def _evaluate(self, obs):
        return self.__critic(obs)


class PrivateNames(_Base):
    def setup(self):
        super().setup()
        self.__pi = nn.Linear(8, self.action_space.n)
        self.__vf = nn.Linear(8, 1)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.__pi(self._features(batch[Columns.OBS]))}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        h = self._features(batch[Columns.OBS])
        out[Columns.VF_PREDS] = self.__vf(h) + self._evaluate(batch[Columns.OBS])
        return out
