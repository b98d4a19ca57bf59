# class: Properties
# non_inference: _vf, _vf_body
# findings: INF101@"class Properties"
"""Properties and cached properties stand between the forwards and the attributes."""

from functools import cached_property

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Properties(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self._nets = nn.ModuleList([nn.Linear(size, 8), nn.Linear(8, 8)])
        self._pi = nn.Linear(8, self.action_space.n)
        self._vf_body = nn.Linear(8, 8)
        self._vf = nn.Linear(8, 1)

    @property
    def pi(self):
        return self._pi

    @cached_property
    def body(self):
        return lambda x: self._nets[1](self._nets[0](x))

    @cached_property
    def values(self):
        return nn.Sequential(self._vf_body, self._vf)

    @property
    def logits_and_values(self):
        return self.pi, self.values

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.body(batch[Columns.OBS]))}

    def _forward_train(self, batch, **kwargs):
        logits, values = self.logits_and_values
        h = self.body(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: logits(h), Columns.VF_PREDS: values(h).squeeze(-1)}
