"""Where a component is built: before the removal, and only where it is needed."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, NamedTuple

import libcst as cst

from inflint.checks.removal import built_after_removal
from inflint.checks.state import built_then_removed
from inflint.fix.blocks import append, builder, flag, last_of, receiver
from inflint.fix.edits import CannotFixError, Edit, Fix, ordered
from inflint.fix.names import without_statement
from inflint.model.mentions import assigned_names, nodes
from inflint.syntax import facts
from inflint.syntax.headers import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.fix.planning import Context
    from inflint.fix.tree import Piece
    from inflint.model.frames import Closure

_ORDER = "what is built later gets other first weights from the same seed"


def move_to_setup(context: Context, subject: Subject, finding: Finding) -> Fix:
    """INF304: build it at the end of ``setup()``, which runs before the removal.

    The same edits move all that the constructor builds too late, if it can be moved.
    """
    late = [_moved(context, subject, finding.attribute or "")]
    for other in built_after_removal(subject):
        with contextlib.suppress(CannotFixError):
            late.append(_moved(context, subject, other.attribute or ""))
    late = sorted({each.place: each for each in late}.values(), key=lambda each: each.place)
    target, goal = builder(context, subject)
    if any(each.receiver != receiver(goal) for each in late):
        raise CannotFixError("the two methods do not call the module the same")
    lines = [line for each in late for line in each.lines]
    edits = ordered((append(goal, lines), *(e for each in late for e in each.removal)))
    what = f"build {finding.attribute} in {target.function.name}()"
    return Fix(subject.cls.file.path, tuple(edits), what, _ORDER)


def guard_build(context: Context, subject: Subject, finding: Finding) -> Fix:
    """INF405: build it only where the module is not for inference only.

    Builds that stand below each other come under one guard.
    """
    own = _guardable(context, subject, finding.attribute or "")
    lines = {id(own.line): own}
    for other in built_then_removed(subject):
        with contextlib.suppress(CannotFixError):
            found = _guardable(context, subject, other.attribute or "")
            lines.setdefault(id(found.line), found)
    piece = own.piece
    block = piece.parent(own.line)
    siblings = list(block.body) if isinstance(block, cst.IndentedBlock) else [own.line]
    index = siblings.index(own.line)
    first = last = index
    while first and id(siblings[first - 1]) in lines and _adjoin(piece, siblings, first):
        first -= 1
    while (
        last + 1 < len(siblings)
        and id(siblings[last + 1]) in lines
        and _adjoin(piece, siblings, last + 1)
    ):
        last += 1
    test = f"not {flag(subject, piece)}"
    run = [lines[id(line)].line for line in siblings[first : last + 1]]
    above = siblings[first - 1] if first and _adjoin(piece, siblings, first) else None
    joins = above is not None and _is_block_of(piece, above, test)
    step = context.layout(own.closure.file).step
    edits = _indented(piece, run, "" if joins else f"if {test}:", step)
    what = f"build {finding.attribute} under 'if {test}'"
    return Fix(finding.path, tuple(edits), what, _ORDER)


# What builds it


class _Build(NamedTuple):
    """The one statement that builds a component, alone on its line."""

    closure: Closure
    piece: Piece
    line: cst.SimpleStatementLine
    statement: cst.Assign


def _build(context: Context, subject: Subject, name: str) -> _Build:
    """Raises :class:`CannotFixError` where there is none."""
    judged, built = subject.verdict.component(name), subject.verdict.built
    found = [
        closure
        for closure in (() if built is None else built.methods(subject.cls))
        if name in assigned_names(closure.function)
    ]
    site = None if judged is None else judged.component.site
    if len(found) != 1 or site is None or site.unit is not found[0].unit:
        raise CannotFixError("it is not built by one statement of a method")
    piece = context.piece(found[0].unit)
    target = f"{receiver(piece)}.{name}"
    statements = [
        s
        for s in piece.nodes(cst.Assign)
        if len(s.targets) == 1 and piece.source(s.targets[0].target) == target
    ]
    if len(statements) != 1:
        raise CannotFixError("it is not built by one statement of a method")
    line = piece.parent(statements[0])
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) > 1:
        raise CannotFixError("other statements stand on the same line")
    return _Build(found[0], piece, line, statements[0])


def _check_mentions(context: Context, subject: Subject, name: str, but: Closure) -> None:
    """Nothing else that builds the module, a subclass included, may read it."""
    names = {"__init__", *subject.profile.setup_methods}
    for closure in _building(context, subject, names):
        mentions = sum(
            (isinstance(n, facts.Attr) and n.name == name)
            or (isinstance(n, facts.Const) and n.value == name)
            for n in nodes(closure.function.body)
        )
        if mentions > (closure.unit is but.unit):
            raise CannotFixError(f"{closure.label} mentions {name} again")


def _building(context: Context, subject: Subject, names: set[str]) -> Iterator[Closure]:
    elsewhere = {subject.profile.api_method, *subject.profile.target_methods}
    for cls in context.universe.classes.values():
        built = subject.of(cls).verdict.built if subject.cls in cls.mro else None
        for closure in () if built is None else built.methods(cls):
            runs = built is not None and closure.unit in built.ran
            if closure.function.name in names or (runs and closure.function.name not in elsewhere):
                yield closure


# Moving it


def _check_available(piece: Piece, closure: Closure, statement: cst.Assign, name: str) -> None:
    """What the statement reads has to be there in ``setup()``."""
    local = {p.name for p in closure.function.params[1:]}
    local |= {n.id for n in _bound(closure)}
    later = assigned_names(closure.function) - {name}
    this = receiver(piece)
    for node in piece.nodes(cst.Name, statement.value):
        attribute = isinstance(piece.parent(node), cst.Attribute)
        if node.value in local and not (attribute and _is_attribute_name(piece, node)):
            raise CannotFixError(f"it needs {node.value}, which only {closure.label} has")
    for part in piece.nodes(cst.Attribute, statement.value):
        mine = isinstance(part.value, cst.Name) and part.value.value == this
        if mine and part.attr.value in later:
            raise CannotFixError(f"it needs {part.attr.value}, which is not there in setup()")


def _is_attribute_name(piece: Piece, node: cst.Name) -> bool:
    parent = piece.parent(node)
    return isinstance(parent, cst.Attribute) and parent.attr is node


def _bound(closure: Closure) -> Iterator[facts.Name]:
    """Local variables of a function."""
    for node in nodes(closure.function.body):
        targets: tuple[object, ...] = ()
        if isinstance(node, facts.Assign):
            targets = node.targets
        elif isinstance(node, (facts.Augment, facts.Loop)) and node.target is not None:
            targets = (node.target,)
        for target in targets:
            yield from (n for n in nodes(target) if isinstance(n, facts.Name) and n.id != "self")


class _Late(NamedTuple):
    """A statement to be moved: where it stands, its lines, and the edits that take it away."""

    place: int
    lines: tuple[str, ...]
    removal: tuple[Edit, ...]
    receiver: str


def _moved(context: Context, subject: Subject, name: str) -> _Late:
    closure, piece, line, statement = _build(context, subject, name)
    assert isinstance(piece.root, cst.FunctionDef)  # noqa: S101 - it is a method
    if piece.parent(line) is not piece.root.body:
        raise CannotFixError(f"{closure.label} builds it under a condition")
    _check_available(piece, closure, statement, name)
    _check_mentions(context, subject, name, closure)
    if any(True for _ in _strings_over_lines(piece, line)):
        raise CannotFixError("a string in it goes over several lines")
    document = piece.document
    start, end = piece.start(statement), document.line_end(piece.end(statement))
    number = document.line_of(start)
    indent = document.indent(number)
    while document.lines[number - 2].startswith(f"{indent}#"):
        number -= 1
    text = document.text[document.offset(number, 0) : end]
    lines = tuple(part.removeprefix(indent) for part in split_lines(text))
    (removal,) = without_statement(piece, statement).edits
    first = min(removal.start, document.offset(number, 0))
    if removal.text:
        first = removal.start
    return _Late(
        start,
        tuple(part.rstrip("\r\n") for part in lines),
        (removal._replace(start=first),),
        receiver(piece),
    )


# Indenting it


def _guardable(context: Context, subject: Subject, name: str) -> _Build:
    build = _build(context, subject, name)
    _check_mentions(context, subject, name, build.closure)
    return build


def _indented(
    piece: Piece, run: Sequence[cst.SimpleStatementLine], head: str, step: str
) -> list[Edit]:
    """Statements one step further in, below a head of their own if there is one."""
    document = piece.document
    edits: list[Edit] = []
    for line in run:
        first, last = piece.start(line.body[0]), piece.end(line.body[-1])
        strings = list(_strings_over_lines(piece, line))
        for number in range(document.line_of(first), document.line_of(last) + 1):
            place = document.offset(number, 0)
            inside = any(start < place <= end for start, end in strings)
            if document.lines[number - 1].strip() and not inside:
                edits.append(Edit(place, place, step))
    number = document.line_of(edits[0].start)
    lead = f"{document.indent(number)}{head}{document.newline(number)}" if head else ""
    edits[0] = edits[0]._replace(text=lead + step)
    return edits


def _strings_over_lines(piece: Piece, line: cst.SimpleStatementLine) -> Iterator[tuple[int, int]]:
    document = piece.document
    kinds: tuple[type[cst.CSTNode], ...] = (cst.SimpleString, cst.FormattedString)
    for kind in kinds:
        for node in piece.nodes(kind, line):
            if document.line_of(piece.start(node)) != document.line_of(piece.end(node)):
                yield piece.start(node), piece.end(node)


def _adjoin(piece: Piece, siblings: Sequence[cst.CSTNode], index: int) -> bool:
    """Whether no line stands between a statement and the one above it."""
    document = piece.document
    above, line = last_of(siblings[index - 1]), siblings[index]
    if not isinstance(above, cst.SimpleStatementLine):
        return False
    end = document.line_of(piece.end(above.body[-1]))
    first = line.body[0] if isinstance(line, cst.SimpleStatementLine) else line
    return document.line_of(piece.start(first)) == end + 1


def _is_block_of(piece: Piece, node: cst.CSTNode, test: str) -> bool:
    """Whether a statement is a block under that condition and nothing else."""
    if not isinstance(node, cst.If) or node.orelse is not None:
        return False
    return isinstance(node.body, cst.IndentedBlock) and piece.source(node.test) == test
