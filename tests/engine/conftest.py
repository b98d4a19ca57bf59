"""What the tests of the cache share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inflint.sources import disk
from tests.engine import projects
from tests.engine.projects import write

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a module whose base is in another directory of it."""
    monkeypatch.setattr(disk, "SETTLED", 0)  # files that were just written count as settled
    project = tmp_path / "project"
    write(
        project,
        {
            "pyproject.toml": "",
            "app/m.py": projects.DERIVED,
            "app/plain.py": projects.PLAIN,
            "base.py": projects.BASE,
        },
    )
    return project
