"""Fixtures shared by the whole suite: the linter as its users call it."""

from __future__ import annotations

import json
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from inflint.cli import main

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@dataclass(frozen=True)
class Inflint:
    """The command line, run in this process; what it prints as JSON comes back as Python."""

    def check(
        self, *paths: Path, python: Path | None = None, args: Sequence[str] = ()
    ) -> list[dict[str, Any]]:
        """The findings of `inflint check`."""
        return self._json("check", "findings", paths, python, args)

    def inspect(
        self, *paths: Path, python: Path | None = None, args: Sequence[str] = ()
    ) -> list[dict[str, Any]]:
        """The classes of `inflint inspect`."""
        return self._json("inspect", "classes", paths, python, args)

    @staticmethod
    def _json(
        command: str,
        key: str,
        paths: Sequence[Path],
        python: Path | None,
        args: Sequence[str],
    ) -> list[dict[str, Any]]:
        line = [command, *map(str, paths), "--format", "json", *args]
        if python is not None:
            line += ["--python", str(python)]
        result = CliRunner().invoke(main, line)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            trace = "".join(traceback.format_exception(*result.exc_info or (None, None, None)))
            pytest.fail(f"inflint {' '.join(line)}: {trace}")
        if result.exit_code not in (0, 1):
            pytest.fail(f"inflint {' '.join(line)}: exit {result.exit_code}\n{result.output}")
        entries: list[dict[str, Any]] = json.loads(result.stdout)[key]
        return entries


@pytest.fixture(scope="session")
def inflint() -> Inflint:
    """`inflint check` and `inflint inspect`, failing on exit code 2 and on any exception."""
    return Inflint()
