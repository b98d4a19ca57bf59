"""A piece of source whose facts are made on demand: from its text, or from a record."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from inflint.syntax.errors import LoweringError

if TYPE_CHECKING:
    from collections.abc import Callable

    from inflint.syntax import facts


class Fragment(Protocol):
    """A function, or one statement.

    Attributes:
        function: The facts of a ``def``.
        body: The facts of a statement.
        spans: Positions of all sites, relative to the fragment's first line.

    All raise :class:`~inflint.syntax.errors.LoweringError` where the text does not parse.
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


class Memory(Protocol):
    """What was made of some texts before."""

    def recall(self, kind: str, text: str, owner: str | None, make: Callable[[], Any]) -> Any:
        """What ``make`` returns or raises; it is not called where that is known."""


@dataclass
class TextFragment:
    """A fragment that is lowered from its text; ``owner`` mangles private names.

    The parser is asked only where ``memory`` does not know the answer.
    """

    text: str
    owner: str | None
    is_function: bool
    memory: Memory | None = None

    @cached_property
    def function(self) -> facts.Function:
        """The facts of a ``def``."""
        found: facts.Function = self._made("lower_function")
        return found

    @cached_property
    def body(self) -> facts.Body:
        """The facts of a statement."""
        found: facts.Body = self._made("lower_statement")
        return found

    @cached_property
    def spans(self) -> tuple[facts.Span, ...]:
        """Positions of all sites."""
        found: tuple[facts.Span, ...] = self._made("spans")
        return found

    def _made(self, kind: str) -> Any:
        def make() -> Any:
            from inflint.syntax import lower

            return getattr(lower, kind)(self.text, self.owner)

        return (
            make() if self.memory is None else self.memory.recall(kind, self.text, self.owner, make)
        )


@dataclass(frozen=True)
class Place:
    """A fragment without parts: all its sites are the one span where it stands."""

    is_function: bool = False

    @property
    def function(self) -> facts.Function:
        """There is none."""
        raise LoweringError("a place has no body", 1)

    @property
    def body(self) -> facts.Body:
        """There is none."""
        return ()

    @property
    def spans(self) -> tuple[facts.Span, ...]:
        """There are none: the unit's own span holds."""
        return ()
