"""The files that the codemod works on, and those around them that it must not break."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from inflint.engine.heirs import heirs
from inflint.engine.places import placed
from inflint.engine.run import Request, check
from inflint.fix.edits import CannotFixError
from inflint.fix.passes import Outcome
from inflint.sources.embedding import RestoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.engine.run import Checked
    from inflint.fix.passes import Left
    from inflint.sources.embedding import Embedding


class Workspace:
    """What the passes of the codemod see of the files, and what becomes of these.

    The passes edit Python; this puts it into the documents that it was taken from.

    Raises as :func:`~inflint.engine.run.check`.
    """

    def __init__(self, request: Request) -> None:
        self._request = request.entire()
        self._first = check(self._request)
        bases = {s.cls.name for s in self._first.subjects if s is not None}
        self._heirs = heirs(bases, self._first.contents)
        self._embeddings: dict[Path, Embedding] = {}
        self._places: dict[int, tuple[Finding, Finding]] = {}

    def look(self, overlay: Mapping[Path, bytes]) -> Checked:
        """Check with some Python replaced.

        Raises:
            CannotFixError: A document cannot hold it.
        """
        checked = self._check(overlay) if overlay or self._heirs else self._first
        self._embeddings = {**checked.embeddings, **self._embeddings}
        for finding in checked.findings:
            if finding.path in checked.embeddings:  # kept, so that its id stays its own
                self._places[id(finding)] = finding, placed(finding, checked.embeddings)
        return checked._replace(subjects=editable(checked))

    def outcome(self, outcome: Outcome) -> Outcome:
        """The same outcome for the documents, as a user sees them."""
        before = {p: self._embeddings[p].data if p in self._embeddings else d
                  for p, d in outcome.before.items()}  # fmt: skip
        after = {path: self._whole(path, data) for path, data in outcome.after.items()}
        applied = tuple(replace(p, finding=self._placed(p.finding)) for p in outcome.applied)
        return Outcome(before, after, applied, tuple(self._left(left) for left in outcome.left))

    def _check(self, overlay: Mapping[Path, bytes]) -> Checked:
        contents = {path: self._whole(path, data) for path, data in overlay.items()}
        request = self._request
        paths = (*request.paths, *self._heirs)
        seen = check(request.over(paths, contents))
        return seen._replace(contents=_Only(seen.contents, frozenset(self._first.contents)))

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


def uneditable(checked: Checked) -> set[Path]:
    """The documents that take no edits."""
    return {path for path, each in checked.embeddings.items() if each.rebuild is None}


def editable(checked: Checked) -> tuple[Subject | None, ...]:
    """The classes behind the findings; None where the document takes no edits."""
    closed = uneditable(checked)
    pairs = zip(checked.findings, checked.subjects, strict=True)
    return tuple(None if finding.path in closed else subject for finding, subject in pairs)


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
