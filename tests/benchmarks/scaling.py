"""Time and memory over 1, 10 and 100 copies of a tree: run by hand, it prints a table.

    python -m tests.benchmarks.scaling TREE [--runs 3] [--times 1,10,100]

Each copy is a package of its own, so that no class of one is found in another.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.measuring import Contender, bytecode, measure, table


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--times", default="1,10,100")
    asked = parser.parse_args()
    bytecode()
    with tempfile.TemporaryDirectory() as scratch:
        listed = []
        for times in map(int, asked.times.split(",")):
            top = Path(scratch) / str(times)
            for number in range(times):
                shutil.copytree(asked.tree, top / f"copy{number}" / asked.tree.name)
            command = [sys.executable, "-m", "inflint", "check", str(top), "--no-cache"]
            listed.append(Contender(f"{times} times", command))
        print(table(measure(listed, asked.runs), listed[0].name))


if __name__ == "__main__":
    main()
