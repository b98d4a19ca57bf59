# class: Targets
# non_inference: _qf, _target_encoder, _target_qf
# findings: INF201@"def get_non_inference_attributes"
"""`make_target_networks`: RLlib's factory, a deepcopy, and an incomplete list."""

import copy

from ray.rllib.core.columns import Columns
from ray.rllib.core.learner.utils import make_target_network
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, TargetNetworkAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Targets(TorchRLModule, TargetNetworkAPI, InferenceOnlyAPI):
    def setup(self):
        size = self.observation_space.shape[0]
        self._encoder = nn.Linear(size, 8)
        self._qf = nn.Linear(8, self.action_space.n)
        self._pi = nn.Linear(8, self.action_space.n)

    def make_target_networks(self):
        self._target_encoder = make_target_network(self._encoder)
        self._target_qf = copy.deepcopy(self._qf)

    def get_target_network_pairs(self):
        return [(self._encoder, self._target_encoder), (self._qf, self._target_qf)]

    def forward_target(self, batch, **kwargs):
        return {"qf": self._target_qf(self._target_encoder(batch[Columns.OBS]))}

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self._pi(self._encoder(batch[Columns.OBS]))}

    def _forward_train(self, batch, **kwargs):
        h = self._encoder(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: self._pi(h), "qf": self._qf(h)}

    def get_non_inference_attributes(self):
        return ["_qf", "_target_qf"]
