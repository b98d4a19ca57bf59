"""A generator of names as a method that returns their list."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from inflint.fix.edits import CannotFixError, Edit

if TYPE_CHECKING:
    from inflint.fix.layout import Layout
    from inflint.fix.tree import Piece

_VARIABLE = "names"


def list_of_yields(piece: Piece, layout: Layout) -> list[Edit]:
    """Edits that make the method return a list of what it yields.

    Raises:
        CannotFixError: It yields in the middle of an expression.
    """
    yields = list(piece.nodes(cst.Yield))
    if not yields:
        return _lists(piece)
    body = piece.body()
    statements = [s for s in body if isinstance(s, cst.Expr) and isinstance(s.value, cst.Yield)]
    straight = len(statements) == len(body) == len(yields)
    edits = _straight(piece, statements, layout) if straight else _collected(piece, yields)
    return [*_annotation(piece, layout), *edits]


def _lists(piece: Piece) -> list[Edit]:
    """Lists in place of generator expressions, ``map()`` and the like that are returned."""
    edits = []
    for statement in piece.returns():
        value = statement.value
        if isinstance(value, cst.GeneratorExp):
            start, end = piece.outer(value)
            edits += [Edit(start, start + 1, "["), Edit(end - 1, end, "]")]
        elif isinstance(value, cst.Call):
            start, end = piece.outer(value)
            edits += [Edit(start, start, "list("), Edit(end, end, ")")]
    return edits


def _annotation(piece: Piece, layout: Layout) -> list[Edit]:
    assert isinstance(piece.root, cst.FunctionDef)  # noqa: S101 - it is a method
    returns = piece.root.returns
    if returns is None or isinstance(returns.annotation, cst.Name):
        return []
    text = piece.source(returns.annotation)
    if "Iterator[" in text or "Generator[" in text:
        start, end = piece.outer(returns.annotation)
        return [Edit(start, end, layout.list_of_str())]
    return []


def _value(piece: Piece, node: cst.Yield) -> tuple[int, int, str]:
    """Where the yielded value stands, and ``*`` where it is unpacked."""
    value, star = node.value, ""
    if isinstance(value, cst.From):
        value, star = value.item, "*"
    if value is None:
        raise CannotFixError("a yield has no value")
    return (*piece.outer(value), star)


def _straight(piece: Piece, statements: list[cst.Expr], layout: Layout) -> list[Edit]:
    """One list display in place of one ``yield`` after the other."""
    document = piece.document
    values = [_value(piece, s.value) for s in statements if isinstance(s.value, cst.Yield)]
    first, last = piece.start(statements[0]), piece.end(statements[-1])
    joined = ", ".join(star + document.text[start:end] for start, end, star in values)
    line = document.line_of(first)
    width = first - document.line_start(first) + len(f"return [{joined}]")
    fits = len(values) == 1 or width <= layout.width
    if fits and not piece.comments_in(first, last):
        return [Edit(first, last, f"return [{joined}]")]
    newline, indent = document.newline(line), document.indent(line)
    edits = []
    for index, (start, end, star) in enumerate(values):
        place = piece.start(statements[index])
        lead = layout.step if index else f"return [{newline}{indent}{layout.step}"
        edits += [Edit(place, start, lead + star), Edit(end, piece.end(statements[index]), ",")]
    close = document.line_end(last)
    return [*edits, Edit(close, close, f"{newline}{indent}]")]


def _collected(piece: Piece, yields: list[cst.Yield]) -> list[Edit]:
    """A list that each ``yield`` adds to, returned at the end."""
    assert isinstance(piece.root, cst.FunctionDef)  # noqa: S101 - it is a method
    block = piece.root.body
    if not isinstance(block, cst.IndentedBlock):
        raise CannotFixError("the method stands on one line")
    if any(name.value == _VARIABLE for name in piece.nodes(cst.Name)):
        raise CannotFixError(f"the method has a variable {_VARIABLE} already")
    edits = []
    for node in yields:
        statement = piece.parent(node)
        if not isinstance(statement, cst.Expr):
            raise CannotFixError("a yield stands in an expression")
        start, end, star = _value(piece, node)
        method = "extend" if star else "append"
        edits.append(Edit(piece.start(statement), start, f"{_VARIABLE}.{method}("))
        edits.append(Edit(end, piece.end(statement), ")"))
    for returned in piece.returns():
        if returned.value is not None:
            raise CannotFixError("it yields, and returns a value as well")
        edits.append(Edit(piece.start(returned), piece.end(returned), f"return {_VARIABLE}"))
    document = piece.document
    body = piece.body()
    first = piece.start(body[0])
    line = document.line_of(first)
    newline, indent = document.newline(line), document.indent(line)
    edits.append(Edit(first, first, f"{_VARIABLE} = []{newline}{indent}"))
    end = document.line_end(piece.end(block.body[-1]))
    if not isinstance(body[-1], cst.Return):
        edits.append(Edit(end, end, f"{newline}{indent}return {_VARIABLE}"))
    return edits
