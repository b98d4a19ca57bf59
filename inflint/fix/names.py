"""Names of the declared list: taken off it, put on it, or put right where they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from inflint.checks.paths import nearest
from inflint.fix.edits import CannotFixError, Edit, Fix, ordered
from inflint.fix.elements import (
    LOSES_COMMENT,
    Display,
    Removal,
    add,
    element_of,
    remove,
    remove_several,
)
from inflint.fix.nested import nested_part
from inflint.fix.override import extend_inherited, listable, listing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.fix.layout import Layout
    from inflint.fix.planning import Context
    from inflint.fix.tree import Piece
    from inflint.model.names import Declaration, ListedName

_SHARED = "the names stand outside the method, where other code may use them, too"
_LOOSE = (
    cst.IfExp,
    cst.BooleanOperation,
    cst.Lambda,
    cst.NamedExpr,
    cst.Comparison,
    cst.UnaryOperation,
)
"""Expressions that bind less tightly than ``+``."""


# Taking off


def drop_used(context: Context, subject: Subject, finding: Finding) -> Fix:
    """INF202: take the name off the list, wherever the method writes it."""
    listed = [n for n in _declared(subject).names if n.name == finding.attribute]
    if not all(subject.is_own(n) for n in listed):
        raise CannotFixError("the name is listed by a base class")
    return _drop(context, subject, listed, f"take {finding.attribute} off the list")


def drop_undeletable(context: Context, subject: Subject, finding: Finding) -> Fix:
    """INF303: take off the list what holds no weights, and cannot be removed."""
    return drop_used(context, subject, finding)


def drop_redundant(context: Context, subject: Subject, finding: Finding) -> Fix:
    """INF207: take the entry off the list."""
    listed = [_entry(subject, finding)]
    return _drop(context, subject, listed, f"list {finding.attribute} only once")


def list_whole(context: Context, subject: Subject, finding: Finding, whole: str) -> Fix:
    """INF301, INF302: list all of a component in place of a part of it."""
    listed = [n for n in _declared(subject).names if n.name == finding.attribute]
    if len(listed) != 1 or not subject.is_own(listed[0]):
        raise CannotFixError("the name is listed by a base class, or more than once")
    what = f"list all of {whole}"
    if _declared(subject).lists(whole) is not None:
        return _drop(context, subject, listed, what)
    piece, string = _string(context, listed[0])
    edit = Edit(piece.start(string), piece.end(string), f"{string.quote}{whole}{string.quote}")
    assert listed[0].site is not None  # noqa: S101 - _string() made sure
    unit = listed[0].site.unit
    shared = "" if unit is _declared(subject).closure.unit else _SHARED
    return Fix(unit.file.path, (edit,), what, shared)


def correct_name(context: Context, subject: Subject, finding: Finding) -> Fix:
    """INF203: the name that was probably meant, or nothing."""
    listed = _entry(subject, finding)
    guess = nearest(subject, listed)
    if guess is None or _declared(subject).lists(guess) is not None:
        why = f"{guess} is listed already" if guess else "what was meant is not known"
        fix = _drop(context, subject, [listed], f"take {listed.name!r} off the list")
        return Fix(fix.path, fix.edits, fix.what, fix.unsafe or why)
    judged = subject.verdict.component(guess)
    if judged is not None and judged.verdict == "needed":
        raise CannotFixError(f"{guess} may have been meant, which inference needs")
    piece, string = _string(context, listed)
    quote = len(string.prefix) + len(string.quote)
    start, end = piece.start(string) + quote, piece.end(string) - len(string.quote)
    edit = Edit(start, end, guess)
    what = f"list {guess} for {listed.name!r}"
    return Fix(finding.path, (edit,), what, f"{guess} is only a guess")


def _declared(subject: Subject) -> Declaration:
    if subject.declared is None:
        raise CannotFixError("the list cannot be evaluated")
    return subject.declared


def _entry(subject: Subject, finding: Finding) -> ListedName:
    for listed in _declared(subject).names:
        if listed.site is None or listed.name != finding.attribute:
            continue
        if finding.stands_at(listed.site.path, listed.site.span):
            return listed
    raise CannotFixError("the entry is not written as a string")


def _string(context: Context, listed: ListedName) -> tuple[Piece, cst.SimpleString]:
    if listed.site is None:
        raise CannotFixError("the name is not written as a string")
    piece = context.piece(listed.site.unit)
    string = piece.at(listed.site.span, cst.SimpleString)
    if string is None:
        raise CannotFixError("the name is not written as one string")
    return piece, string


def _drop(context: Context, subject: Subject, entries: Sequence[ListedName], what: str) -> Fix:
    edits: list[Edit] = []
    unsafe = ""
    path = subject.cls.file.path
    together = _in_one_display(context, entries)
    for listed in entries:
        piece, string = _string(context, listed)
        removal = together or _without(piece, string)
        edits.extend(removal.edits)
        unsafe = unsafe or removal.unsafe
        assert listed.site is not None  # noqa: S101 - _string() made sure
        path = listed.site.path
        if listed.site.unit is not _declared(subject).closure.unit:
            unsafe = unsafe or _SHARED
    return Fix(path, tuple(ordered(edits)), what, unsafe)


def _in_one_display(context: Context, entries: Sequence[ListedName]) -> Removal | None:
    """The removal of several names from the one list that holds them all."""
    places = []
    for listed in entries:
        piece, string = _string(context, listed)
        places.append((piece, element_of(piece, string)))
    displays = {id(place[0]) for _, place in places if place is not None}
    if len(entries) < 2 or len(displays) != 1 or any(place is None for _, place in places):
        return None
    piece, first = places[0]
    if first is None or not _is_list_itself(piece, first[0]):
        return None
    indexes = [place[1] for _, place in places if place is not None]
    return remove_several(piece, first[0], indexes)


def _without(piece: Piece, string: cst.SimpleString) -> Removal:
    """The method without a string, and without what only held it."""
    place = element_of(piece, string)
    if place is None:
        statement = piece.statement(string)
        if isinstance(statement, cst.Expr) and _adds(statement.value) == "append":
            return without_statement(piece, statement)
        raise CannotFixError("the name does not stand in a list of its own")
    display, index = place
    if not _is_list_itself(piece, display):
        raise CannotFixError("the name stands in a larger expression")
    if len(display.elements) == 1:
        whole = _without_display(piece, display)
        if whole is not None:
            return whole
    return remove(piece, display, index)


def _without_display(piece: Piece, display: Display) -> Removal | None:
    """Without a list that would be left empty, where nothing else needs it."""
    parent = piece.parent(display)
    if isinstance(parent, cst.BinaryOperation) and parent.right is display:
        start, end = piece.outer(parent.left)[1], piece.outer(display)[1]
        lost = LOSES_COMMENT if piece.comments_in(start, end) else ""
        return Removal((Edit(start, end, ""),), lost)
    statement = piece.statement(display)
    if isinstance(statement, cst.AugAssign) and statement.value is display:
        return without_statement(piece, statement)
    if isinstance(statement, cst.Expr) and _adds(statement.value) == "extend":
        return without_statement(piece, statement)
    return None


def without_statement(piece: Piece, statement: cst.BaseSmallStatement) -> Removal:
    """Take a statement out, with its line where it has one to itself."""
    line = piece.parent(statement)
    block = piece.parent(line)
    start, end = piece.start(statement), piece.end(statement)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) > 1:
        return Removal((Edit(start, end, "pass"),))
    if len(getattr(block, "body", ())) == 1:
        return Removal((Edit(start, end, "pass"),))
    first, last = piece.document.line_start(start), piece.document.next_line(end)
    return Removal(
        (Edit(first, last, ""),), LOSES_COMMENT if piece.comments_in(first, last) else ""
    )


def _adds(value: cst.BaseExpression) -> str:
    """``append`` or ``extend`` where an expression calls that method."""
    if isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
        name = value.func.attr.value
        return name if name in {"append", "extend"} else ""
    return ""


def _is_list_itself(piece: Piece, display: cst.CSTNode) -> bool:
    """Whether a display becomes the list, or a part of it, and nothing else."""
    node = piece.parent(display)
    child = display
    while True:
        if isinstance(node, cst.Arg):
            call = piece.parent(node)
            plain = isinstance(call, cst.Call) and (
                _adds(call) == "extend"
                or (isinstance(call.func, cst.Name) and call.func.value in _MAKERS)
            )
            if not plain:
                return False
            child, node = call, piece.parent(call)
            continue
        if isinstance(node, cst.IfExp):
            if node.test is child:
                return False
        elif isinstance(node, cst.BinaryOperation):
            if not isinstance(node.operator, cst.Add):
                return False
        elif not isinstance(node, (cst.StarredElement, cst.List, cst.Tuple)):
            return isinstance(
                node, (cst.Return, cst.Assign, cst.AnnAssign, cst.AugAssign, cst.Expr)
            )
        child, node = node, piece.parent(node)


_MAKERS = frozenset(("list", "tuple", "set", "sorted", "frozenset"))


# Putting on


def add_unlisted(context: Context, subject: Subject, finding: Finding) -> Fix:
    """INF201: put the names on the class's own list, or extend the inherited one."""
    declared = _declared(subject)
    reported = set((finding.attribute or "").split(", "))
    names = [name for name in listable(subject) if name in reported]
    if not names:
        raise CannotFixError("all of it is built after the framework's constructor")
    if not subject.cls.own(subject.profile.api_method):
        return extend_inherited(context, subject, names, declared.kinds)
    piece = context.piece(declared.closure.unit)
    layout = context.layout(subject.cls.file)
    returns = [r for r in piece.returns() if r.value is not None]
    if not returns:
        raise CannotFixError("the method returns no list")
    below, edits = nested_part(context, subject)
    for statement in returns:
        assert statement.value is not None  # noqa: S101 - selected above
        both = [*names, *below]
        edits.extend(_with(piece, statement.value, both, layout, declared.kinds))
    return Fix(finding.path, tuple(ordered(edits)), listing(names, below))


def _with(
    piece: Piece,
    value: cst.BaseExpression,
    names: Sequence[str],
    layout: Layout,
    kinds: frozenset[str],
) -> list[Edit]:
    """Edits that make an expression give the names as well."""
    if isinstance(value, (cst.List, cst.Tuple)):
        return add(piece, value, names, layout)
    if isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Add):
        for side in (value.right, value.left):
            if isinstance(side, (cst.List, cst.Tuple)) and side.elements:
                return add(piece, side, names, layout)
    if isinstance(value, cst.IfExp) and _is_plain(value.body) and _is_plain(value.orelse):
        return [
            *_with(piece, value.body, names, layout, kinds),
            *_with(piece, value.orelse, names, layout, kinds),
        ]
    if isinstance(value, cst.Name) and _assigns(piece, value.value):
        edits = _at_source(piece, value.value, names, layout)
        if edits:
            return edits
    listed = ", ".join(layout.quoted(name) for name in names)
    start, end = piece.outer(value)
    if kinds != {"list"}:
        return [Edit(start, start, "[*"), Edit(end, end, f", {listed}]")]
    if isinstance(value, _LOOSE) and not value.lpar:
        return [Edit(start, start, "("), Edit(end, end, f") + [{listed}]")]
    return [Edit(end, end, f" + [{listed}]")]


def _assigns(piece: Piece, variable: str) -> bool:
    """Whether the variable is the method's own."""
    kinds: tuple[type[cst.CSTNode], ...] = (cst.Assign, cst.AnnAssign, cst.AugAssign)
    statements = (s for kind in kinds for s in piece.nodes(kind))
    return any(_is_name(target, variable) for s in statements for target in _targets(s))


def _is_plain(value: cst.BaseExpression) -> bool:
    return isinstance(value, (cst.List, cst.Tuple))


def _at_source(piece: Piece, variable: str, names: Sequence[str], layout: Layout) -> list[Edit]:
    """Edits of the last statement that surely gives a variable its list."""
    for statement in reversed(piece.body()):
        if any(_is_name(target, variable) for target in _targets(statement)):
            literal = _literal_in(getattr(statement, "value", None))
            return [] if literal is None else add(piece, literal, names, layout)
        value = statement.value if isinstance(statement, cst.Expr) else None
        added = None if value is None else _added(value, variable)
        if isinstance(statement, cst.Expr) and added is not None:
            literal = _literal_in(added) if _adds(statement.value) == "extend" else None
            if literal is not None:
                return add(piece, literal, names, layout)
            return [_appended(piece, statement, variable, names, layout)]
    return []


def _targets(statement: cst.CSTNode) -> list[cst.BaseExpression]:
    if isinstance(statement, cst.Assign):
        return [target.target for target in statement.targets]
    if isinstance(statement, (cst.AnnAssign, cst.AugAssign)):
        return [statement.target]
    return []


def _added(value: cst.BaseExpression, variable: str) -> cst.BaseExpression | None:
    """What a call appends to a variable, or extends it by."""
    if not _adds(value) or not isinstance(value, cst.Call) or len(value.args) != 1:
        return None
    func = value.func
    if isinstance(func, cst.Attribute) and _is_name(func.value, variable):
        return value.args[0].value
    return None


def _is_name(node: cst.CSTNode, name: str) -> bool:
    return isinstance(node, cst.Name) and node.value == name


def _literal_in(value: cst.BaseExpression | None) -> cst.List | cst.Tuple | None:
    if isinstance(value, (cst.List, cst.Tuple)):
        return value
    if isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Add):
        return _literal_in(value.right) or _literal_in(value.left)
    return None


def _appended(
    piece: Piece,
    statement: cst.Expr,
    variable: str,
    names: Sequence[str],
    layout: Layout,
) -> Edit:
    """More ``append()`` lines below one."""
    document = piece.document
    end = document.line_end(piece.end(statement))
    line = document.line_of(end)
    lead = f"{document.newline(line)}{document.indent(line)}"
    text = "".join(f"{lead}{variable}.append({layout.quoted(name)})" for name in names)
    return Edit(end, end, text)
