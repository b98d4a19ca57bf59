"""Row t (where the base stands), modules that nothing strips, and files that do not parse."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .expect import FAMILIES, write

if TYPE_CHECKING:
    from conftest import Inflint

HEAD = '''
import abc
from abc import ABC, ABCMeta
from typing import Generic, TypeVar

from torch import nn

from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModule
from ray.rllib.core.rl_module.rl_module import RLModule
from ray.rllib.core.rl_module.torch import TorchRLModule

T = TypeVar("T")


class NamesMixin:
    def get_non_inference_attributes(self):
        return ["vf"]


class Base(TorchRLModule):
    """Builds; it has no forward of its own."""

    def setup(self):
        size = self.observation_space.shape[0]
        self.pi = nn.Linear(size, self.action_space.n)
        self.vf = nn.Linear(size, 1)
'''

FORWARDS = """
    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}

    def compute_values(self, batch, embeddings=None):
        return self.vf(batch[Columns.OBS]).squeeze(-1)
"""

LIST = """
    def get_non_inference_attributes(self):
        return ["vf"]
"""

#: Bases that Python and RLlib accept; the list is in force.
ACCEPTED = [
    "Base, InferenceOnlyAPI",
    "InferenceOnlyAPI, Base",
    "Base, InferenceOnlyAPI, ABC",
    "Base, InferenceOnlyAPI, abc.ABC",
    "Base, InferenceOnlyAPI, object",
    "Base, ValueFunctionAPI, InferenceOnlyAPI",
    "Base, Generic[T], InferenceOnlyAPI",
    "Base, InferenceOnlyAPI, Generic[T]",
    "Base, InferenceOnlyAPI, metaclass=ABCMeta",
]

#: Bases for which Python has no MRO: the class statement itself fails.
IMPOSSIBLE = [
    "Base, ABC, InferenceOnlyAPI",
    "Base, object, InferenceOnlyAPI",
    "InferenceOnlyAPI, DefaultPPOTorchRLModule",
    "Base, InferenceOnlyAPI, InferenceOnlyAPI",
    "Missing, InferenceOnlyAPI",
    "*BASES",
    "Module, Base",
]

PLAIN = """
class Heuristic(RLModule, InferenceOnlyAPI):
    def setup(self):
        self.table = {}
        self.vf = nn.Linear(4, 1)

    def get_non_inference_attributes(self):
        return ["vf"]

    def _forward(self, batch, **kwargs):
        return {Columns.ACTIONS: [self.table.get(o, 0) for o in batch[Columns.OBS]]}
"""

MULTI = """
class Team(MultiRLModule, InferenceOnlyAPI):
    def setup(self):
        super().setup()
        self.mixer = nn.Linear(4, 1)

    def get_non_inference_attributes(self):
        return ["mixer"]
"""


def module(bases: str, *, listed: bool = True) -> str:
    """A module with these bases."""
    return f"{HEAD}\n\nclass Module({bases}):{LIST if listed else ''}{FORWARDS}"


def judged(findings: list[dict[str, Any]]) -> set[tuple[str, str]]:
    """Code and severity, of the families of these tests."""
    return {(f["code"], f["severity"]) for f in findings if f["code"].startswith(FAMILIES)}


def check(inflint: Inflint, folder: Path, source: str) -> list[dict[str, Any]]:
    write(folder, {"module.py": textwrap.dedent(source).lstrip()})
    return inflint.check(folder)


@pytest.mark.parametrize("bases", ACCEPTED)
def test_accepted_bases_are_understood(inflint: Inflint, tmp_path: Path, bases: str) -> None:
    assert judged(check(inflint, tmp_path, module(bases))) == set()


@pytest.mark.parametrize("bases", ACCEPTED)
def test_accepted_bases_without_the_method(inflint: Inflint, tmp_path: Path, bases: str) -> None:
    found = judged(check(inflint, tmp_path, module(bases, listed=False)))
    # A class that says ABC is meant to be derived from: its children may bring the method.
    assert found == (set() if "ABC" in bases.replace("ABCMeta", "") else {("INF103", "error")})


def test_base_that_the_parent_brings_already(inflint: Inflint, tmp_path: Path) -> None:
    source = f"{HEAD}\n\nclass Module(DefaultPPOTorchRLModule, InferenceOnlyAPI):\n    pass\n"
    assert judged(check(inflint, tmp_path, source)) == set()


@pytest.mark.parametrize("bases", IMPOSSIBLE)
def test_impossible_bases_are_no_crash(inflint: Inflint, tmp_path: Path, bases: str) -> None:
    check(inflint, tmp_path, module(bases))
    inflint.inspect(tmp_path)


def test_mixin_before_the_api_brings_the_method(inflint: Inflint, tmp_path: Path) -> None:
    source = module("NamesMixin, Base, InferenceOnlyAPI", listed=False)
    assert judged(check(inflint, tmp_path, source)) == set()


def test_mixin_after_the_api_leaves_the_class_abstract(inflint: Inflint, tmp_path: Path) -> None:
    source = module("Base, InferenceOnlyAPI, NamesMixin", listed=False)
    assert judged(check(inflint, tmp_path, source)) == {("INF103", "error")}


@pytest.mark.parametrize("source", [PLAIN, MULTI], ids=["RLModule", "MultiRLModule"])
def test_api_without_effect(inflint: Inflint, tmp_path: Path, source: str) -> None:
    assert judged(check(inflint, tmp_path, f"{HEAD}\n{source}")) == {("INF105", "warning")}


def test_bases_in_a_circle_are_no_crash(inflint: Inflint, tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "pack/__init__.py": "",
            "pack/one.py": "from .two import Two\n\n\nclass One(Two):\n    pass\n",
            "pack/two.py": "from .one import One\n\n\nclass Two(One):\n    pass\n",
        },
    )
    inflint.check(tmp_path)


BROKEN = {
    "syntax": b"from ray.rllib.core.rl_module.torch import TorchRLModule\n"
    b"class X(TorchRLModule:\n    pass\n",
    "encoding": b"from ray.rllib.core.rl_module.torch import TorchRLModule\n"
    b'class X(TorchRLModule):\n    """\xff\xfe"""\n',
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_unreadable_file_is_one_finding(inflint: Inflint, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a_broken.py").write_bytes(content)
    write(tmp_path, {"b_fine.py": module("Base, ValueFunctionAPI", listed=False).lstrip()})
    found = inflint.check(tmp_path)
    assert sorted((f["code"], f["severity"], Path(f["path"]).name) for f in found) == [
        ("INF101", "warning", "b_fine.py"),
        ("INF900", "error", "a_broken.py"),
    ]
