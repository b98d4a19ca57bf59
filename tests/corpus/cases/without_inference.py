# class: CuriosityModel
# non_inference:
# acceptable-uncertain: feature_net, inverse_net
# runtime: skip
# findings:
# note: learner-only: its inference forward only raises. Its components need no list.
"""Modules that no inference call can run, abstract ones, and ones with nothing to strip."""

import abc

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class CuriosityModel(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.feature_net = nn.Linear(size, 8)
        self.inverse_net = nn.Linear(16, self.action_space.n)

    def _forward(self, batch, **kwargs):
        raise NotImplementedError("use it on the Learner, with learner_only=True")

    def _forward_train(self, batch, **kwargs):
        return {"phi": self.feature_net(batch[Columns.OBS]), "inverse": self.inverse_net}


# class: AbstractTrunk
# non_inference:
# acceptable-uncertain: trunk, vf
# runtime: skip
# findings:
class AbstractTrunk(TorchRLModule, abc.ABC):
    def setup(self):
        self.trunk = nn.Linear(self.observation_space.shape[0], 8)
        self.vf = nn.Linear(8, 1)

    @abc.abstractmethod
    def _forward(self, batch, **kwargs): ...


# class: PolicyOnly
# non_inference:
# findings:
class PolicyOnly(TorchRLModule):
    def setup(self):
        self._policy_net = nn.Sequential(
            nn.Linear(self.observation_space.shape[0], 8),
            nn.ReLU(),
            nn.Linear(8, self.action_space.n),
        )

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self._policy_net(batch[Columns.OBS])}
