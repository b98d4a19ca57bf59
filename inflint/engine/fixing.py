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

    from inflint.engine.run import Checked
    from inflint.fix.edits import Fix
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
    """The same findings, each with the edit that there really is for it, and its safety."""
    return with_deep_stack(lambda: _graded(checked))


def _graded(checked: Checked) -> Checked:
    contexts: dict[int, Context] = {}
    findings = []
    fixes: list[Fix | None] = []
    for finding, subject in zip(checked.findings, checked.subjects, strict=True):
        safety, found = finding.fix, None
        if safety != "none" and subject is not None:
            universe = subject.verdicts.universe
            context = contexts.setdefault(id(universe), Context(checked.contents, universe))
            try:
                found = plan(context, subject, finding)
                safety = "unsafe" if found.unsafe else safety
            except CannotFixError:
                safety = "none"
        findings.append(replace(finding, fix=safety))
        fixes.append(found)
    return replace(checked, findings=tuple(findings), fixes=tuple(fixes))
