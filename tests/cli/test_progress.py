"""A long run says on a terminal how far it is, and nowhere else."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.engine import projects
from tests.engine.projects import write

if TYPE_CHECKING:
    from pathlib import Path

pty = pytest.importorskip("pty")
MAIN = """
import sys
import inflint.cli.progress as progress
progress.AFTER = float(sys.argv.pop(1))
progress._EACH = 0
from inflint.cli import main
try:
    main()
finally:
    assert "rich" not in sys.modules
"""
BLANK = "\r\x1b[K"


class Seen(NamedTuple):
    code: int
    out: bytes
    terminal: str


@pytest.fixture
def top(tmp_path: Path) -> Path:
    write(tmp_path, {f"m{n}.py": projects.module(f"M{n}") for n in range(3)})
    write(tmp_path, {f"plain{n}.py": projects.PLAIN for n in range(70)})
    return tmp_path


def run(top: Path, *options: str, after: float = 0) -> Seen:
    """Run it with a terminal as its standard error."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", MAIN, str(after), "check", str(top), "--no-cache", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        out = process.stdout.read() if process.stdout is not None else b""
        shown = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # Linux's way to say that the other end is closed
                break
            if not piece:
                break
            shown += piece
    os.close(ours)
    return Seen(process.returncode, out, shown.decode())


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_steps_on_a_terminal(top: Path, jobs: str) -> None:
    seen = run(top, "--jobs", jobs)
    states = seen.terminal.split(BLANK)
    assert states[0] == ""
    assert states[-1] == ""  # nothing is left of it
    assert "reading files: 64 of 73" in states
    assert [s for s in states if "checking" in s] == [
        f"checking files: {n} of 3" for n in (1, 2, 3)
    ]
    assert seen.code == 1
    assert b"3 findings" in seen.out
    assert b"reading" not in seen.out


def test_not_where_it_is_over_soon_or_nobody_asks(top: Path) -> None:
    for seen in (run(top, after=3600), run(top, "--quiet")):
        assert seen.terminal == ""
        assert seen.code == 1


def test_an_error_stands_on_a_line_of_its_own(top: Path) -> None:
    (top / "inflint.toml").write_text('target-ray = "none"\n')
    seen = run(top)
    assert seen.code == 2
    assert seen.terminal.rpartition(BLANK)[2].startswith("inflint: ")


def test_not_where_standard_error_is_a_file(top: Path) -> None:
    command = [sys.executable, "-c", MAIN, "0", "check", str(top), "--no-cache"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.stderr == b""
    assert done.stdout == run(top).out
