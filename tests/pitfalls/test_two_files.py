"""Classes whose parts stand in several files, as projects have them."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from .expect import Case, Expect, assert_outcome, error, warning, write

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Inflint


@dataclass(frozen=True)
class Project:
    """A few files and what they must give, all in all."""

    id: str
    files: dict[str, str]
    expected: tuple[Expect, ...] = ()
    tolerated: tuple[Expect, ...] = ()


NETS = """
from torch import nn


def mlp(sizes, activation=nn.ReLU):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), activation()]
    return nn.Sequential(*layers[:-1])


class TwoStreams(nn.Module):
    def __init__(self, n_in: int, n_out: int) -> None:
        super().__init__()
        self.pol = mlp([n_in, 16, n_out])
        self.val = mlp([n_in, 16, 1])

    def forward(self, x):
        return self.pol(x), self.val(x)

    def act(self, x):
        return self.pol(x)
"""

PPO_BASE = """
from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import (
    DefaultPPOTorchRLModule as PPOModule,
)
from ray.rllib.core.columns import Columns


class SeparateActor(PPOModule):
    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.actor(batch[Columns.OBS])}

    def _forward_train(self, batch, **kwargs):
        return self._forward(batch, **kwargs)

    def compute_values(self, batch, embeddings=None):
        return self.vf(self.encoder(batch[Columns.OBS])).squeeze(-1)
"""

PPO_CHILD = """
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.utils.annotations import override

from ..base import SeparateActor
from ..nets import mlp


class CriticEncoder(SeparateActor):
    @override(SeparateActor)
    def setup(self):
        n = self.observation_space.shape[0]
        self.actor = mlp([n, 16, self.action_space.n])
        self.encoder = mlp([n, 16])
        self.vf = mlp([16, 1])

    @override(InferenceOnlyAPI)
    def get_non_inference_attributes(self):
        return ["encoder", "vf"]
"""

VALUE_MIXIN = '''
"""Value estimates for modules that have `critic` and `features()`."""
from ray.rllib.core.rl_module.apis import ValueFunctionAPI


class ValueMixin(ValueFunctionAPI):
    def compute_values(self, batch, embeddings=None):
        z = self.features(batch) if embeddings is None else embeddings
        return self.critic(z).squeeze(-1)

    def with_values(self, batch, outputs):
        outputs["vf_preds"] = self.compute_values(batch)
        return outputs
'''

MIXED = """
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule

import agents.nets as nets
from agents.mixins import ValueMixin


class Mixed(ValueMixin, TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        n = self.observation_space.shape[0]
        self.body = nets.mlp([n, 16])
        self.actor = nets.mlp([16, self.action_space.n])
        self.critic = nets.mlp([16, 1])

    def features(self, batch):
        return self.body(batch[Columns.OBS])

    def get_non_inference_attributes(self):
        return ["critic"]

    def _forward_inference(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.actor(self.features(batch))}

    def _forward_exploration(self, batch, **kwargs):
        outs = self._forward_inference(batch, **kwargs)
        return EXPLORED
"""

STREAMS = """
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule

from . import nets


class Streams(TorchRLModule, ValueFunctionAPI):
    def setup(self):
        self.streams = nets.TwoStreams(self.observation_space.shape[0], self.action_space.n)
        self.baseline = nets.mlp([self.observation_space.shape[0], 8, 1])

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.streams.act(batch[Columns.OBS])}

    def compute_values(self, batch, embeddings=None):
        _, values = self.streams(batch[Columns.OBS])
        return (values - self.baseline(batch[Columns.OBS])).squeeze(-1)
"""

SHARED_CONSTANT = """
LEARNER_ONLY = ["critic"]
"""

USES_CONSTANT = """
import torch.nn as nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule

from .constants import LEARNER_ONLY


class Constants(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        n = self.observation_space.shape[0]
        self.actor, self.critic = nn.Linear(n, self.action_space.n), nn.Linear(n, 1)

    def get_non_inference_attributes(self):
        return BODY

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.actor(batch[Columns.OBS])}
"""

PROJECTS = [
    Project(
        "inherited get_initial_state reads the encoder, three files",
        {
            "agents/__init__.py": "",
            "agents/nets.py": NETS,
            "agents/base.py": PPO_BASE,
            "agents/ppo/__init__.py": "from .module import CriticEncoder\n",
            "agents/ppo/module.py": PPO_CHILD,
        },
        (error("INF202", "encoder"),),
        # The class between would build PPO's `pi` and not use it.
        tolerated=(warning("INF201", "pi"),),
    ),
    Project(
        "mixin computes the value on the inference path",
        {
            "src/agents/__init__.py": "",
            "src/agents/nets.py": NETS,
            "src/agents/mixins.py": VALUE_MIXIN,
            "src/agents/mixed.py": MIXED.replace("EXPLORED", "self.with_values(batch, outs)"),
        },
        (error("INF202", "critic"),),
    ),
    Project(
        "mixin computes the value for the learner only",
        {
            "src/agents/__init__.py": "",
            "src/agents/nets.py": NETS,
            "src/agents/mixins.py": VALUE_MIXIN,
            "src/agents/mixed.py": MIXED.replace("EXPLORED", "outs"),
        },
    ),
    Project(
        "same, in a namespace package",
        {
            "agents/nets.py": NETS,
            "agents/mixins.py": VALUE_MIXIN,
            "agents/mixed.py": MIXED.replace("EXPLORED", "self.with_values(batch, outs)"),
        },
        (error("INF202", "critic"),),
    ),
    Project(
        "list is a constant of another file",
        {
            "pack/__init__.py": "",
            "pack/constants.py": SHARED_CONSTANT,
            "pack/module.py": USES_CONSTANT.replace("BODY", "list(LEARNER_ONLY)"),
        },
    ),
    Project(
        "list is an empty constant of another file",
        {
            "pack/__init__.py": "",
            "pack/constants.py": "LEARNER_ONLY: list[str] = []\n",
            "pack/module.py": USES_CONSTANT.replace("BODY", "list(LEARNER_ONLY)"),
        },
        (warning("INF201", "critic"),),
    ),
]


@pytest.mark.parametrize("project", PROJECTS, ids=lambda p: p.id)
def test_project(inflint: Inflint, tmp_path: Path, project: Project) -> None:
    write(tmp_path, {name: textwrap.dedent(t).lstrip() for name, t in project.files.items()})
    case = Case(project.id, "", project.expected, project.tolerated)
    assert_outcome(case, inflint.check(tmp_path))


def test_nested_parts_of_a_class_in_another_file(inflint: Inflint, tmp_path: Path) -> None:
    write(
        tmp_path,
        {"pack/__init__.py": "", "pack/nets.py": NETS, "pack/streams.py": STREAMS.lstrip()},
    )
    (row,) = [c for c in inflint.inspect(tmp_path) if c["qualname"] == "Streams"]
    assert set(row["non_inference"]) == {"baseline", "streams.val"}
    assert row["declared"] is None
    assert not row["implements_api"]


def test_only_the_file_in_question_is_reported(inflint: Inflint, tmp_path: Path) -> None:
    files = {"pack/__init__.py": "", "pack/nets.py": NETS, "pack/streams.py": STREAMS.lstrip()}
    write(tmp_path, files)
    found = inflint.check(tmp_path / "pack" / "nets.py")
    assert found == []
