"""Making the method return a plain list of names, under the name that the framework calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from inflint.fix.edits import CannotFixError, Edit, Fix, ordered
from inflint.fix.elements import LOSES_COMMENT, element_of
from inflint.fix.generators import list_of_yields
from inflint.fix.override import listable
from inflint.model.mentions import nodes
from inflint.syntax import facts

if TYPE_CHECKING:
    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.fix.layout import Layout
    from inflint.fix.planning import Context
    from inflint.fix.tree import Piece
    from inflint.model.names import Declaration


def rename_method(context: Context, subject: Subject, finding: Finding) -> Fix:
    """INF104: the name that the framework calls."""
    document = context.document(finding.path)
    end = document.offset(finding.span.end_line, finding.span.end_column)
    start = end - len(finding.attribute or "")
    method = subject.profile.api_method
    return Fix(finding.path, (Edit(start, end, method),), f"rename {finding.attribute}()")


def make_a_list(context: Context, subject: Subject, finding: Finding) -> Fix:
    """INF204: the same names, as a list."""
    declared = subject.declared
    if declared is None:
        raise CannotFixError("the list cannot be evaluated")
    path = declared.closure.file.path
    if finding.attribute is not None:
        return Fix(path, tuple(_commas(context, declared, finding)), "add the comma")
    piece = context.piece(declared.closure.unit)
    layout = context.layout(declared.closure.file)
    if "property" in declared.faults:
        edits, unsafe = _plain_method(piece, subject)
        return Fix(path, tuple(edits), "make it a method", unsafe)
    if "generator" in declared.faults:
        edits = list_of_yields(piece, layout)
    elif "text" in declared.faults:
        edits = _wrapped_texts(piece)
    elif "none" in declared.faults:
        edits = _returned(piece, layout, subject)
    else:
        edits = _names_of_objects(piece, subject, layout.quote)
    return Fix(path, tuple(ordered(edits)), "return a list of names")


# One repair a fault


def _commas(context: Context, declared: Declaration, finding: Finding) -> list[Edit]:
    for listed in declared.names:
        if listed.site is None or not finding.stands_at(listed.site.path, listed.site.span):
            continue
        piece = context.piece(listed.site.unit)
        joined = piece.at(finding.span, cst.ConcatenatedString)
        if joined is not None:
            return _between(piece, joined)
    raise CannotFixError("the strings are not found")


def _between(piece: Piece, joined: cst.ConcatenatedString) -> list[Edit]:
    edits = []
    rest: cst.CSTNode = joined
    while isinstance(rest, cst.ConcatenatedString):
        end = piece.end(rest.left)
        edits.append(Edit(end, end, ","))
        rest = rest.right
    return edits


def _plain_method(piece: Piece, subject: Subject) -> tuple[list[Edit], str]:
    method = subject.profile.api_method
    built = subject.verdict.built
    for closure in built.methods(subject.cls) if built is not None else ():
        found = list(nodes(closure.function.body))
        called = {id(n.func) for n in found if isinstance(n, facts.Call)}
        read = [n for n in found if isinstance(n, facts.Attr) and n.name == method]
        if any(id(n) not in called for n in read):
            raise CannotFixError(f"{closure.label} reads it as a property")
    assert isinstance(piece.root, cst.FunctionDef)  # noqa: S101 - it is a method
    document = piece.document
    for decorator in piece.root.decorators:
        name = decorator.decorator
        last = name.attr.value if isinstance(name, cst.Attribute) else getattr(name, "value", "")
        if last in {"property", "cached_property"}:
            start = piece.start(decorator)
            first, end = document.line_start(start), document.next_line(start)
            lost = piece.comments_in(first, end)
            return [Edit(first, end, "")], LOSES_COMMENT if lost else ""
    raise CannotFixError("the property is not made by a decorator")


def _wrapped_texts(piece: Piece) -> list[Edit]:
    returns = [r.value for r in piece.returns() if r.value is not None]
    edits: list[Edit] = []
    for value in returns:
        edits += _wrapped(piece, value, alone=len(returns) == 1)
    return edits


def _wrapped(piece: Piece, value: cst.BaseExpression, *, alone: bool) -> list[Edit]:
    if isinstance(value, cst.IfExp):
        return [
            *_wrapped(piece, value.body, alone=alone),
            *_wrapped(piece, value.orelse, alone=alone),
        ]
    text = isinstance(value, (cst.SimpleString, cst.FormattedString, cst.ConcatenatedString))
    if not text and not (alone and isinstance(value, (cst.Name, cst.Attribute))):
        return []
    inner = _between(piece, value) if isinstance(value, cst.ConcatenatedString) else []
    start, end = piece.outer(value)
    if value.lpar:
        return [Edit(start, start + 1, "["), *inner, Edit(end - 1, end, "]")]
    return [Edit(start, start, "["), *inner, Edit(end, end, "]")]


def _returned(piece: Piece, layout: Layout, subject: Subject) -> list[Edit]:
    edits: list[Edit] = []
    returns = piece.returns()
    valued = [r for r in returns if r.value is not None and not _is_none(r.value)]
    names = ", ".join(layout.quoted(n) for n in listable(subject)) if not valued else ""
    for statement in returns:
        if statement.value is None or _is_none(statement.value):
            start = piece.start(statement)
            edits.append(Edit(start, piece.end(statement), f"return [{names}]"))
        elif isinstance(statement.value, cst.Call):
            edits += _sum(piece, statement.value)
    body = piece.body()
    if body and isinstance(body[-1], (cst.Return, cst.Raise)):
        return edits
    if not body or isinstance(body[-1], cst.Pass) or _is_dots(body[-1]):
        edits.append(_last_line(piece, f"return [{names}]", body[-1] if body else None))
    elif isinstance(body[-1], cst.Expr) and isinstance(body[-1].value, (cst.List, cst.Tuple)):
        start = piece.start(body[-1])
        edits.append(Edit(start, start, "return "))
    else:
        variable = _variable(piece)
        if variable is None and not valued:
            raise CannotFixError("the names cannot be told from the source")
        edits.append(_last_line(piece, f"return {variable or '[]'}", None))
    return edits


def _is_none(value: cst.BaseExpression) -> bool:
    return isinstance(value, cst.Name) and value.value == "None"


def _is_dots(statement: cst.CSTNode) -> bool:
    return isinstance(statement, cst.Expr) and isinstance(statement.value, cst.Ellipsis)


def _sum(piece: Piece, call: cst.Call) -> list[Edit]:
    """``x.append(y)`` as ``x + [y]``."""
    func = call.func
    if not isinstance(func, cst.Attribute) or len(call.args) != 1 or call.args[0].star:
        return []
    value = call.args[0].value
    left, (start, end) = piece.outer(func.value)[1], piece.outer(value)
    close = piece.end(call)
    if func.attr.value == "append":
        return [Edit(left, start, " + ["), Edit(end, close, "]")]
    if func.attr.value == "extend":
        if isinstance(value, cst.List):
            return [Edit(left, start, " + "), Edit(end, close, "")]
        return [Edit(left, start, " + [*"), Edit(end, close, "]")]
    return []


def _variable(piece: Piece) -> str | None:
    """The one local variable that is given a list."""
    found = {
        target.target.value
        for statement in piece.body()
        if isinstance(statement, cst.Assign)
        for target in statement.targets
        if isinstance(target.target, cst.Name)
    }
    return found.pop() if len(found) == 1 else None


def _last_line(piece: Piece, text: str, instead: cst.CSTNode | None) -> Edit:
    """A statement at the end of the method, or in place of its placeholder."""
    if instead is not None:
        return Edit(piece.start(instead), piece.end(instead), text)
    assert isinstance(piece.root, cst.FunctionDef)  # noqa: S101 - it is a method
    block = piece.root.body
    if not isinstance(block, cst.IndentedBlock):
        raise CannotFixError("the method stands on one line")
    document = piece.document
    first, last = block.body[0], block.body[-1]
    indent = document.indent(document.line_of(piece.start(first)))
    end = document.line_end(piece.end(last))
    line = document.line_of(end)
    return Edit(end, end, f"{document.newline(line)}{indent}{text}")


def _names_of_objects(piece: Piece, subject: Subject, quote: str) -> list[Edit]:
    assert isinstance(piece.root, cst.FunctionDef)  # noqa: S101 - it is a method
    receiver = piece.root.params.params[0].name.value if piece.root.params.params else ""
    edits = []
    for node in piece.nodes(cst.Attribute):
        in_call = isinstance(piece.parent(node), cst.Arg)
        if element_of(piece, node) is None and not in_call:
            continue
        if isinstance(node.value, cst.Name) and node.value.value == receiver:
            if subject.verdict.component(node.attr.value) is not None:
                start, end = piece.outer(node)
                edits.append(Edit(start, end, quote + node.attr.value + quote))
        elif piece.source(node).startswith(f"{receiver}."):
            raise CannotFixError("a part below another one cannot be listed as it is")
    return edits
