"""A class built once and forked is the same as a class that is built for each mode."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from inflint.engine.classes import find_classes
from inflint.engine.stack import with_deep_stack
from inflint.model.components import Component, build, build_both, components
from inflint.model.core import Exhausted
from inflint.model.demand import demand
from inflint.model.environment import Environment
from inflint.model.profile import load_profile
from inflint.model.snapshot import load, shipped
from inflint.model.universe import Universe
from tests.corpus.corpus_cases import CASES

if TYPE_CHECKING:
    from pathlib import Path

    from inflint.model.hierarchy import Class
    from inflint.model.statements import Machine

SNAPSHOT = load(shipped("ray")["2.60.0"])
NONLOCAL = """
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Counting(TorchRLModule):
    def setup(self):
        chosen = nn.Linear(1, 1)
        self.pi = chosen
        self.vf = nn.Linear(1, 1)

        def choose():
            nonlocal chosen
            chosen = self.vf

        def use(batch):
            return chosen(batch)

        self.choose, self.use = choose, use

    def make_target_networks(self):
        self.choose()

    def _forward(self, batch):
        return self.use(batch)
"""


def _universe() -> Universe:
    environment = Environment((), (), sys.stdlib_module_names, "none")
    return Universe(load_profile(), environment, lambda: SNAPSHOT)


def _classes(universe: Universe, path: Path) -> list[Class]:
    file = universe.load(path)
    assert file is not None
    names = {chain[-1].name for chain in file.header.walk()}
    return list(find_classes(universe, {path: frozenset(names)}))


def _built(machine: Machine) -> set[Component]:
    return set(components(machine))


def _wanted(machine: Machine, cls: Class) -> tuple[set[tuple[int, str]], set[int], bool]:
    found = demand(machine, cls, frozenset())
    return set(found.recorder.reads), set(found.reached), found.runs


def test_a_fork_is_what_a_build_of_its_own_is() -> None:
    def compare() -> list[bool]:
        forked = []
        for path in sorted(CASES.glob("*.py")):
            universe = _universe()
            for cls in _classes(universe, path):
                with suppress(Exhausted):  # nothing is said of it then
                    learner, runner = build_both(universe, cls)
                    forked.append(runner.forks)
                    full = build(universe, cls, inference_only=False)
                    own = build(universe, cls, inference_only=True)
                    assert _built(learner) == _built(full), path
                    assert _built(runner) == _built(own), path
                    assert _wanted(runner, cls) == _wanted(own, cls), path
        return forked

    forked = with_deep_stack(compare)
    assert forked.count(True) > 100
    assert forked.count(False) > 10


def test_no_fork_where_an_inner_function_rebinds_a_variable(tmp_path: Path) -> None:
    path = tmp_path / "counting.py"
    path.write_text(NONLOCAL, encoding="utf-8")
    universe = _universe()
    (cls,) = _classes(universe, path)
    _, runner = build_both(universe, cls)
    own = build(universe, cls, inference_only=True)
    assert not runner.forks
    assert _wanted(runner, cls) == _wanted(own, cls)
