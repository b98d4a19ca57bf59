"""Source files and the pieces of them that are lowered, with the way back to positions."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

from inflint.model.mentions import nodes
from inflint.syntax import facts
from inflint.syntax.errors import LoweringError
from inflint.syntax.facts import Span
from inflint.syntax.fragments import Fragment, Memory, Place, TextFragment
from inflint.syntax.headers import Scope, cut, read_header, split_lines
from inflint.syntax.sections import Section, read_sections

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


class Fragments(Protocol):
    """Where a file's fragments come from.

    Attributes:
        text: The file's text; empty where only facts are known.
    """

    text: str

    def function(self, scope: Scope, owner: str | None) -> Fragment:
        """The fragment of a ``def``; ``owner`` is the enclosing class's name."""

    def statement(self, span: Span, owner: str | None) -> Fragment:
        """The fragment of a simple statement."""

    def whole(self) -> Fragment:
        """The fragment of the whole file."""


class Text:
    """Fragments cut out of a file's text."""

    def __init__(self, text: str, memory: Memory | None = None) -> None:
        self.text = text
        self._memory = memory

    @cached_property
    def _lines(self) -> list[str]:
        return split_lines(self.text)

    def function(self, scope: Scope, owner: str | None) -> Fragment:
        """The lines of a ``def``, decorators included."""
        text = "".join(self._lines[scope.span.line - 1 : scope.span.end_line])
        return TextFragment(text, owner, is_function=True, memory=self._memory)

    def statement(self, span: Span, owner: str | None) -> Fragment:
        """The text of a statement."""
        text = cut(self._lines, span)
        return TextFragment(text, owner, is_function=False, memory=self._memory)

    def whole(self) -> Fragment:
        """The whole file."""
        return TextFragment(self.text, None, is_function=False, memory=self._memory)


class SourceFile:
    """One file: its header, and the facts of those parts that are asked for.

    ``recorded`` says that it comes from a snapshot; its path is then the package's own.
    ``sections`` are the module's scopes as its parts see them (:mod:`inflint.syntax.sections`).
    """

    def __init__(
        self,
        path: Path,
        module: str,
        header: Scope,
        fragments: Fragments,
        *,
        recorded: bool = False,
        sections: Sequence[Section] = (),
    ) -> None:
        self.path = path
        self.module = module
        self.header = header
        self.recorded = recorded
        self._fragments = fragments
        self._sections = sections
        self._units: dict[Span, Unit] = {}

    @classmethod
    def from_text(
        cls,
        path: Path,
        module: str,
        text: str,
        starts: Sequence[int] = (),
        memory: Memory | None = None,
    ) -> SourceFile:
        """Read a file's text.

        Args:
            path: The file.
            module: Its dotted name.
            text: Its text.
            starts: The lines on which its sections begin; none for ordinary files.
            memory: What is known of the text's parts from before.

        Raises:
            HeaderError: The text does not parse.
        """
        header: Scope
        if memory is None:
            header = read_header(text)
        else:
            header = memory.recall("header", text, None, lambda: read_header(text))
        sections = read_sections(text, header, starts) if len(starts) > 1 else ()
        return cls(path, module, header, Text(text, memory), sections=sections)

    def scope_at(self, line: int) -> Scope:
        """The module's scope, as what stands at a line sees it."""
        return next((s.scope for s in reversed(self._sections) if s.line <= line), self.header)

    def module_scopes(self) -> tuple[Scope, ...]:
        """The module's scope, as each part of the file sees it."""
        return tuple(s.scope for s in self._sections) or (self.header,)

    def seen_from(self, chain: tuple[Scope, ...]) -> tuple[Scope, ...]:
        """A chain of scopes below the module's, which is as the second one sees it."""
        if not self._sections or len(chain) < 2:
            return chain
        return (self.scope_at(chain[1].span.line), *chain[1:])

    @cached_property
    def directory(self) -> str:
        """Where it stands."""
        return str(self.path.parent)

    @property
    def is_package(self) -> bool:
        """Whether other modules stand below it."""
        return self.path.name == "__init__.py"

    def function(self, scope: Scope, owner: str | None, label: str) -> Unit:
        """The unit of a ``def``; ``owner`` is the enclosing class's name."""
        if scope.span not in self._units:
            fragment = self._fragments.function(scope, owner)
            self._units[scope.span] = Unit(self, scope.span._replace(column=0), fragment, label)
        return self._units[scope.span]

    def statement(self, span: Span, owner: str | None, label: str) -> Unit:
        """The unit of a simple statement."""
        if span not in self._units:
            fragment = self._fragments.statement(span, owner)
            self._units[span] = Unit(self, span, fragment, label)
        return self._units[span]

    def whole(self) -> Unit:
        """The unit of the whole file, for what stands outside of any class in question."""
        return Unit(self, self.header.span, self._fragments.whole(), "")

    def mentioned(self) -> str:
        """The file's text; empty where only its facts are known."""
        return self._fragments.text

    def head(self, scope: Scope, label: str) -> Unit:
        """The unit of ``class Name`` or ``def name``: a place without parts."""
        if scope.head not in self._units:
            self._units[scope.head] = Unit(self, scope.head, Place(), label)
        return self._units[scope.head]

    def fragments(self) -> Iterator[tuple[Span, Fragment]]:
        """All fragments that were asked for so far, and where they stand."""
        for span, unit in self._units.items():
            if not isinstance(unit.fragment, Place):
                yield span, unit.fragment


class Unit:
    """A function or statement that is lowered on its own."""

    def __init__(self, file: SourceFile, span: Span, fragment: Fragment, label: str) -> None:
        self.file = file
        self.span = span
        self.fragment = fragment
        self.label = label

    @property
    def function(self) -> facts.Function:
        """The facts of a ``def``. Raises :class:`~inflint.syntax.errors.LoweringError`."""
        return self.fragment.function

    @property
    def body(self) -> facts.Body:
        """The facts of a statement. Raises :class:`~inflint.syntax.errors.LoweringError`."""
        return self.fragment.body

    def literal(self, at: int) -> facts.Const | None:
        """The literal at a site, if it is one."""
        lowered = self.function if self.fragment.is_function else self.body
        found = (n for n in nodes(lowered) if isinstance(n, facts.Const) and n.at == at)
        return next(found, None)

    def span_of(self, at: int) -> Span:
        """Where a site stands in the file."""
        if isinstance(self.fragment, Place):
            return self.span
        try:
            local = self.fragment.spans[at]
        except LoweringError:  # nested too deeply for positions
            return self.span
        first, column = self.span.line - 1, self.span.column
        return Span(
            local.line + first,
            local.column + (column if local.line == 1 else 0),
            local.end_line + first,
            local.end_column + (column if local.end_line == 1 else 0),
        )


class Site(NamedTuple):
    """A place in a unit."""

    unit: Unit
    at: int

    @property
    def span(self) -> Span:
        """Where it stands in its file."""
        return self.unit.span_of(self.at)

    @property
    def path(self) -> Path:
        """The file."""
        return self.unit.file.path
