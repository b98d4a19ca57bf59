"""The part of lowering that is the same for the trees of both parsers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from inflint.syntax import facts

if TYPE_CHECKING:
    from collections.abc import Callable

INDENT = "if 1:\n"
"""Gives an indented definition a block to stand in."""


def is_indented(text: str) -> bool:
    """Whether a text parses only below :data:`INDENT`."""
    return text[:1] in " \t\f"


class Lowering(ABC):
    """Lowers the nodes of one function, or one statement.

    The nodes have the type of the parser's tree; what is done here with them asks for
    attributes that both trees name alike.

    Args:
        owner: The enclosing class, for name mangling.

    Attributes:
        spans: The positions of all sites so far, if they are looked for.
    """

    def __init__(self, owner: str | None) -> None:
        self._mangle = f"_{owner.lstrip('_')}" if owner and owner.lstrip("_") else None
        self._sites = 0
        self._generator = False
        self.spans: list[facts.Span] = []

    @abstractmethod
    def expr(self, node: Any) -> facts.Expr:
        """Lower an expression."""

    @abstractmethod
    def _at(self, node: Any) -> int:
        """The number of the next site, at a node."""

    @abstractmethod
    def _params(self, params: Any) -> tuple[facts.Param, ...]:
        """Lower the parameters of a function."""

    def _private(self, name: str) -> str:
        if self._mangle and name.startswith("__") and not name.endswith("__"):
            return self._mangle + name
        return name

    def _function(
        self,
        name: str,
        params: Any,
        decorators: tuple[facts.Expr, ...],
        body: Callable[[], facts.Body],
        at: int,
    ) -> facts.Function:
        lowered = self._params(params)
        outer, self._generator = self._generator, False
        statements = body()
        generator, self._generator = self._generator, outer
        return facts.Function(name, lowered, decorators, statements, generator, at)

    def _anonymous(self, node: Any, params: Any) -> facts.Expr:
        """A ``lambda``."""
        at = self._at(node)

        def body() -> facts.Body:
            site = self._at(node.body)
            return (facts.Return(site, self.expr(node.body)),)

        return facts.Lambda(at, self._function("<lambda>", params, (), body, at))

    # Statements

    def _annotated(self, node: Any) -> facts.Body:
        if node.value is None:
            return ()
        at = self._at(node)
        return (facts.Assign(at, (self.expr(node.target),), self.expr(node.value)),)

    def _expression(self, node: Any) -> facts.Body:
        at = self._at(node)
        return (facts.Evaluate(at, self.expr(node.value)),)

    def _return(self, node: Any) -> facts.Body:
        at = self._at(node)
        return (facts.Return(at, None if node.value is None else self.expr(node.value)),)

    def _raise(self, node: Any) -> facts.Body:
        at = self._at(node)
        return (facts.Raise(at, () if node.exc is None else (self.expr(node.exc),)),)

    def _assert(self, node: Any) -> facts.Body:
        at = self._at(node)
        return (facts.Branch(at, self.expr(node.test), (), (facts.Raise(at, ()),)),)

    # Expressions

    def _choice(self, node: Any) -> facts.Expr:
        at = self._at(node)
        return facts.Choice(at, self.expr(node.test), self.expr(node.body), self.expr(node.orelse))

    def _walrus(self, node: Any) -> facts.Expr:
        return facts.Walrus(self.expr(node.target), self.expr(node.value))

    def _starred(self, node: Any) -> facts.Expr:
        return facts.Star(self.expr(node.value))
