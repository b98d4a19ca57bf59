"""Plants faults into inflint's own reasoning, one by one: the quick profile must notice each.

By hand: ``python -m tests.differential.mutate [NAME …]``. Each fault is a text that stands once
in one file, and what replaces it, in a copy of the sources; the quick profile's programs then run
on that copy, up to the first counterexample.
"""

# ruff: noqa: E501 - the texts are what stands in the sources

from __future__ import annotations

import argparse
import importlib
import itertools
import logging
import os
import shutil
import signal
import sys
import tempfile
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).parent.parent.parent
LIMIT = 600
"""Seconds for one fault; nearly all take a few."""
HEAVY = (
    "torch._dynamo",
    "ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module",
    "ray.rllib.algorithms.dqn.torch.default_dqn_torch_rl_module",
    "ray.rllib.algorithms.sac.torch.default_sac_torch_rl_module",
    "libcst.metadata",
    "hypothesis",
)
"""What is imported once, before the faults' processes start."""


@dataclass(frozen=True)
class Fault:
    """A fault: in a file of ``inflint/`` or ``rules/``, `old` becomes `new`."""

    name: str
    file: str
    old: str
    new: str


MODEL = "inflint/model"
FAULTS = (
    Fault(
        "super() is not followed",
        f"{MODEL}/builtins.py",
        "                results.add(Super(cls.mro[cls.mro.index(after) + 1 :], atom))",
        "                results.add(Super(() if self.demanding else cls.mro[1:], atom))",
    ),
    Fault(
        "local aliases are dropped",
        f"{MODEL}/statements.py",
        "    def _assign_name(self, name: str, value: Value) -> None:\n",
        "    def _assign_name(self, name: str, value: Value) -> None:\n        value = frozenset()\n",
    ),
    Fault(
        "get_initial_state is ignored",
        f"{MODEL}/demand.py",
        " for name in profile.entry_points}",
        ' for name in profile.entry_points if "state" not in name}',
    ),
    Fault(
        "an early return ends every path",
        f"{MODEL}/core.py",
        "        return bool(results)\n\n    def note_raise",
        "        return len(results) == len(ways)\n\n    def note_raise",
    ),
    Fault(
        "hasattr is always false",
        f"{MODEL}/builtins.py",
        "        return UNKNOWN if answer is None else constant(answer)",
        "        return constant(value=False)",
    ),
    Fault(
        "a test for an attribute is no read of it",
        f"{MODEL}/builtins.py",
        "            self.note_test(target, text, site)",
        "            pass",
    ),
    Fault(
        "getattr with a text reads nothing",
        f"{MODEL}/attributes.py",
        "        results: list[Value] = []\n        for text, _ in texts_of(names):",
        "        results: list[Value] = []\n        for text, _ in ():",
    ),
    Fault(
        "of several branches only the first counts",
        f"{MODEL}/core.py",
        "        for way in ways:\n            mark = self.heap.mark()",
        "        for way in ways[:1]:\n            mark = self.heap.mark()",
    ),
    Fault(
        "loops are skipped",
        f"{MODEL}/statements.py",
        "        rounds, either = self.iterate(self.evaluate(node.iterable), site)\n",
        "        return True\n",
    ),
    Fault(
        "properties are not run",
        f"{MODEL}/attributes.py",
        "            return self.call(bind(value, receiver), Arguments(), site)\n        if scope is None",
        "            return UNKNOWN\n        if scope is None",
    ),
    Fault(
        "an inherited setup is not run",
        f"{MODEL}/calls.py",
        "                method = self.attribute(first, name, site)\n",
        "                if not self.object(receiver).cls.own(name):\n                    continue\n                method = self.attribute(first, name, site)\n",
    ),
    Fault(
        "values() of a ModuleDict yields nothing",
        f"{MODEL}/containers.py",
        "        for key, value in slots.items():\n            self.record_read(receiver.oid, key, site)\n",
        "        for key, value in ():\n            self.record_read(receiver.oid, key, site)\n",
    ),
    Fault(
        "iterating over a ModuleList reads nothing",
        f"{MODEL}/containers.py",
        "            if most is None or not key.isdigit() or int(key) < most:\n                self.record_read(atom.oid, key, site)\n",
        "            pass\n",
    ),
    Fault(
        "_forward is no fallback",
        "rules/rllib.toml",
        'methods._forward_inference = ["_forward"]',
        "methods._forward_inference = []",
    ),
    Fault(
        "exploration is not looked at",
        "rules/rllib.toml",
        'methods._forward_exploration = ["_forward"]',
        "methods._forward_exploration = []",
    ),
    Fault(
        "decorated functions do nothing",
        f"{MODEL}/naming.py",
        "        return join(self._decorated(closure, scope), *self._variants(found, scope, owner))",
        '        if scope.decorators and "property" not in scope.decorators:\n            return UNKNOWN\n        return join(self._decorated(closure, scope), *self._variants(found, scope, owner))',
    ),
    Fault(
        "one branch's writes win",
        f"{MODEL}/heap.py",
        "            self.set(*key, join(*(writes.get(key, before) for writes in branches)))",
        "            self.set(*key, branches[-1].get(key, before))",
    ),
    Fault(
        "nested functions are not run",
        f"{MODEL}/calls.py",
        "        if closure.outer is not None:\n            return self._run_active(closure, args, site)",
        "        if closure.outer is not None:\n            return UNKNOWN",
    ),
    Fault(
        "what goes to unknown code stays unread",
        f"{MODEL}/calls.py",
        '        self.escape(frozenset((atom,)), site, "it is called")\n        self.escape(args.every(), site, _HANDED)',
        "        pass",
    ),
)


def planted(fault: Fault, place: Path) -> Path:
    """A copy of the sources with the fault in it.

    Raises:
        ValueError: The text does not stand exactly once in the file.
    """
    copy = place / "copy"
    for name in ("inflint", "rules", "tests/differential", "tests/corpus"):
        skip = shutil.ignore_patterns("__pycache__", "cases", ".hypothesis")
        shutil.copytree(ROOT / name, copy / name, ignore=skip)
    for name in ("tests/__init__.py", "tests/conftest.py", "pyproject.toml"):
        shutil.copy(ROOT / name, copy / name)
    file = copy / fault.file
    text = file.read_text(encoding="utf-8")
    if text.count(fault.old) != 1:
        raise ValueError(f"{fault.name}: the text stands {text.count(fault.old)} times")
    file.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
    return copy


def caught(fault: Fault) -> tuple[str, float, str]:
    """Whether the profile finds a counterexample, after how many seconds, and which.

    A child of this process works on the copy: torch and Ray are imported once for all faults,
    while inflint and the tests come from the copy.
    """
    with tempfile.TemporaryDirectory() as place:
        copy = planted(fault, Path(place))
        told = Path(place) / "told"
        started = time.monotonic()
        child = os.fork()
        if not child:
            _search(copy, told)
        while time.monotonic() - started < LIMIT:
            if os.waitpid(child, os.WNOHANG)[0]:
                break
            time.sleep(0.2)
        else:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        seconds = time.monotonic() - started
        text = told.read_text(encoding="utf-8") if told.exists() else ""
    if seconds >= LIMIT:
        return "no answer", seconds, ""
    return ("caught" if text else "MISSED"), seconds, text


def _search(copy: Path, told: Path) -> NoReturn:
    """Look for a counterexample to the copy's answers; write it down and end the process."""
    for name in [n for n in sys.modules if n.partition(".")[0] in {"tests", "inflint"}]:
        del sys.modules[name]
    sys.path[:0] = [str(copy), str(copy / "tests" / "corpus")]
    from hypothesis import given, seed, settings

    conftest = importlib.import_module("tests.differential.conftest")
    properties = importlib.import_module("tests.differential.properties")
    strategies = importlib.import_module("tests.differential.strategies")
    numbers, tally = itertools.count(), properties.Tally()

    @seed(conftest.SEED)
    @settings(settings.get_profile(conftest.MUTANTS))
    @given(strategies.programs())
    def hunt(program: object) -> None:
        directory = copy / f"package{next(numbers)}"
        found = properties.examine(program, directory, tally)
        if found:
            _end(f"{tally.classes} classes: ({found[0].number}) {found[0].text}")

    def _end(text: str) -> NoReturn:
        told.write_text(text, encoding="utf-8")
        os._exit(1)

    hunt()
    if tally.completeness < properties.LEAST:
        _end(f"{tally.classes} classes: (4) completeness is {tally.completeness:.3f}")
    os._exit(0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    for name in HEAVY:
        importlib.import_module(name)
    chosen = [f for f in FAULTS if not options.names or f.name in options.names]
    missed = 0
    for fault in chosen:
        verdict, seconds, told = caught(fault)
        missed += verdict != "caught"
        print(f"{verdict:8} {seconds:5.0f} s  {fault.name}: {told[:100]}", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} caught")
    sys.exit(missed > 0)


if __name__ == "__main__":
    main()
