"""Source files and the pieces of them that are lowered, with the way back to positions."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from inflint.model.mentions import nodes
from inflint.syntax import facts, lower
from inflint.syntax.facts import Span
from inflint.syntax.headers import Scope, cut, read_header, split_lines

if TYPE_CHECKING:
    from pathlib import Path


class SourceFile:
    """One file's text, its header, and the facts of those parts that were asked for.

    Raises on construction:
        HeaderError: The text does not parse.
    """

    def __init__(self, path: Path, module: str, text: str) -> None:
        self.path = path
        self.module = module
        self.lines = split_lines(text)
        self.header: Scope = read_header(text)
        self._functions: dict[tuple[int, int], Unit] = {}
        self._statements: dict[Span, Unit] = {}

    def function(self, scope: Scope, owner: str | None, label: str) -> Unit:
        """The unit of a ``def``; ``owner`` is the enclosing class's name."""
        key = (scope.span.line, scope.span.column)
        if key not in self._functions:
            text = "".join(self.lines[scope.span.line - 1 : scope.span.end_line])
            whole = scope.span._replace(column=0)
            self._functions[key] = Unit(self, whole, text, owner, label)
        return self._functions[key]

    def statement(self, span: Span, owner: str | None, label: str) -> Unit:
        """The unit of a simple statement."""
        if span not in self._statements:
            text = cut(self.lines, span)
            self._statements[span] = Unit(self, span, text, owner, label)
        return self._statements[span]

    def head(self, scope: Scope, label: str) -> Unit:
        """The unit of ``class Name``: a place without parts."""
        if scope.head not in self._statements:
            self._statements[scope.head] = Unit(self, scope.head, "", None, label, whole=True)
        return self._statements[scope.head]


class Unit:
    """A function or statement that is lowered on its own.

    ``whole`` says that it is only a place: all its sites are its span.
    """

    def __init__(
        self,
        file: SourceFile,
        span: Span,
        text: str,
        owner: str | None,
        label: str,
        *,
        whole: bool = False,
    ) -> None:
        self.file = file
        self.span = span
        self.label = label
        self._text = text
        self._owner = owner
        self._whole = whole

    @cached_property
    def function(self) -> facts.Function:
        """The facts of a ``def``. Raises :class:`~inflint.syntax.lower.LoweringError`."""
        return lower.lower_function(self._text, self._owner)

    @cached_property
    def body(self) -> facts.Body:
        """The facts of a statement. Raises :class:`~inflint.syntax.lower.LoweringError`."""
        return lower.lower_statement(self._text, self._owner)

    def literal(self, at: int) -> facts.Const | None:
        """The literal at a site, if it is one."""
        lowered = self.function if self.is_function else self.body
        found = (n for n in nodes(lowered) if isinstance(n, facts.Const) and n.at == at)
        return next(found, None)

    @property
    def is_function(self) -> bool:
        """Whether the unit is a ``def``."""
        return "function" in self.__dict__

    @cached_property
    def _spans(self) -> tuple[Span, ...]:
        return lower.spans(self._text, self._owner)

    def span_of(self, at: int) -> Span:
        """Where a site stands in the file."""
        if self._whole:
            return self.span
        local = self._spans[at]
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
