"""Statements added to a function that builds the module, below all that it builds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from inflint.fix.edits import CannotFixError, Edit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inflint.checks.context import Subject
    from inflint.fix.planning import Context
    from inflint.fix.tree import Piece
    from inflint.model.frames import Closure
    from inflint.syntax.facts import Span


def builder(context: Context, subject: Subject) -> tuple[Closure, Piece]:
    """The class's own ``setup()``.

    Raises:
        CannotFixError: It has none, or more than one.
    """
    names = subject.profile.setup_methods
    built = subject.verdict.built
    scopes = [s for name in names for s in subject.cls.own(name)]
    if built is not None and len(scopes) == 1 and scopes[0].scope is not None:
        closure = built.closure_at(scopes[0], scopes[0].scope, subject.cls)
        if closure is not None:
            return closure, context.piece(closure.unit)
    method = f"{names[0]}()"
    why = f"has no {method} of its own" if not scopes else f"defines {method} several times"
    raise CannotFixError(f"{subject.cls.name} {why}")


def receiver(piece: Piece) -> str:
    """What a method calls its object.

    Raises:
        CannotFixError: It does not name it.
    """
    assert isinstance(piece.root, cst.FunctionDef)  # noqa: S101 - it is a method
    params = (*piece.root.params.posonly_params, *piece.root.params.params)
    if not params:
        raise CannotFixError(f"{piece.root.name.value}() has no parameter for the module")
    return params[0].name.value


def flag(subject: Subject, piece: Piece) -> str:
    """How the method asks whether the module is built for inference only."""
    return f"{receiver(piece)}.{subject.profile.release.flag.partition('.')[2]}"


def append_in_mode(piece: Piece, asks: str, lines: Sequence[str]) -> Edit:
    """Statements that run last, and only where the module is built for inference only.

    They join a last block of that mode if there is one, and an early return of that mode.

    Args:
        piece: The function.
        asks: The mode's flag, as the function reads it.
        lines: The statements.

    Raises:
        CannotFixError: There is no one place that all calls in that mode get to.
    """
    leaving = [s for s in _indented(piece).body if _returns(piece, s)]
    leaving = [s for s in leaving if not (isinstance(s, cst.If) and _excludes(piece, s, asks))]
    last = _indented(piece).body[-1]
    for statement in leaving:
        if statement is last and isinstance(statement, cst.SimpleStatementLine):
            continue
        if isinstance(statement, cst.If) and _is_mode(piece, statement, asks):
            return _before_return(piece, statement, lines)
        raise CannotFixError(f"{_name(piece)} returns early")
    if isinstance(last, cst.If) and _is_mode(piece, last, asks) and last not in leaving:
        return _below(piece, last.body, lines)
    step = _step(piece)
    return _append(piece, [f"if {asks}:", *(f"{step}{line}" for line in lines)])


def append(piece: Piece, lines: Sequence[str]) -> Edit:
    """Statements that run last.

    Raises:
        CannotFixError: The function leaves elsewhere, with a value or an error, or has one line.
    """
    if any(_returns(piece, statement) for statement in _indented(piece).body[:-1]):
        raise CannotFixError(f"{_name(piece)} returns early")
    return _append(piece, lines)


def _append(piece: Piece, lines: Sequence[str]) -> Edit:
    block = _indented(piece)
    last = block.body[-1]
    if isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[-1], cst.Return):
        if last.body[-1].value is not None and piece.source(last.body[-1].value) != "None":
            raise CannotFixError(f"{_name(piece)} returns a value")
        return _above(piece, last, lines)
    if isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[-1], cst.Raise):
        raise CannotFixError(f"{_name(piece)} raises an error")
    return _below(piece, block, lines)


def insert_in_mode(piece: Piece, asks: str, line: str, place: Span) -> Edit:
    """A statement above the one at a place, for modules that are built for inference only.

    Raises:
        CannotFixError: That statement shares its line.
    """
    document = piece.document
    target = document.offset(place.line, place.column)
    for found in piece.nodes(cst.SimpleStatementLine):
        if len(found.body) == 1 and piece.start(found.body[0]) <= target < piece.end(found.body[0]):
            step = _step(piece)
            return _above(piece, found, [f"if {asks}:", f"{step}{line}"])
    raise CannotFixError(f"{_name(piece)} has no line for it")


def last_of(node: cst.CSTNode) -> cst.CSTNode:
    """The simple statement that a statement or block ends with."""
    while True:
        if isinstance(node, cst.SimpleStatementLine):
            return node
        following = _tail(node)
        if following is None:
            return node
        node = following


def _tail(node: cst.CSTNode) -> cst.CSTNode | None:
    for name in ("finalbody", "orelse", "handlers", "cases", "body"):
        found = getattr(node, name, None)
        if isinstance(found, (list, tuple)):
            found = found[-1] if found else None
        if isinstance(found, cst.CSTNode) and not isinstance(node, cst.BaseExpression):
            return found
    return None


def _name(piece: Piece) -> str:
    assert isinstance(piece.root, cst.FunctionDef)  # noqa: S101 - it is a method
    return f"{piece.root.name.value}()"


def _indented(piece: Piece) -> cst.IndentedBlock:
    assert isinstance(piece.root, cst.FunctionDef)  # noqa: S101 - it is a method
    if not isinstance(piece.root.body, cst.IndentedBlock):
        raise CannotFixError(f"{_name(piece)} stands on one line")
    return piece.root.body


def _step(piece: Piece) -> str:
    """One level of indentation, as the function has it."""
    document = piece.document
    outer = document.indent(document.line_of(piece.start(piece.root)))
    return _indent(piece, _indented(piece))[len(outer) :]


def _indent(piece: Piece, block: cst.BaseSuite) -> str:
    return piece.document.indent(piece.document.line_of(piece.start(block.body[0])))


def _returns(piece: Piece, statement: cst.CSTNode) -> bool:
    own = piece.returns()
    return any(node in own for node in piece.nodes(cst.Return, statement))


def _is_mode(piece: Piece, statement: cst.If, asks: str) -> bool:
    """Whether a statement is a block of that mode and nothing else."""
    plain = isinstance(statement.body, cst.IndentedBlock) and statement.orelse is None
    return plain and piece.source(statement.test) == asks


def _excludes(piece: Piece, statement: cst.If, asks: str) -> bool:
    return statement.orelse is None and piece.source(statement.test) == f"not {asks}"


def _before_return(piece: Piece, statement: cst.If, lines: Sequence[str]) -> Edit:
    inside = [s for s in statement.body.body if _returns(piece, s)]
    last = statement.body.body[-1]
    if inside != [last] or not isinstance(last, cst.SimpleStatementLine):
        raise CannotFixError(f"{_name(piece)} returns early")
    return _above(piece, last, lines)


def _above(piece: Piece, line: cst.SimpleStatementLine, lines: Sequence[str]) -> Edit:
    if len(line.body) > 1:
        raise CannotFixError(f"{_name(piece)} has several statements on its last line")
    document = piece.document
    start = document.line_start(piece.start(line.body[0]))
    number = document.line_of(start)
    indent, newline = document.indent(number), document.newline(number)
    return Edit(start, start, "".join(f"{indent}{text}{newline}" for text in lines))


def _below(piece: Piece, block: cst.BaseSuite, lines: Sequence[str]) -> Edit:
    document = piece.document
    indent = _indent(piece, block)
    last = last_of(block)
    assert isinstance(last, cst.SimpleStatementLine)  # noqa: S101 - one-line suites are refused
    end = document.line_end(piece.end(last.body[-1]))
    newline = document.newline(document.line_of(end))
    if len(block.body) == 1 and isinstance(last.body[0], cst.Pass) and len(last.body) == 1:
        first = piece.start(last.body[0])
        text = f"{newline}{indent}".join(lines)
        return Edit(first, piece.end(last.body[0]), text)
    return Edit(end, end, "".join(f"{newline}{indent}{text}" for text in lines))
