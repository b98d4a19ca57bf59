"""One run of the codemod over a set of paths."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from inflint.engine.distant import Distant, distant
from inflint.engine.selections import Selections
from inflint.engine.stack import with_deep_stack
from inflint.engine.workspace import Workspace, uneditable
from inflint.fix.edits import CannotFixError, Document
from inflint.fix.passes import converge
from inflint.fix.planning import Context, plan
from inflint.sources.decode import DecodeError
from inflint.sources.embedding import RestoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.engine.examine import Found
    from inflint.engine.run import Checked, Request
    from inflint.fix.edits import Fix
    from inflint.fix.passes import Outcome


def fix(request: Request, *, unsafe: bool) -> Outcome:
    """What the fixes of a request's rules make of its files; nothing is written.

    Other files of the project whose classes derive from those with findings are checked as
    well, so that no edit breaks them; they are not edited.

    Raises as :func:`~inflint.engine.run.check`.
    """
    workspace = Workspace(request)
    selections = Selections(request.lookup, request.codes)

    def wanted(finding: Finding) -> bool:
        return finding.code in selections.active(finding.path)

    run = with_deep_stack(lambda: converge(workspace.look, wanted=wanted, unsafe=unsafe))
    return workspace.outcome(run)


def graded(checked: Checked) -> Checked:
    """The same findings, each with the edit that there really is for it, and its safety."""
    return with_deep_stack(lambda: _graded(checked))


def _graded(checked: Checked) -> Checked:
    planner = _Planner(checked.contents)
    findings = []
    fixes: list[Fix | None] = []
    closed = uneditable(checked)
    for finding, subject in zip(checked.findings, checked.subjects, strict=True):
        shut = finding.path in closed
        planned = _Planned("none", None) if shut else planner.plan(finding, subject)
        findings.append(replace(finding, fix=planned.safety))
        fixes.append(planned.fix)
    return checked._replace(findings=tuple(findings), fixes=tuple(fixes), graded=True)


def sendable(
    found: Iterable[Found],
    contents: Mapping[Path, bytes],
    asked: Callable[[Finding], bool] = lambda _: True,
) -> tuple[Found, ...]:
    """Findings without the classes, which are large, and with the edits for some planned."""
    planner = _Planner(contents)

    def planned(finding: Finding, subject: Subject) -> Subject:
        known = planner.plan(finding, subject) if asked(finding) else _Planned(finding.fix, None)
        return distant(subject, *known)

    return tuple((f, None if s is None else planned(f, s)) for f, s in found)


class _Planned(NamedTuple):
    safety: str
    fix: Fix | None


class _Planner:
    """Says which edits there really are."""

    def __init__(self, contents: Mapping[Path, bytes]) -> None:
        self._contents = contents
        self._contexts: dict[int, Context] = {}

    def plan(self, finding: Finding, subject: Subject | None) -> _Planned:
        if isinstance(subject, Distant):
            return _Planned(subject.safety, subject.fix)
        if finding.fix == "none" or subject is None:
            return _Planned(finding.fix, None)
        universe = subject.verdicts.universe
        context = self._contexts.setdefault(id(universe), Context(self._contents, universe))
        try:
            fix = plan(context, subject, finding)
        except CannotFixError:
            return _Planned("none", None)
        return _Planned("unsafe" if fix.unsafe else finding.fix, fix)


class Hidden(NamedTuple):
    """A file's new bytes, and how many findings the comments in them hide."""

    data: bytes
    findings: int


def noqa(checked: Checked) -> dict[Path, Hidden]:
    """The files of a check with comments that hide its findings; those alone that change."""
    return with_deep_stack(lambda: _noqa(checked))


def _noqa(checked: Checked) -> dict[Path, Hidden]:
    from inflint.fix.suppressions import NOT_WRITTEN, add_noqa

    lines: dict[Path, list[tuple[int, str]]] = {}
    for finding in checked.findings:
        if finding.code not in NOT_WRITTEN:
            lines.setdefault(finding.path, []).append((finding.span.line, finding.code))
    written = {}
    for path, places in lines.items():
        try:
            document = Document(checked.contents[path])
            data = document.spliced(add_noqa(document, places))
            if path in checked.embeddings:
                data = checked.embeddings[path].restored(data)
        except (CannotFixError, DecodeError, RestoreError):
            continue
        if data != checked.whole(path):
            written[path] = Hidden(data, len(places))
    return written
