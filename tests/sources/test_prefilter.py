"""The prefilter leaves out no class, whatever name or file its base comes by."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inflint.model.environment import find_environment
from inflint.model.profile import load_profile
from inflint.model.statements import Machine
from inflint.model.universe import Universe
from inflint.sources.discover import discover
from inflint.sources.prefilter import Prefilter

if TYPE_CHECKING:
    from collections.abc import Mapping

PROFILE = load_profile()
INERT = {*sys.stdlib_module_names, *(n for n in PROFILE.opaque if "." not in n)}
TORCH = "from ray.rllib.core.rl_module.torch import TorchRLModule"


def chosen(files: Mapping[Path, bytes]) -> dict[Path, frozenset[str]]:
    universe = Universe(PROFILE, find_environment(None, Path.cwd()))
    names = [*PROFILE.module_roots, *PROFILE.api_names]
    return Prefilter(files, names, INERT, universe.locate, universe.is_recorded).candidates()


def test_no_module_of_rllib_is_left_out() -> None:
    spec = importlib.util.find_spec("ray")
    assert spec is not None
    assert spec.origin is not None
    top = Path(spec.origin).parent / "rllib"
    files = {path: path.read_bytes() for path in discover([top])}
    found = chosen(files)
    universe = Universe(PROFILE, find_environment(None, Path.cwd()))
    machine = Machine(universe, inference_only=False)
    modules = 0
    for path, data in files.items():
        file = universe.load(path, data)
        assert file is not None
        for chain in file.header.walk():
            if chain[-1].kind == "class" and chain[-1].bases:
                cls = machine.class_at(file, chain)
                if cls.is_module():
                    modules += 1
                    assert cls.name in found.get(path, ()), f"{path}: {cls.name}"
    assert modules >= 44
    assert len(found) < len(files) / 10


CASES: dict[str, dict[str, str]] = {
    "import alias": {"a.py": f"{TORCH} as Base\nclass M(Base): pass\n"},
    "module alias": {
        "a.py": "import ray.rllib.core.rl_module.torch as t\nclass M(t.TorchRLModule): pass\n"
    },
    "assigned alias": {"a.py": f"{TORCH}\nBase = TorchRLModule\nclass M(Base): pass\n"},
    "two files": {
        "base.py": f"{TORCH}\nclass Base(TorchRLModule): pass\n",
        "a.py": "from base import Base\nclass M(Base): pass\n",
    },
    "renamed on the way": {
        "base.py": f"{TORCH} as Nothing\nclass Plain(Nothing): pass\n",
        "mid.py": "from base import Plain as Other\n",
        "a.py": "import mid\nclass M(mid.Other): pass\n",
    },
    "derived class of RLlib": {
        "a.py": (
            "from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import (\n"
            "    DefaultPPOTorchRLModule as P,\n)\nclass M(P): pass\n"
        )
    },
    "header over lines": {"a.py": f"{TORCH}\nclass M(\n    Mixin,\n    TorchRLModule,\n): pass\n"},
    "type parameters": {"a.py": f"{TORCH}\nclass M[T](TorchRLModule): pass\n"},
    "in a function": {"a.py": f"def f():\n    {TORCH}\n    class M(TorchRLModule): pass\n"},
    "carriage returns": {"a.py": f"{TORCH}\r\nclass M(TorchRLModule):\r\n    pass\r\n"},
}


@pytest.mark.parametrize("case", CASES)
def test_names_and_files(tmp_path: Path, case: str) -> None:
    for name, text in CASES[case].items():
        (tmp_path / name).write_bytes(text.encode())
    files = {p: p.read_bytes() for p in tmp_path.iterdir()}
    assert "M" in chosen(files).get(tmp_path / "a.py", ())


def test_base_in_an_unchanged_file(tmp_path: Path) -> None:
    """As a pre-commit hook sees it: only the changed file is in the set."""
    (tmp_path / "base.py").write_text(f"{TORCH}\nclass Base(TorchRLModule): pass\n")
    (tmp_path / "a.py").write_text("from base import Base\nclass M(Base): pass\n")
    path = tmp_path / "a.py"
    assert chosen({path: path.read_bytes()}) == {path: frozenset({"M"})}


def test_unrelated_files_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("import enum\n\n# works as RLModule\nclass E(enum.Enum): pass\nclass F: pass\n")
    assert chosen({path: path.read_bytes()}) == {}
