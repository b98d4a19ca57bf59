"""Before and after: what `inflint fix` makes of a source, always checked for convergence."""

from __future__ import annotations

import ast
from textwrap import dedent, indent
from typing import TYPE_CHECKING

from inflint.checks.pages import rules
from inflint.engine.fixing import fix
from inflint.engine.run import Request
from inflint.fix.planning import FIXERS

if TYPE_CHECKING:
    from pathlib import Path

    from inflint.fix.passes import Outcome

CODES = frozenset(code for code in FIXERS if rules()[code].on)
"""What `inflint fix` repairs unless it is told otherwise."""
IMPORTS = """\
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


"""
SETUP = """\
    def setup(self):
        self.pi = nn.Linear(4, 2)
        self.vf = nn.Linear(4, 1)
        self.aux = nn.Linear(4, 1)
        self.third = nn.Linear(4, 1)
"""
FORWARD = """\

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}

    def _forward_train(self, batch, **kwargs):
        return {**self._forward(batch), "v": self.vf(batch[Columns.OBS])}
"""


def module(method: str, *, setup: str = SETUP, head: str = IMPORTS) -> str:
    """A module whose class has the given list method."""
    body = indent(dedent(method).strip("\n"), "    ")
    return f"{head}class Policy(TorchRLModule, InferenceOnlyAPI):\n{setup}{FORWARD}\n{body}\n"


def run(
    source: str | bytes, directory: Path, *, unsafe: bool = False, codes: str | None = None
) -> tuple[bytes, Outcome]:
    """The fixed bytes of a single file, and how they came about."""
    path = directory / "example.py"
    path.write_bytes(source.encode() if isinstance(source, str) else source)
    selected = CODES if codes is None else frozenset(codes.split())
    outcome = fix(Request((path,), codes=selected), unsafe=unsafe)
    assert set(outcome.after) <= {path}
    return outcome.after.get(path, path.read_bytes()), outcome


def check_transformed(
    before: str | bytes,
    after: str | bytes,
    directory: Path,
    *,
    unsafe: bool = False,
    codes: str | None = None,
) -> Outcome:
    """`before` becomes `after`, which compiles and is left alone from then on."""
    if isinstance(after, str):
        after = after.encode()
    result, outcome = run(before, directory, unsafe=unsafe, codes=codes)
    assert result.decode("latin-1") == after.decode("latin-1")
    assert not [left for left in outcome.left if left.bug]
    ast.parse(result)
    again, _ = run(result, directory, unsafe=unsafe, codes=codes)
    assert again == result
    return outcome


def check_noop(
    source: str | bytes,
    directory: Path,
    reason: str | None = None,
    *,
    unsafe: bool = False,
    codes: str | None = None,
) -> None:
    """Nothing changes; where a finding is left, it says why."""
    result, outcome = run(source, directory, unsafe=unsafe, codes=codes)
    assert result == (source.encode() if isinstance(source, str) else source)
    reasons = [left.reason for left in outcome.left if rules()[left.finding.code].fix != "none"]
    if reason is None:
        assert reasons == []
    else:
        assert any(reason in each for each in reasons), reasons
