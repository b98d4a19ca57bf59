"""A base is not edited in a way that breaks a subclass in another file of the project."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inflint.engine.fixing import fix
from inflint.engine.heirs import heirs
from inflint.engine.run import Request
from tests.fix.harness import FORWARD, IMPORTS, SETUP

if TYPE_CHECKING:
    from pathlib import Path

BASE = f"{IMPORTS}class Base(TorchRLModule):\n{SETUP}{FORWARD}"
SUBCLASS = """\
{}


class Sub({}):
    def _forward(self, batch, **kwargs):
        return {{"action_dist_inputs": self.vf(batch["obs"])}}
"""
IMPORTED = {
    "plainly": ("from base import Base", "Base"),
    "under another name": ("from base import Base as Parent", "Parent"),
    "as a module": ("import base", "base.Base"),
    "through a class between": ("from between import Middle", "Middle"),
}


def project(directory: Path, how: str) -> Path:
    (directory / "base.py").write_text(BASE, encoding="utf-8")
    (directory / "lib").mkdir()
    between = "from base import Base\n\n\nclass Middle(Base):\n    pass\n"
    (directory / "between.py").write_text(between, encoding="utf-8")
    (directory / "sub.py").write_text(SUBCLASS.format(*IMPORTED[how]), encoding="utf-8")
    (directory / "pyproject.toml").touch()
    return directory / "base.py"


@pytest.mark.parametrize("how", IMPORTED)
def test_a_subclass_that_needs_it(tmp_path: Path, how: str) -> None:
    outcome = fix(Request((project(tmp_path, how),)), unsafe=True)
    assert outcome.after == {}
    assert [(x.finding.code, x.reason, x.bug) for x in outcome.left] == [
        ("INF101", "the edit would bring INF202 (vf) to Sub", False)
    ]


def test_a_subclass_that_does_not_need_it(tmp_path: Path) -> None:
    path = project(tmp_path, "plainly")
    text = (tmp_path / "sub.py").read_text(encoding="utf-8").replace("self.vf", "self.pi")
    (tmp_path / "sub.py").write_text(text, encoding="utf-8")
    outcome = fix(Request((path,)), unsafe=True)
    assert list(outcome.after) == [path]
    assert outcome.left == ()


def test_only_around_a_project(tmp_path: Path) -> None:
    path = project(tmp_path, "through a class between")
    found = {tmp_path / "sub.py", tmp_path / "between.py"}
    assert set(heirs(["Base"], [path])) == found
    assert heirs(["Other"], [path]) == ()
    assert heirs(["Base"], [path, *found]) == ()
