"""One function or statement as a LibCST tree, with each node's place in the file's text."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import libcst as cst
from libcst.metadata import MetadataWrapper, ParentNodeProvider, PositionProvider

from inflint.syntax.headers import cut
from inflint.syntax.lower_cst import parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from libcst.metadata import CodeRange

    from inflint.fix.edits import Document
    from inflint.model.units import Unit
    from inflint.syntax.facts import Span

_Node = TypeVar("_Node", bound=cst.CSTNode)


class Piece:
    """A parsed unit of a document.

    Attributes:
        root: The function or statement.
        document: The file it stands in.
    """

    def __init__(self, document: Document, unit: Unit) -> None:
        lines, span = document.lines, unit.span
        if unit.fragment.is_function:
            text = "".join(lines[span.line - 1 : span.end_line])
        else:
            text = cut(lines, span)
        module, self.root = parse(text)
        self.document = document
        wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
        self._positions: Mapping[cst.CSTNode, CodeRange] = wrapper.resolve(PositionProvider)
        self._parents: Mapping[cst.CSTNode, cst.CSTNode] = wrapper.resolve(ParentNodeProvider)
        self._first = span.line - 1 - (1 if text[:1] in " \t\f" else 0)
        self._column = span.column

    def start(self, node: cst.CSTNode) -> int:
        """Where a node begins in the file's text."""
        place = self._positions[node].start
        return self._offset(place.line, place.column)

    def end(self, node: cst.CSTNode) -> int:
        """Where a node ends."""
        place = self._positions[node].end
        return self._offset(place.line, place.column)

    def _offset(self, line: int, column: int) -> int:
        shift = self._column if line == 1 else 0
        return self.document.offset(line + self._first, column + shift)

    def outer(self, node: cst.CSTNode) -> tuple[int, int]:
        """Where an expression begins and ends, its own parentheses included."""
        opening, closing = getattr(node, "lpar", ()), getattr(node, "rpar", ())
        return (
            self.start(opening[0]) if opening else self.start(node),
            self.end(closing[-1]) if closing else self.end(node),
        )

    def source(self, node: cst.CSTNode) -> str:
        """The text of an expression, its own parentheses included."""
        start, end = self.outer(node)
        return self.document.text[start:end]

    def parent(self, node: cst.CSTNode) -> cst.CSTNode:
        """The node that a node is a part of."""
        return self._parents[node]

    def statement(self, node: cst.CSTNode) -> cst.BaseSmallStatement | None:
        """The simple statement that a node is a part of."""
        while not isinstance(node, (cst.BaseSmallStatement, cst.Module)):
            node = self.parent(node)
        return node if isinstance(node, cst.BaseSmallStatement) else None

    def nodes(self, kind: type[_Node], below: cst.CSTNode | None = None) -> Iterator[_Node]:
        """All nodes of a kind, in source order."""
        stack: list[cst.CSTNode] = [self.root if below is None else below]
        while stack:
            node = stack.pop()
            if isinstance(node, kind):
                yield node
            stack.extend(reversed(node.children))

    def at(self, span: Span, kind: type[_Node]) -> _Node | None:
        """The outermost node of a kind that stands at a place in the file."""
        start = self.document.offset(span.line, span.column)
        end = self.document.offset(span.end_line, span.end_column)
        for node in self.nodes(kind):
            if self.start(node) == start and self.end(node) == end:
                return node
        return None

    def comments_in(self, start: int, end: int) -> bool:
        """Whether a comment stands in a region of the file."""
        return any(start <= self.start(c) < end for c in self.nodes(cst.Comment))

    def body(self) -> tuple[cst.BaseStatement | cst.BaseSmallStatement, ...]:
        """The statements of the function, without its docstring."""
        if not isinstance(self.root, cst.FunctionDef):
            return ()
        found: list[cst.BaseStatement | cst.BaseSmallStatement] = []
        for line in self.root.body.body:
            found.extend(line.body if isinstance(line, cst.SimpleStatementLine) else [line])
        first = found[0] if found else None
        text = (cst.SimpleString, cst.ConcatenatedString)
        if isinstance(first, cst.Expr) and isinstance(first.value, text):
            found = found[1:]
        return tuple(found)

    def returns(self) -> list[cst.Return]:
        """The function's own ``return`` statements."""
        found: list[cst.Return] = []
        stack: list[cst.CSTNode] = [self.root]
        while stack:
            node = stack.pop()
            if isinstance(node, cst.Return):
                found.append(node)
            nested = isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.Lambda))
            if not nested or node is self.root:
                stack.extend(reversed(node.children))
        return found
