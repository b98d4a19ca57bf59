"""The prefilter leaves out no class, whatever name or file its base comes by."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inflint.engine.candidates import find_candidates
from inflint.model.environment import find_environment
from inflint.model.profile import load_profile
from inflint.model.statements import Machine
from inflint.model.universe import Universe
from inflint.sources.discover import discover
from inflint.sources.disk import Disk

if TYPE_CHECKING:
    from collections.abc import Iterable

PROFILE = load_profile()
TORCH = "from ray.rllib.core.rl_module.torch import TorchRLModule"


def chosen(files: Iterable[Path]) -> dict[Path, frozenset[str]]:
    environment = find_environment(None, Path.cwd())
    return find_candidates(files, environment, Disk()).classes


@pytest.mark.parametrize(
    ("below", "share"), [("rllib", 10), pytest.param("", 25, marks=pytest.mark.ray)]
)
def test_no_module_of_ray_is_left_out(below: str, share: int) -> None:
    """Compared with all classes of all files."""
    spec = importlib.util.find_spec("ray")
    assert spec is not None
    assert spec.origin is not None
    top = Path(spec.origin).parent / below
    files = discover([top])
    found = chosen(files)
    universe = Universe(PROFILE, find_environment(None, Path.cwd()))
    machine = Machine(universe, inference_only=False)
    modules = 0
    for path in files:
        file = universe.load(path)
        if file is None:
            continue
        for chain in file.header.walk():
            if chain[-1].kind == "class" and chain[-1].bases:
                cls = machine.class_at(file, chain)
                if cls.is_module():
                    modules += 1
                    assert cls.name in found.get(path, ()), f"{path}: {cls.name}"
    assert modules >= 44
    assert len(found) < len(files) / share


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
    "import in a docstring": {
        "a.py": f'{TORCH}\ndef f():\n    """Use\n\n    from torch import TorchRLModule\n    """\n'
        "class M(TorchRLModule): pass\n"
    },
    "comment in the header": {
        "a.py": f"{TORCH}\nclass M(\n    Mixin,  # (1)\n    TorchRLModule): pass\n"
    },
    "calls in the header": {"a.py": f"{TORCH}\nclass M(make(g(1), x=[2]), TorchRLModule): pass\n"},
    "nested type parameters": {"a.py": f"{TORCH}\nclass M[T: list[int]](TorchRLModule): pass\n"},
    "generic base": {"a.py": f"{TORCH}\nclass M(Generic[T, U], TorchRLModule): pass\n"},
    "line continued": {"a.py": f"{TORCH}\nclass \\\n  M(TorchRLModule): pass\n"},
    "made by a call": {
        "a.py": f"{TORCH}\ndef mix(b): return b\nBase = mix(TorchRLModule)\nclass M(Base): pass\n"
    },
    "made by a call elsewhere": {
        "base.py": f"{TORCH}\ndef mix(b): return b\nBase = mix(TorchRLModule)\n",
        "a.py": "from base import Base\nclass M(Base): pass\n",
    },
    "made by a call into a module of a package": {
        "kit/__init__.py": "",
        "kit/makers.py": f"{TORCH}\ndef mix(): return TorchRLModule\n",
        "a.py": "from kit import makers\nBase = makers.mix()\nclass M(Base): pass\n",
    },
    "made by a call into a module beside it": {
        "makers.py": f"{TORCH}\ndef mix(): return TorchRLModule\n",
        "a.py": "from . import makers\nBase = makers.mix()\nclass M(Base): pass\n",
    },
    "bound to nothing at first": {
        "a.py": f"{TORCH}\nBase = None\nBase = mix(TorchRLModule)\nclass M(Base): pass\n"
    },
    "bound with others": {"a.py": f"{TORCH}\n(n, Base) = 1, TorchRLModule\nclass M(Base): pass\n"},
    "bound twice": {"a.py": f"{TORCH}\nBase = x.y = mix(TorchRLModule)\nclass M(Base): pass\n"},
    "without its import": {"a.py": "class M(TorchRLModule): pass\n"},
    "several imports in a line": {
        "a.py": "import os, ray.rllib.core.rl_module.torch as t\nclass M(t.TorchRLModule): pass\n"
    },
    "import over lines": {
        "a.py": "from ray.rllib.core.rl_module.torch import (  # (\n    TorchRLModule as B)\n"
        "class M(B): pass\n"
    },
    "own package with a library's name": {
        "tree/__init__.py": f"{TORCH}\nclass Base(TorchRLModule): pass\n",
        "a.py": "from tree import Base\nclass M(Base): pass\n",
    },
    "carriage returns": {"a.py": f"{TORCH}\r\nclass M(TorchRLModule):\r\n    pass\r\n"},
}


@pytest.mark.parametrize("case", CASES)
def test_names_and_files(tmp_path: Path, case: str) -> None:
    for name, text in CASES[case].items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(text.encode())
    path = tmp_path / "a.py"
    assert "M" in chosen(tmp_path.rglob("*.py")).get(path, ())
    if "class Plain" not in (CASES[case].get("base.py", "")):
        assert chosen([path]) == {path: frozenset({"M"})}


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_names_beyond_ascii(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.py"
    text = f"# coding: {encoding}\n{TORCH}\nclass Größe(TorchRLModule): pass\n"
    path.write_bytes(text.encode(encoding))
    assert chosen([path]) == {path: frozenset({"Größe"})}


def test_base_in_an_unchanged_file(tmp_path: Path) -> None:
    """As a pre-commit hook sees it: only the changed file is in the set."""
    (tmp_path / "base.py").write_text(f"{TORCH}\nclass Base(TorchRLModule): pass\n")
    (tmp_path / "a.py").write_text("from base import Base\nclass M(Base): pass\n")
    path = tmp_path / "a.py"
    assert chosen([path]) == {path: frozenset({"M"})}


def test_unrelated_files_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("import enum\n\n# works as RLModule\nclass E(enum.Enum): pass\nclass F: pass\n")
    assert chosen([path]) == {}


def test_other_names_of_other_files_do_not_count(tmp_path: Path) -> None:
    """A parameter or a word of prose is no class because one elsewhere is called that."""
    (tmp_path / "base.py").write_text(f"{TORCH}\nkind = TorchRLModule\nclass M(kind): pass\n")
    (tmp_path / "a.py").write_text(
        "def f(kind: type, n=1):\n    class M(kind): pass\n    return g(kind, n=2)\n"
        'TEXT = """\nclass M (any kind of\nclass M(dict) does.\n"""\n'
    )
    assert chosen(tmp_path.rglob("*.py")) == {tmp_path / "base.py": frozenset({"M"})}
