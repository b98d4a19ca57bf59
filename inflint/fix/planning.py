"""Which fixer answers which rule, and what it needs to know."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING

from inflint.fix.edits import CannotFixError, Document, Fix
from inflint.fix.effects import risk, unready
from inflint.fix.layout import Layout
from inflint.fix.suppressions import remove_unused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.fix.tree import Piece
    from inflint.model.units import SourceFile, Unit
    from inflint.model.universe import Universe


def _fixer(place: str) -> Callable[[Context, Subject, Finding], Fix]:
    """A function of a module of this package, which is imported when it is called."""
    module, _, name = place.partition(".")

    def fixer(context: Context, subject: Subject, finding: Finding) -> Fix:
        found: Fix = getattr(import_module(f"inflint.fix.{module}"), name)(
            context, subject, finding
        )
        return found

    return fixer


FIXERS: dict[str, Callable[[Context, Subject, Finding], Fix]] = {
    "INF101": _fixer("override.add_api"),
    "INF102": _fixer("override.add_base"),
    "INF103": _fixer("override.add_method"),
    "INF104": _fixer("listing.rename_method"),
    "INF201": _fixer("names.add_unlisted"),
    "INF202": _fixer("names.drop_used"),
    "INF203": _fixer("names.correct_name"),
    "INF204": _fixer("listing.make_a_list"),
    "INF205": _fixer("sharing.parenthesise"),
    "INF206": _fixer("sharing.build_anew"),
    "INF207": _fixer("names.drop_redundant"),
    "INF301": _fixer("removal.delete_nested"),
    "INF302": _fixer("removal.delete_nested"),
    "INF303": _fixer("names.drop_undeletable"),
    "INF304": _fixer("building.move_to_setup"),
    "INF401": _fixer("containers.register"),
    "INF402": _fixer("state.pass_flag_on"),
    "INF405": _fixer("building.guard_build"),
}
"""Each takes the finding, the class it is about and the files; it returns edits or raises."""
TEXTUAL: dict[str, Callable[[Document, Finding], Fix]] = {"INF901": remove_unused}
"""Each takes a file's text and a finding in it, which is about no class."""
SUCCESSORS = {"INF101": "INF201"}
"""Rules whose findings live on under another code once the API is there."""
WAKES = frozenset(("INF102", "INF103", "INF104", "INF203", "INF204", "INF205", "INF206", "INF401"))
"""Rules after whose fix the list is heeded or known, so that its other faults come to light."""
STARTS = frozenset(("INF102", "INF104", "INF204"))
"""Rules before whose fix nothing of the list has any effect."""
ADDS = frozenset(("INF101", "INF201", "INF301", "INF302"))
"""Rules whose fix adds names to the list."""
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
            from inflint.fix.tree import Piece  # LibCST is slow to import

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
    if not fix.unsafe and finding.code in WAKES | ADDS:
        heeded = finding.code in WAKES
        unsafe = risk(context.universe, subject, fix, heeded=heeded)
        if not unsafe and finding.code in STARTS:
            unsafe = unready(subject, finding)
        fix = replace(fix, unsafe=unsafe)
    return fix


def plan_text(contents: Mapping[Path, bytes], finding: Finding) -> Fix:
    """The edits for a finding on text alone. Raises as :func:`plan`."""
    return TEXTUAL[finding.code](Document(contents[finding.path]), finding)
