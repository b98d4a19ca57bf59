"""Code that asks whether an attribute is there goes another way once it is removed."""

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


# class: AsksForWhatIsNotListed
# non_inference: aux
# findings: INF101
class AsksForWhatIsNotListed(TorchRLModule):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 6)
        self.aux = nn.Linear(6, 6)

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        if not hasattr(self, "vf"):
            x = x * 2.0
        return {Columns.ACTION_DIST_INPUTS: self.pi(x)}


# class: AsksTheRegistry
# non_inference:
# findings:
class AsksTheRegistry(TorchRLModule):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 6)

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        if "vf" in self._modules:
            return {Columns.ACTION_DIST_INPUTS: self.pi(x)}
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.vf(x))}


# class: ListsWhatItLacksThen
# non_inference:
# findings: INF202@"return [\"vf\"]"
class ListsWhatItLacksThen(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 6)

    def get_non_inference_attributes(self):
        return ["vf"]

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        if not hasattr(self, "vf"):
            x = self.vf(x)
        return {Columns.ACTION_DIST_INPUTS: self.pi(x)}


# class: ListsTheOwnerOfAGuardedPart
# non_inference:
# findings: INF202@"return [\"enc\"]"
class ListsTheOwnerOfAGuardedPart(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        self.enc = nn.ModuleDict({"pol": nn.Linear(6, 6), "val": nn.Linear(6, 6)})
        self.pi = nn.Linear(6, 3)

    def get_non_inference_attributes(self):
        return ["enc"]

    def _forward_inference(self, batch, **kwargs):
        x = self.enc["pol"](batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: self.pi(x)}

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        if getattr(self, "enc", None) is not None:
            x = self.enc["val"](x)
        return {Columns.ACTION_DIST_INPUTS: self.pi(x)}


# class: ListsInBothModes
# non_inference:
# findings: ?INF202@"return [\"vf\"]  # on EnvRunners", INF202@"return [\"vf\"]  # on Learners"
class ListsInBothModes(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 6)

    def get_non_inference_attributes(self):
        if self.inference_only:
            return ["vf"]  # on EnvRunners
        return ["vf"]  # on Learners

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.vf(batch[Columns.OBS]))}


# class: AsksForAParameter
# non_inference: aux
class AsksForAParameter(TorchRLModule):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.scale = nn.Parameter(torch.ones(6))
        self.vf = nn.Linear(6, 6)
        self.aux = nn.Linear(6, 6)

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        if "scale" not in self._modules:
            x = self.vf(x)
        return {Columns.ACTION_DIST_INPUTS: self.pi(x * self.scale)}
