"""The odd project, and reports on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from inflint.cli import main
from tests.report.projects import write_project

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Check = Callable[..., Result]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Written in a directory of its own."""
    top = tmp_path / "project"
    top.mkdir()
    return write_project(top)


@pytest.fixture
def check(project: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Runs ``inflint check`` in the project."""
    monkeypatch.chdir(project)

    def run(*args: str) -> Result:
        result = CliRunner().invoke(main, ["check", "--target-ray", "2.60.0", *args])
        assert result.exception is None or isinstance(result.exception, SystemExit)
        return result

    return run
