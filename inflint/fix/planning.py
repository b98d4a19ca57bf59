"""Which fixer answers which rule, and what it needs to know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inflint.fix import listing, names, override, sharing, suppressions
from inflint.fix.edits import CannotFixError, Document, Fix
from inflint.fix.layout import Layout
from inflint.fix.tree import Piece

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.model.units import SourceFile, Unit
    from inflint.model.universe import Universe

FIXERS: dict[str, Callable[[Context, Subject, Finding], Fix]] = {
    "INF101": override.add_api,
    "INF102": override.add_base,
    "INF103": override.add_method,
    "INF104": listing.rename_method,
    "INF201": names.add_unlisted,
    "INF202": names.drop_used,
    "INF203": names.correct_name,
    "INF204": listing.make_a_list,
    "INF205": sharing.parenthesise,
    "INF206": sharing.build_anew,
    "INF207": names.drop_redundant,
}
"""Each takes the finding, the class it is about and the files; it returns edits or raises."""
TEXTUAL: dict[str, Callable[[Document, Finding], Fix]] = {"INF901": suppressions.remove_unused}
"""Each takes a file's text and a finding in it, which is about no class."""
SUCCESSORS = {"INF101": "INF201"}
"""Rules whose findings live on under another code once the API is there."""
WAKES = frozenset(("INF102", "INF103", "INF104", "INF203", "INF204", "INF205", "INF206"))
"""Rules after whose fix the list is heeded or known, so that its other faults come to light."""
BUILDS_ON_BASES = frozenset(("INF101", "INF102", "INF103", "INF201"))
"""Rules whose fix depends on what the bases of the class declare."""


class Context:
    """The files of one pass, parsed at most once each.

    Attributes:
        universe: Where names resolve.
    """

    def __init__(self, contents: Mapping[Path, bytes], universe: Universe) -> None:
        self.universe = universe
        self._contents = contents
        self._documents: dict[Path, Document] = {}
        self._layouts: dict[Path, Layout] = {}
        self._pieces: dict[Unit, Piece] = {}

    def document(self, path: Path) -> Document:
        """A file's text.

        Raises:
            CannotFixError: The file is not among those to be fixed.
        """
        if path not in self._documents:
            if path not in self._contents:
                raise CannotFixError("it is written in a file outside the given paths")
            self._documents[path] = Document(self._contents[path])
        return self._documents[path]

    def layout(self, file: SourceFile) -> Layout:
        """A file's statements and habits. Raises as :meth:`document`."""
        if file.path not in self._layouts:
            self._layouts[file.path] = Layout(self.document(file.path))
        return self._layouts[file.path]

    def piece(self, unit: Unit) -> Piece:
        """A function or statement as a tree. Raises as :meth:`document`."""
        if unit not in self._pieces:
            self._pieces[unit] = Piece(self.document(unit.file.path), unit)
        return self._pieces[unit]


def plan(context: Context | None, subject: Subject | None, finding: Finding) -> Fix:
    """The edits for a finding.

    Raises:
        CannotFixError: There are none; the message says why.
    """
    fixer = FIXERS.get(finding.code)
    if fixer is None or subject is None or context is None:
        raise CannotFixError("there is no fix for it")
    fix = fixer(context, subject, finding)
    if not fix.edits:
        raise CannotFixError("there is nothing to edit")
    return fix


def plan_text(contents: Mapping[Path, bytes], finding: Finding) -> Fix:
    """The edits for a finding on text alone. Raises as :func:`plan`."""
    return TEXTUAL[finding.code](Document(contents[finding.path]), finding)
