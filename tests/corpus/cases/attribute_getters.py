"""Parts that are reached by ``operator.attrgetter``, and through ``__dict__``."""

import operator

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


# class: Getters
# non_inference: enc.val, vf
class Getters(TorchRLModule):
    def setup(self):
        self.enc = nn.ModuleDict({"pol": nn.Linear(6, 6), "val": nn.Linear(6, 6)})
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 1)

    def _forward(self, batch, **kwargs):
        x = operator.attrgetter("enc.pol")(self)(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: operator.attrgetter("pi")(self)(x)}


# class: ThroughTheDict
# non_inference: vf
class ThroughTheDict(TorchRLModule):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 1)

    def _forward(self, batch, **kwargs):
        pi = self.__dict__["_modules"]["pi"]
        return {Columns.ACTION_DIST_INPUTS: pi(batch[Columns.OBS])}


# class: AnyGetter
# non_inference:
class AnyGetter(TorchRLModule):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 3)

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        get = operator.attrgetter("pi", "vf")
        return {Columns.ACTION_DIST_INPUTS: sum(net(x) for net in get(self))}
