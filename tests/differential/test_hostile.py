"""Pieces of hostile input, few and seeded; `hostile.py` runs them by the hour."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from tests.differential import hostile

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_SLOW = {hostile.long_line, hostile.huge, hostile.many_classes}
KINDS = [kind for kind in dict.fromkeys(hostile.PIECES) if kind not in _SLOW]


@pytest.mark.parametrize("command", hostile.COMMANDS)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_hostile_input_is_answered(
    kind: Callable[[random.Random], dict[str, bytes]], command: str, tmp_path: Path
) -> None:
    """Whatever stands beside it, the good file is judged."""
    for seed in range(4):
        directory = tmp_path / str(seed)
        hostile.write(directory, kind(random.Random(seed)))
        assert hostile.answer(command, directory) == "", f"seed {seed}"


def test_a_module_that_holds_itself_many_times_is_answered(tmp_path: Path) -> None:
    """Paths through it are without number; following each of them would never end."""
    lines = "\n".join(f"    if self.c{i}:\n        self.a{i} = self" for i in range(12))
    body = f"def setup(self):\n{lines}\ndef _forward(self, batch, **kwargs):\n    return self.a0.a1"
    hostile.write(tmp_path / "piece", {"bad.py": hostile.module(body)})
    assert hostile.answer("check", tmp_path / "piece") == ""
