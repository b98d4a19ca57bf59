# class: SumsParameters
# non_inference:
# findings:
"""Inference walks over all parameters or modules of `self`, or asks for a device only."""

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class _Nets(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.pi = nn.Linear(size, self.action_space.n)
        self.vf = nn.Linear(size, 1)

    def compute_values(self, batch, embeddings=None):
        return self.vf(batch[Columns.OBS]).squeeze(-1)


class SumsParameters(_Nets):
    def _forward(self, batch, **kwargs):
        norm = sum(p.pow(2).sum() for p in self.parameters())
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS]) / norm}


# class: WalksModules
# non_inference:
# findings:
class WalksModules(_Nets):
    def _forward(self, batch, **kwargs):
        logits = 0.0
        for module in self.modules():
            if isinstance(module, nn.Linear):
                logits = logits + module(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: logits}


# class: WalksChildren
# non_inference:
# findings:
class WalksChildren(_Nets):
    def _forward(self, batch, **kwargs):
        outs = [net(batch[Columns.OBS]) for _, net in self.named_children()]
        return {Columns.ACTION_DIST_INPUTS: sum(outs)}


# class: AsksForTheDevice
# non_inference: vf
# findings: INF101@"class AsksForTheDevice"
# note: any parameter that is left answers for the device: the idiom needs no particular one.
class AsksForTheDevice(_Nets):
    def _forward(self, batch, **kwargs):
        device = next(self.parameters()).device
        obs = torch.as_tensor(batch[Columns.OBS], device=device)
        return {Columns.ACTION_DIST_INPUTS: self.pi(obs.to(next(self.pi.parameters()).dtype))}
