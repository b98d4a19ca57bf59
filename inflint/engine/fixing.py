"""One run of the codemod over a set of paths."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inflint.engine.run import Request, check
from inflint.engine.selections import Selections
from inflint.engine.stack import with_deep_stack
from inflint.fix.edits import CannotFixError, Document
from inflint.fix.passes import converge
from inflint.fix.planning import Context, plan
from inflint.sources.decode import DecodeError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from inflint.checks.finding import Finding
    from inflint.engine.run import Checked
    from inflint.fix.edits import Fix
    from inflint.fix.passes import Outcome


def fix(request: Request, *, unsafe: bool) -> Outcome:
    """What the fixes of a request's rules make of its files; nothing is written.

    Raises as :func:`~inflint.engine.run.check`.
    """

    def look(overlay: Mapping[Path, bytes]) -> Checked:
        contents = {**request.overlay, **overlay}
        return check(replace(request, whole=True, overlay=contents))

    selections = Selections(request.lookup, request.codes)

    def wanted(finding: Finding) -> bool:
        return finding.code in selections.active(finding.path)

    return with_deep_stack(lambda: converge(look, wanted=wanted, unsafe=unsafe))


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


def noqa(checked: Checked) -> dict[Path, bytes]:
    """The files of a check with comments that hide its findings; those alone that change."""
    from inflint.fix.suppressions import add_noqa

    lines: dict[Path, dict[int, set[str]]] = {}
    for finding in checked.findings:
        lines.setdefault(finding.path, {}).setdefault(finding.span.line, set()).add(finding.code)
    written = {}
    for path, by_line in lines.items():
        try:
            document = Document(checked.contents[path])
            edits = add_noqa(document, {n: frozenset(codes) for n, codes in by_line.items()})
            data = document.spliced(edits)
        except (CannotFixError, DecodeError):
            continue
        if data != checked.contents[path]:
            written[path] = data
    return written
