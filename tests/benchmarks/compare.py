"""inflint beside other linters on one tree: run by hand, it prints a Markdown table.

    python -m tests.benchmarks.compare TREE [--runs 7] [--tools ruff,flake8] [--venv DIR]

The tools go into a virtual environment of their own, from PyPI; TREE should be a copy outside
of site-packages, which some of them leave out. Fixit and TorchFix take minutes for each run.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from tests.benchmarks.measuring import Contender, bytecode, forget, measure, table

PACKAGES = {
    "ruff": "ruff",
    "fixit": "fixit",
    "torchfix": "torchfix",
    "flake8": "flake8",
    "pylint": "pylint",
}
BASE = "ruff, F401, no cache"


def contenders(tree: Path, tools: set[str], place: Path, scratch: Path) -> list[Contender]:
    """All commands, inflint in each of its states."""
    binaries = place / ("Scripts" if sys.platform == "win32" else "bin")
    inflint = [sys.executable, "-m", "inflint", "check", str(tree)]
    cold, warm = scratch / "cold", scratch / "warm"
    ruff = [str(binaries / "ruff"), "check", "--isolated", "-q", "--select", "F401", str(tree)]
    kept = scratch / "ruff"
    found = [
        Contender(BASE, [*ruff, "--no-cache"]),
        Contender("ruff, F401, warm", [*ruff, "--cache-dir", str(kept)]),
        Contender("inflint, no cache", [*inflint, "--no-cache"]),
        Contender("inflint, cold", [*inflint, "--cache-dir", str(cold)], forget(cold)),
        Contender("inflint, warm", [*inflint, "--cache-dir", str(warm)]),
    ]
    others = {
        "flake8": ["flake8", "--isolated", "-j2", str(tree)],
        "pylint": ["pylint", "--rcfile=/dev/null", "-E", "-j2", str(tree)],
        "torchfix": ["torchfix", "--select", "ALL", str(tree)],
        "fixit": ["fixit", "lint", str(tree)],
    }
    for name, command in others.items():
        if name in tools:
            found.append(Contender(name, [str(binaries / command[0]), *command[1:]]))
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--tools", default="ruff,flake8", help="of " + ", ".join(PACKAGES))
    parser.add_argument("--venv", type=Path, help="where the tools are, or will be")
    asked = parser.parse_args()
    tools = {"ruff", *asked.tools.split(",")}
    unknown = tools - set(PACKAGES)
    if unknown:
        parser.error(f"no such tools: {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory() as scratch:
        place = asked.venv or Path(scratch) / "venv"
        if not place.exists():
            venv.create(place, with_pip=True)
        pip = [str(place / "bin" / "python"), "-m", "pip", "install", "-q"]
        subprocess.run([*pip, *(PACKAGES[tool] for tool in sorted(tools))], check=True)
        bytecode()
        listed = contenders(asked.tree.absolute(), tools, place, Path(scratch))
        print(table(measure(listed, asked.runs), BASE))


if __name__ == "__main__":
    main()
