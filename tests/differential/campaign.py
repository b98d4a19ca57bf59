"""Runs many programs without stopping at the first counterexample, and prints the figures.

By hand: ``python -m tests.differential.campaign --classes 20000 --seed 1``.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "corpus"))
warnings.simplefilter("ignore")

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.differential.properties import Counterexample, Tally, examine
from tests.differential.strategies import programs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--classes", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("counterexamples"))
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    tally = Tally()
    started = time.time()
    kinds: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        number = 0
        while tally.classes < options.classes:
            number += 1

            @seed(options.seed * 100_003 + number)
            @settings(
                max_examples=100,
                database=None,
                deadline=None,
                suppress_health_check=list(HealthCheck),
                phases=[Phase.generate],
            )
            @given(programs())
            def one(program) -> None:
                directory = Path(place) / f"p{number}_{tally.classes}_{time.time_ns()}"
                try:
                    found = examine(program, directory, tally)
                except Exception as error:
                    found = [Counterexample(0, "", f"{type(error).__name__}: {error}")]
                    tally.counterexamples[0] += 1
                if found:
                    options.out.mkdir(exist_ok=True, parents=True)
                    kinds.update({f"({c.number}) {c.text[:60]}" for c in found})
                    text = "".join(f"# ({c.number}) {c.cls}: {c.text}\n".replace("\n", "\n# ")[:-2] for c in found)
                    for name, source in program.sources().items():
                        text += f"\n# ---- {name}\n{source}"
                    size = len(text)
                    (options.out / f"{found[0].number}_{size:06}_{options.seed}_{tally.classes}.txt").write_text(text)

            one()
            print(tally.classes, round(time.time() - started), dict(tally.counterexamples), f"{tally.completeness:.4f}", flush=True)
    print(f"{tally.classes} classes in {time.time() - started:.0f} s")
    for name in ("unusable", "missed", "confirmed", "unreached", "foretold", "excused"):
        print(name)
        for key, value in getattr(tally, name).most_common(25):
            print(f"  {value:6} {key}")
    print("completeness", tally.completeness, tally.found, sum(tally.missed.values()), "repaired", tally.repaired)
    for key, value in kinds.most_common(40):
        print(value, key)


if __name__ == "__main__":
    main()
