"""Runs commands in turn, and says what each took as a whole process."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


class Run(NamedTuple):
    """One run: seconds by the clock, seconds of all processors, peak bytes of one process."""

    wall: float
    cpu: float
    peak: int


class Contender(NamedTuple):
    """A command, and what brings it into the state that is measured.

    Attributes:
        name: What the table calls it.
        command: The command.
        prepare: What to do before each run.
        environment: Variables to add.
    """

    name: str
    command: Sequence[str]
    prepare: Callable[[], object] = lambda: None
    environment: dict[str, str] = {}  # noqa: RUF012 - never changed


def measure(contenders: Sequence[Contender], runs: int) -> dict[str, list[Run]]:
    """Run all in turn, ``runs`` times after one run that does not count."""
    found: dict[str, list[Run]] = {c.name: [] for c in contenders}
    for number in range(runs + 1):
        for contender in contenders:
            contender.prepare()
            run = once(contender)
            print(f"  {contender.name}: {run.wall:.2f} s", file=sys.stderr)
            if number:
                found[contender.name].append(run)
    return found


def once(contender: Contender) -> Run:
    """Run a command; its exit code says what it found, and is not asked for."""
    start = time.perf_counter()
    process = subprocess.Popen(
        contender.command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **contender.environment},
    )
    _, _, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    unit = 1 if sys.platform == "darwin" else 1024
    return Run(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * unit)


def table(found: dict[str, list[Run]], base: str) -> str:
    """A Markdown table of medians, and of ratios to ``base``, taken run by run."""
    lines = [
        f"| | wall | CPU | peak memory | wall by {base} | CPU by {base} |",
        "|---|---|---|---|---|---|",
    ]
    median = statistics.median
    for name, runs in found.items():
        pairs = list(zip(runs, found[base], strict=True))
        cells = (
            name,
            f"{median(r.wall for r in runs):.3f} s",
            f"{median(r.cpu for r in runs):.3f} s",
            f"{median(r.peak for r in runs) / 2**20:.0f} MiB",
            f"{median(r.wall / b.wall for r, b in pairs):.2f}",
            f"{median(r.cpu / b.cpu for r, b in pairs):.2f}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def forget(path: Path) -> Callable[[], None]:
    """Delete a cache before each run."""
    return lambda: shutil.rmtree(path, ignore_errors=True)


def bytecode() -> None:
    """Let inflint be compiled as an installed one is, whatever this process does."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
