"""Runs many programs without stopping at the first counterexample, and prints the figures.

By hand: ``python -m tests.differential.campaign --classes 20000 --seed 1``.
"""

from __future__ import annotations

import argparse
import itertools
import logging
import tempfile
import time
import warnings
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.differential.conftest import CORPUS  # noqa: F401 - makes the corpus importable
from tests.differential.properties import Counterexample, Tally, examine
from tests.differential.strategies import Program, programs

ROUND = 100
"""Programs drawn with one seed; hypothesis varies what it drew before, so they are not many."""
_QUIETLY = settings(
    max_examples=ROUND,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--classes", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("counterexamples"))
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    tally = Tally()
    started = time.time()
    with tempfile.TemporaryDirectory() as place:
        numbers = itertools.count()

        @_QUIETLY
        @given(programs())
        def one(program: Program) -> None:
            found = examine(program, Path(place) / f"package{next(numbers)}", tally)
            if found:
                note(options.out, f"{options.seed}_{tally.classes}", program, found)

        for number in itertools.count(1):
            seed(options.seed * 100_003 + number)(one)()
            print(
                f"{tally.classes} classes, {time.time() - started:.0f} s, "
                f"counterexamples {dict(tally.counterexamples)}, {tally.completeness:.4f}",
                *tally.missed.most_common(4),
                flush=True,
            )
            if tally.classes >= options.classes:
                break
    for line in tally.lines():
        print(line)


def note(directory: Path, name: str, program: Program, found: list[Counterexample]) -> None:
    """Write a program down that contradicts something."""
    directory.mkdir(exist_ok=True, parents=True)
    lines = [f"# ({c.number}) {c.cls}: {line}" for c in found for line in c.text.split("\n")]
    for file, text in program.sources().items():
        lines += [f"# ---- {file}", text]
    (directory / f"{found[0].number}_{name}.txt").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
