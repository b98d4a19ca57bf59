"""Lists that are summed up wrongly, or changed though others share them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from inflint.fix.edits import CannotFixError, Edit, Fix, ordered
from inflint.fix.names import without_statement

if TYPE_CHECKING:
    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.fix.planning import Context
    from inflint.fix.tree import Piece


def parenthesise(context: Context, subject: Subject, finding: Finding) -> Fix:
    """INF205: parentheses around the conditional part."""
    piece = _method(context, subject)
    choice = piece.at(finding.span, cst.IfExp)
    if choice is None or not isinstance(choice.body, cst.BinaryOperation):
        raise CannotFixError("the expression is not found")
    start, end = piece.outer(choice.body.right)[0], piece.end(choice)
    unsafe = "it changes the list, which may have been meant as it stands"
    edits = (Edit(start, start, "("), Edit(end, end, ")"))
    return Fix(finding.path, edits, "put parentheses around the condition", unsafe)


def build_anew(context: Context, subject: Subject, finding: Finding) -> Fix:
    """INF206: a new list instead of a change to the shared one."""
    piece = _method(context, subject)
    change = _change(piece, finding)
    target, addition, front = change
    statement = piece.statement(addition)
    assert statement is not None  # noqa: S101 - _change() found it there
    what = "build a new list"
    if isinstance(target, cst.Name) and _is_local(piece, target.value):
        name = target.value
        start, end = piece.outer(addition.value if isinstance(addition, cst.Arg) else addition)
        lead, close = _anew(name, statement, addition, front=front)
        edits = (Edit(piece.start(statement), start, lead), Edit(end, piece.end(statement), close))
        return Fix(finding.path, edits, what)
    if front:
        raise CannotFixError("the list is changed at its front")
    following = _following(piece, statement)
    removal = without_statement(piece, statement)
    edit = _returned(piece, following, target, _elements(piece, statement, addition))
    return Fix(finding.path, tuple(ordered((*removal.edits, edit))), what, removal.unsafe)


def _method(context: Context, subject: Subject) -> Piece:
    if subject.declared is None:
        raise CannotFixError("the list cannot be evaluated")
    return context.piece(subject.declared.closure.unit)


def _change(
    piece: Piece, finding: Finding
) -> tuple[cst.BaseExpression, cst.Arg | cst.BaseExpression, bool]:
    """What is changed, by what, and whether that goes to the front."""
    augmented = piece.at(finding.span, cst.AugAssign)
    if augmented is not None and isinstance(augmented.operator, cst.AddAssign):
        return augmented.target, augmented.value, False
    call = piece.at(finding.span, cst.Call)
    if call is not None and isinstance(piece.parent(call), cst.Expr):
        func, args = call.func, call.args
        if isinstance(func, cst.Attribute) and all(not a.star and not a.keyword for a in args):
            if func.attr.value in {"append", "extend"} and len(args) == 1:
                return func.value, args[0], False
            if func.attr.value == "insert" and len(args) == 2 and _is_zero(args[0].value):
                return func.value, args[1], True
    raise CannotFixError("only +=, append(), extend() and insert(0, ...) can be rewritten")


def _is_zero(value: cst.BaseExpression) -> bool:
    return isinstance(value, cst.Integer) and value.value == "0"


def _is_local(piece: Piece, name: str) -> bool:
    """Whether the method gives the variable its value."""
    if any(i.name.value == name for g in piece.nodes(cst.Global) for i in g.names):
        return False
    return any(
        isinstance(target.target, cst.Name) and target.target.value == name
        for assign in piece.nodes(cst.Assign)
        for target in assign.targets
    )


def _unpacks(statement: cst.BaseSmallStatement) -> bool:
    """Whether the addition is a sequence of names rather than one."""
    if isinstance(statement, cst.Expr) and isinstance(statement.value, cst.Call):
        func = statement.value.func
        return isinstance(func, cst.Attribute) and func.attr.value == "extend"
    return True


def _anew(
    name: str,
    statement: cst.BaseSmallStatement,
    addition: cst.Arg | cst.BaseExpression,
    *,
    front: bool,
) -> tuple[str, str]:
    """What to write before and behind the addition."""
    value = addition.value if isinstance(addition, cst.Arg) else addition
    if front:
        return f"{name} = [", f", *{name}]"
    if not _unpacks(statement):
        return f"{name} = [*{name}, ", "]"
    if isinstance(value, cst.List):
        return f"{name} = {name} + ", ""
    return f"{name} = [*{name}, *", "]"


def _following(piece: Piece, statement: cst.BaseSmallStatement) -> cst.Return:
    body = list(piece.body())
    if statement in body[:-1]:
        following = body[body.index(statement) + 1]
        if isinstance(following, cst.Return):
            return following
    raise CannotFixError("the changed list is not returned right after")


def _elements(
    piece: Piece, statement: cst.BaseSmallStatement, addition: cst.Arg | cst.BaseExpression
) -> str:
    value = addition.value if isinstance(addition, cst.Arg) else addition
    if not _unpacks(statement):
        return piece.source(value)
    if isinstance(value, cst.List) and not piece.comments_in(*piece.outer(value)):
        return ", ".join(piece.source(e.value) for e in value.elements)
    return f"*{piece.source(value)}"


def _returned(piece: Piece, returned: cst.Return, target: cst.BaseExpression, more: str) -> Edit:
    """The return of the list, with the addition in it."""
    value, source = returned.value, piece.source(target)
    if isinstance(value, cst.List) and value.elements:
        first = value.elements[0]
        if isinstance(first, cst.StarredElement) and piece.source(first.value) == source:
            end = piece.outer(first.value)[1]
            return Edit(end, end, f", {more}")
    if value is not None and piece.source(value) == source:
        return Edit(*piece.outer(value), f"[*{source}, {more}]")
    raise CannotFixError("the changed list is not returned right after")
