"""A piece of source whose facts are made on demand: from its text, or from a record."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from inflint.syntax import lower

if TYPE_CHECKING:
    from inflint.syntax import facts


class Fragment(Protocol):
    """A function, or one statement.

    Attributes:
        function: The facts of a ``def``.
        body: The facts of a statement.
        spans: Positions of all sites, relative to the fragment's first line.

    All raise :class:`~inflint.syntax.lower.LoweringError` where the text does not parse.
    """

    @property
    def is_function(self) -> bool:
        """Whether it is a ``def``."""

    @property
    def function(self) -> facts.Function:
        """The facts of a ``def``."""

    @property
    def body(self) -> facts.Body:
        """The facts of a statement."""

    @property
    def spans(self) -> tuple[facts.Span, ...]:
        """Positions of all sites, relative to the fragment's first line."""


@dataclass
class TextFragment:
    """A fragment that is lowered from its text; ``owner`` mangles private names."""

    text: str
    owner: str | None
    is_function: bool

    @cached_property
    def function(self) -> facts.Function:
        """The facts of a ``def``."""
        return lower.lower_function(self.text, self.owner)

    @cached_property
    def body(self) -> facts.Body:
        """The facts of a statement."""
        return lower.lower_statement(self.text, self.owner)

    @cached_property
    def spans(self) -> tuple[facts.Span, ...]:
        """Positions of all sites."""
        return lower.spans(self.text, self.owner)


@dataclass(frozen=True)
class Place:
    """A fragment without parts: all its sites are the one span where it stands."""

    is_function: bool = False

    @property
    def function(self) -> facts.Function:
        """There is none."""
        raise lower.LoweringError("a place has no body", 1)

    @property
    def body(self) -> facts.Body:
        """There is none."""
        return ()

    @property
    def spans(self) -> tuple[facts.Span, ...]:
        """There are none: the unit's own span holds."""
        return ()
