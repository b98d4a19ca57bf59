"""One run of the codemod over a set of paths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from inflint.engine.heirs import heirs
from inflint.engine.run import Request, check
from inflint.engine.selections import Selections
from inflint.engine.stack import with_deep_stack
from inflint.fix.edits import CannotFixError, Document
from inflint.fix.passes import converge
from inflint.fix.planning import Context, plan
from inflint.sources.decode import DecodeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inflint.checks.finding import Finding
    from inflint.engine.run import Checked
    from inflint.fix.edits import Fix
    from inflint.fix.passes import Outcome


def fix(request: Request, *, unsafe: bool) -> Outcome:
    """What the fixes of a request's rules make of its files; nothing is written.

    Other files of the project whose classes derive from those with findings are checked as
    well, so that no edit breaks them; they are not edited.

    Raises as :func:`~inflint.engine.run.check`.
    """
    first = check(replace(request, whole=True))
    bases = {s.cls.name for s in first.subjects if s is not None}
    more = heirs(bases, first.contents)

    def look(overlay: Mapping[Path, bytes]) -> Checked:
        if not overlay and not more:
            return first
        contents = {**request.overlay, **overlay}
        paths = (*request.paths, *more)
        seen = check(replace(request, paths=paths, whole=True, overlay=contents))
        return replace(seen, contents=_Only(seen.contents, frozenset(first.contents)))

    selections = Selections(request.lookup, request.codes)

    def wanted(finding: Finding) -> bool:
        return finding.code in selections.active(finding.path)

    return with_deep_stack(lambda: converge(look, wanted=wanted, unsafe=unsafe))


class _Only(Mapping[Path, bytes]):
    """Some of the files of a mapping."""

    def __init__(self, contents: Mapping[Path, bytes], paths: frozenset[Path]) -> None:
        self._contents = contents
        self._paths = paths

    def __getitem__(self, path: Path) -> bytes:
        if path not in self._paths:
            raise KeyError(path)
        return self._contents[path]

    def __iter__(self) -> Iterator[Path]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


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
        except (CannotFixError, DecodeError):
            continue
        if data != checked.contents[path]:
            written[path] = Hidden(data, len(places))
    return written
