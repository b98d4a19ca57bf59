"""One run of the codemod over a set of paths."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inflint.checks.pages import default_codes, rules
from inflint.engine.run import Request, check
from inflint.engine.stack import with_deep_stack
from inflint.fix.edits import CannotFixError
from inflint.fix.passes import converge
from inflint.fix.planning import Context, plan

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.engine.run import Checked
    from inflint.fix.passes import Outcome


def fix(request: Request, *, unsafe: bool) -> Outcome:
    """What the fixes of a request's rules make of its files; nothing is written.

    Raises as :func:`~inflint.engine.run.check`.
    """

    def look(overlay: Mapping[Path, bytes]) -> Checked:
        contents = {**request.overlay, **overlay}
        return check(replace(request, codes=frozenset(rules()), overlay=contents))

    codes = default_codes() if request.codes is None else request.codes
    return with_deep_stack(lambda: converge(look, codes=codes, unsafe=unsafe))


def graded(checked: Checked) -> Checked:
    """The same findings, each with the safety of the edit that there really is for it."""
    return with_deep_stack(lambda: _graded(checked))


def _graded(checked: Checked) -> Checked:
    grader = Grader(checked.contents)
    pairs = zip(checked.findings, checked.subjects, strict=True)
    findings = tuple(replace(f, fix=grader.safety(f, s)) for f, s in pairs)
    return replace(checked, findings=findings)


class Grader:
    """Says which edits there really are.

    Args:
        contents: The files that may be edited.
    """

    def __init__(self, contents: Mapping[Path, bytes]) -> None:
        self._contents = contents
        self._contexts: dict[int, Context] = {}

    def safety(self, finding: Finding, subject: Subject | None) -> str:
        """The safety of the edit for a finding: ``safe``, ``unsafe`` or ``none``."""
        if finding.fix == "none" or subject is None:
            return finding.fix
        universe = subject.verdicts.universe
        context = self._contexts.setdefault(id(universe), Context(self._contents, universe))
        try:
            return "unsafe" if plan(context, subject, finding).unsafe else finding.fix
        except CannotFixError:
            return "none"
