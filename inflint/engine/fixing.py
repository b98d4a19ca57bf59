"""One run of the codemod over a set of paths."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from inflint.engine.places import placed
from inflint.engine.run import Request, check
from inflint.engine.selections import Selections
from inflint.engine.stack import with_deep_stack
from inflint.fix.edits import CannotFixError, Document
from inflint.fix.passes import Outcome, converge
from inflint.fix.planning import Context, plan
from inflint.sources.decode import DecodeError
from inflint.sources.embedding import RestoreError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.engine.run import Checked
    from inflint.fix.edits import Fix
    from inflint.fix.passes import Left
    from inflint.sources.embedding import Embedding


def fix(request: Request, *, unsafe: bool) -> Outcome:
    """What the fixes of a request's rules make of its files; nothing is written.

    Raises as :func:`~inflint.engine.run.check`.
    """
    documents = _Documents(request)
    selections = Selections(request.lookup, request.codes)

    def wanted(finding: Finding) -> bool:
        return finding.code in selections.active(finding.path)

    run = with_deep_stack(lambda: converge(documents.look, wanted=wanted, unsafe=unsafe))
    return documents.outcome(run)


class _Documents:
    """The passes edit Python; this puts it into the documents that it was taken from."""

    def __init__(self, request: Request) -> None:
        self._request = replace(request, whole=True)
        self._embeddings: dict[Path, Embedding] = {}
        self._places: dict[int, tuple[Finding, Finding]] = {}

    def look(self, overlay: Mapping[Path, bytes]) -> Checked:
        """Check with some Python replaced.

        Raises:
            CannotFixError: A document cannot hold it.
        """
        contents = {path: self._whole(path, data) for path, data in overlay.items()}
        checked = check(replace(self._request, overlay={**self._request.overlay, **contents}))
        self._embeddings = {**checked.embeddings, **self._embeddings}
        for finding in checked.findings:
            if finding.path in checked.embeddings:  # kept, so that its id stays its own
                self._places[id(finding)] = finding, placed(finding, checked.embeddings)
        return replace(checked, subjects=_editable(checked))

    def outcome(self, outcome: Outcome) -> Outcome:
        """The same outcome for the documents, as a user sees them."""
        before = {p: self._embeddings[p].data if p in self._embeddings else d
                  for p, d in outcome.before.items()}  # fmt: skip
        after = {path: self._whole(path, data) for path, data in outcome.after.items()}
        applied = tuple(replace(p, finding=self._placed(p.finding)) for p in outcome.applied)
        return Outcome(before, after, applied, tuple(self._left(left) for left in outcome.left))

    def _whole(self, path: Path, python: bytes) -> bytes:
        if path not in self._embeddings:
            return python
        try:
            return self._embeddings[path].restored(python)
        except RestoreError as error:
            raise CannotFixError(str(error)) from None

    def _placed(self, finding: Finding) -> Finding:
        known = self._places.get(id(finding))
        return finding if known is None else known[1]

    def _left(self, left: Left) -> Left:
        embedding = self._embeddings.get(left.finding.path)
        fixed = embedding is None or embedding.rebuild is not None or not embedding.chunks
        reason = left.reason if fixed else "Markdown is checked, but not edited"
        return replace(left, finding=self._placed(left.finding), reason=reason)


def _closed(checked: Checked) -> set[Path]:
    """The documents that take no edits."""
    return {path for path, each in checked.embeddings.items() if each.rebuild is None}


def _editable(checked: Checked) -> tuple[Subject | None, ...]:
    """The classes behind the findings; None where the document takes no edits."""
    closed = _closed(checked)
    pairs = zip(checked.findings, checked.subjects, strict=True)
    return tuple(None if finding.path in closed else subject for finding, subject in pairs)


def graded(checked: Checked) -> Checked:
    """The same findings, each with the edit that there really is for it, and its safety."""
    return with_deep_stack(lambda: _graded(checked))


def _graded(checked: Checked) -> Checked:
    contexts: dict[int, Context] = {}
    findings = []
    fixes: list[Fix | None] = []
    closed = _closed(checked)
    for finding, subject in zip(checked.findings, _editable(checked), strict=True):
        safety, found = "none" if finding.path in closed else finding.fix, None
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
            if path in checked.embeddings:
                data = checked.embeddings[path].restored(data)
        except (CannotFixError, DecodeError, RestoreError):
            continue
        if data != checked.whole(path):
            written[path] = Hidden(data, len(places))
    return written
