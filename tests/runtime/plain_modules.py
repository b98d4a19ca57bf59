"""The modules of Ray's pull request 47572, as plain torch modules without Ray."""

from __future__ import annotations

import copy
from typing import Any

import torch
from torch import nn

from inflint.runtime.contract import InferenceOnlyAPI


class Ppo(nn.Module, InferenceOnlyAPI):
    """An encoder with a policy and a value part, and one head for each."""

    def __init__(self) -> None:
        super().__init__()
        self._encoder = nn.ModuleDict({"pol": nn.Linear(4, 8), "vf": nn.Linear(4, 8)})
        self.pi = nn.Linear(8, 2)
        self.value = nn.Linear(8, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.pi(torch.tanh(self._encoder["pol"](x)))

    def compute_values(self, x: torch.Tensor) -> torch.Tensor:
        return self.value(torch.tanh(self._encoder["vf"](x)))

    def get_non_inference_attributes(self) -> list[str]:
        return ["_encoder.vf", "value"]


class Dqn(nn.Module, InferenceOnlyAPI):
    """A dueling network, whose value head is needed, and its target copy, which is not."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = nn.Linear(4, 8)
        self.af = nn.Linear(8, 2)
        self.vf = nn.Linear(8, 1)
        self._target_encoder = copy.deepcopy(self.encoder)
        self._target_af = copy.deepcopy(self.af)
        self._target_vf = copy.deepcopy(self.vf)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = torch.relu(self.encoder(x))
        advantage = self.af(h)
        return self.vf(h) + advantage - advantage.mean(-1, keepdim=True)

    def get_non_inference_attributes(self) -> list[str]:
        return ["_target_encoder", "_target_af", "_target_vf"]


class Sac(nn.Module, InferenceOnlyAPI):
    """A policy and twin critics with targets."""

    def __init__(self) -> None:
        super().__init__()
        self.pi_encoder = nn.Linear(3, 8)
        self.pi = nn.Linear(8, 2)
        self.qf = nn.Sequential(nn.Linear(3 + 1, 8), nn.ReLU(), nn.Linear(8, 1))
        self.qf_twin = nn.Sequential(nn.Linear(3 + 1, 8), nn.ReLU(), nn.Linear(8, 1))
        self.target_qf = copy.deepcopy(self.qf)
        self.target_qf_twin = copy.deepcopy(self.qf_twin)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.pi(torch.relu(self.pi_encoder(x)))

    def get_non_inference_attributes(self) -> list[str]:
        return ["qf", "qf_twin", "target_qf", "target_qf_twin"]


class Parts(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.pol = nn.Linear(4, 8)
        self.vf = nn.Linear(4, 8)


class Everything(nn.Module):
    """Whatever a path may lead through: nested parts, containers, aliases, tied weights."""

    def __init__(self) -> None:
        super().__init__()
        self._encoder = Parts()
        self.pi = nn.Linear(8, 2)
        self.vf = nn.Linear(8, 1)
        self.heads = nn.ModuleList([nn.Linear(8, 1), nn.Linear(8, 2), nn.Linear(8, 3)])
        self.nets = nn.ModuleDict({"pi": nn.Linear(8, 2), "critic": nn.Linear(8, 1)})
        self.stack = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8))
        self.scales = nn.ParameterList([torch.ones(2), torch.ones(2)])
        self.biases = nn.ParameterDict({"pi": torch.ones(2), "critic": torch.ones(1)})
        self.scale = nn.Parameter(torch.full((2,), 2.0))
        self.register_buffer("mean", torch.zeros(4))
        self.alias = self._encoder.vf
        self.tied = nn.Linear(4, 8)
        self.tied.weight = self._encoder.pol.weight
        self.plain = [nn.Linear(2, 2)]
        self.nothing = None
        self.level = 3

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = torch.tanh(self._encoder.pol(x - self.mean))
        return self.pi(h) * self.scale

    @property
    def policy(self) -> Any:
        return self.pi


OBSERVATIONS = torch.arange(12.0).reshape(3, 4) / 10
