"""Modules in a plain list or dict, handed to torch's own container."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import libcst as cst

from inflint.fix.blocks import receiver
from inflint.fix.edits import CannotFixError, Edit, Fix, ordered
from inflint.fix.imports import Wanted, reach
from inflint.model.components import kind_of
from inflint.model.heap import ANY, Edge
from inflint.model.mentions import nodes
from inflint.model.values import ABSENT, Const, Ref
from inflint.syntax import facts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.fix.planning import Context
    from inflint.fix.tree import Piece
    from inflint.model.frames import Closure
    from inflint.model.heap import Object
    from inflint.model.profile import Wrapper
    from inflint.model.statements import Machine
    from inflint.model.values import Atom

_TRAINED = "its modules are trained and sent from then on, and older checkpoints lack them"
_MODULES = frozenset(("module", "container", "catalog", "target"))
_CONSUMERS = frozenset(
    ("len", "list", "tuple", "enumerate", "zip", "reversed", "iter", "map", "sum", "any", "all")
)
"""Functions that only iterate over what they are given, or ask for its length."""


class _Use(NamedTuple):
    """One place where the attribute is mentioned."""

    closure: Closure
    piece: Piece
    node: cst.Attribute


def register(context: Context, subject: Subject, finding: Finding) -> Fix:
    """INF401: wrap what is assigned in torch's container."""
    name = finding.attribute or ""
    wrapper = _wrapper(subject, name)
    unsafe = _TRAINED
    edits: list[Edit] = []
    spelled, imports = "", list[Edit]()
    for use in _uses(context, subject, name):
        value = _assigned(use)
        if value is not None:
            if use.closure.file is not subject.cls.file:
                raise CannotFixError(f"{use.closure.label} assigns it in another file")
            if not spelled:
                spelled, imports = _name_of(context, subject, use, value, name)
            edits += _wrapped(context, use, value, f"{spelled}.{wrapper.name}")
        elif not _is_harmless(use, wrapper):
            line = use.piece.document.line_of(use.piece.start(use.node))
            unsafe = f"it is handed on at line {line}, and {_TRAINED}"
    if not edits:
        raise CannotFixError("no assignment of it is found")
    what = f"hold {name} in {spelled}.{wrapper.name}"
    return Fix(subject.cls.file.path, tuple(ordered([*imports, *edits])), what, unsafe)


# What it holds


def _wrapper(subject: Subject, name: str) -> Wrapper:
    built = subject.verdict.built
    if built is None or "." in name:
        raise CannotFixError("what it holds is not known")
    wrappers: list[Wrapper] = []
    for atom in (built.heap.get(built.root or 0, name) or frozenset()) - {ABSENT}:
        if isinstance(atom, Const) and atom.value is None:
            continue
        found = built.object(atom) if isinstance(atom, Ref) else None
        wrapper = None if found is None else subject.profile.wrappers.get(found.kind)
        if found is None or wrapper is None or found.factory is not None:
            raise CannotFixError("torch has no container that does the same")
        _check_elements(built, found, wrapper)
        wrappers.append(wrapper)
    if not wrappers or any(w is not wrappers[0] for w in wrappers):
        raise CannotFixError("it is not always the same kind of container")
    return wrappers[0]


def _check_elements(built: Machine, found: Object, wrapper: Wrapper) -> None:
    for key, value in built.heap.slots(found.oid).items():
        edge = built.heap.edges.get((found.oid, key), Edge(None, "", ""))
        if not all(_is_module(built, atom, edge) for atom in value - {ABSENT}):
            raise CannotFixError("not all that it holds are modules")
        if found.kind == "dict":
            _check_key(key, wrapper)


def _is_module(built: Machine, atom: Atom, edge: Edge) -> bool:
    return isinstance(atom, Ref) and kind_of(built, frozenset((atom,)), edge, set()) in _MODULES


def _check_key(key: str, wrapper: Wrapper) -> None:
    if ANY in key:
        raise CannotFixError("its keys are not all known")
    if key.removeprefix("-").isdigit() or key in {"True", "False", "None"}:
        raise CannotFixError(f"{wrapper.name} only has strings as keys, and {key} may be none")
    if not key or "." in key or key in wrapper.taken or key.startswith("_"):
        raise CannotFixError(f"{wrapper.name} cannot have a key {key!r}")


# Where it is mentioned


def _uses(context: Context, subject: Subject, name: str) -> Iterator[_Use]:
    """All mentions in the class, its bases and its known subclasses.

    Raises:
        CannotFixError: It is also got at by its name as a string.
    """
    known: set[int] = set()
    for closure in _closures(context, subject):
        found = list(nodes(closure.function))
        if id(closure.unit) in known or not any(
            (isinstance(n, facts.Attr) and n.name == name)
            or (isinstance(n, facts.Const) and n.value == name)
            for n in found
        ):
            continue
        known.add(id(closure.unit))
        reflective = [n for n in found if isinstance(n, facts.Const) and n.value == name]
        if reflective and closure.function.name != subject.profile.api_method:
            raise CannotFixError(f"{closure.label} mentions {name} as a string")
        piece = context.piece(closure.unit)
        for node in piece.nodes(cst.Attribute):
            mine = isinstance(node.value, cst.Name) and node.value.value == receiver(piece)
            if node.attr.value == name and mine:
                yield _Use(closure, piece, node)


def _closures(context: Context, subject: Subject) -> Iterator[Closure]:
    for cls in context.universe.classes.values():
        if subject.cls in cls.mro:
            built = subject.of(cls).verdict.built
            yield from () if built is None else built.methods(cls)


def _assigned(use: _Use) -> cst.BaseExpression | None:
    """What a statement assigns to it; None where it does not."""
    piece, parent = use.piece, use.piece.parent(use.node)
    if isinstance(parent, cst.AnnAssign) and parent.target is use.node:
        return parent.value
    if not isinstance(parent, cst.AssignTarget):
        return None
    statement = piece.parent(parent)
    if not isinstance(statement, cst.Assign) or len(statement.targets) > 1:
        raise CannotFixError("it is assigned together with something else")
    return statement.value


def _wrapped(context: Context, use: _Use, value: cst.BaseExpression, name: str) -> list[Edit]:
    piece, layout = use.piece, context.layout(use.closure.file)
    document = piece.document
    if isinstance(value, cst.Name) and value.value == "None":
        return []
    if isinstance(value, cst.Name):
        _check_local(piece, value)
    elif not isinstance(value, (cst.List, cst.ListComp, cst.Tuple, cst.Dict, cst.DictComp)):
        raise CannotFixError("what is assigned is not written as a list or dict")
    if use.closure.function.name == "__init__":
        _check_constructor(piece, use.node)
    start, end = piece.outer(value)
    empty = isinstance(value, (cst.List, cst.Dict, cst.Tuple)) and not value.elements
    if empty and not piece.comments_in(start, end):
        return [Edit(start, end, f"{name}()")]
    opening, closing = f"{name}(", ")"
    if isinstance(value, cst.Tuple) and not value.lpar:
        opening, closing = f"{name}((", "))"
    line = document.line_of(start)
    written = len(document.lines[line - 1].rstrip("\r\n")) + len(opening) + len(closing)
    if document.line_of(end) == line and written > layout.width:
        newline, indent = document.newline(line), document.indent(line)
        opening += f"{newline}{indent}{layout.step}"
        closing = f"{newline}{indent}{closing}"
    return [Edit(start, start, opening), Edit(end, end, closing)]


def _check_local(piece: Piece, value: cst.Name) -> None:
    """A local container must not change, or be another time assigned, once it is wrapped."""
    after = piece.end(value)
    later = [n for n in piece.nodes(cst.Name) if n.value == value.value and piece.start(n) > after]
    node: cst.CSTNode = value
    while not isinstance(node, (cst.FunctionDef, cst.Module)):
        node = piece.parent(node)
        if isinstance(node, (cst.For, cst.While)):
            later.append(value)
    if later:
        raise CannotFixError(f"{value.value} is used after it is assigned")


def _check_constructor(piece: Piece, node: cst.Attribute) -> None:
    """A module takes no others before torch's constructor has run."""
    done = [
        call
        for call in piece.nodes(cst.Call)
        if isinstance(call.func, cst.Attribute) and call.func.attr.value == "__init__"
    ]
    if not any(piece.end(call) < piece.start(node) for call in done):
        raise CannotFixError("it is assigned before torch's constructor has run")


# What is done with it


def _is_harmless(use: _Use, wrapper: Wrapper) -> bool:
    """Whether torch's container surely does the same there; False where that is not known.

    Raises:
        CannotFixError: It surely does not.
    """
    piece, node = use.piece, use.node
    parent = piece.parent(node)
    _check_operation(piece, parent, wrapper)
    if isinstance(parent, cst.Arg):
        call = piece.parent(parent)
        called = call.func if isinstance(call, cst.Call) else None
        return bool(parent.star) or (isinstance(called, cst.Name) and called.value in _CONSUMERS)
    if isinstance(parent, cst.Assign):
        return all(isinstance(t.target, (cst.Tuple, cst.List)) for t in parent.targets)
    tested = getattr(parent, "test", None) is node or getattr(parent, "iter", None) is node
    return tested or isinstance(parent, _PLAIN_USES)


_PLAIN_USES = (
    cst.Attribute,
    cst.Subscript,
    cst.StarredElement,
    cst.StarredDictElement,
    cst.UnaryOperation,
    cst.Comparison,
    cst.ComparisonTarget,
)
"""Where a container stands as such, once :func:`_check_operation` has agreed."""
_IDENTITY = (cst.In, cst.NotIn, cst.Is, cst.IsNot)


def _check_operation(piece: Piece, parent: cst.CSTNode, wrapper: Wrapper) -> None:
    if isinstance(parent, cst.Attribute):
        called = isinstance(piece.parent(parent), cst.Call)
        if not called or parent.attr.value not in wrapper.methods:
            raise CannotFixError(f"{wrapper.name} has no {parent.attr.value} that does the same")
    elements = parent.slice if isinstance(parent, cst.Subscript) else ()
    if any(isinstance(element.slice, cst.Slice) for element in elements):
        raise CannotFixError("it is sliced")
    operators = [parent.operator] if isinstance(parent, cst.ComparisonTarget) else []
    if isinstance(parent, cst.Comparison):
        operators = [target.operator for target in parent.comparisons]
    if not all(isinstance(operator, _IDENTITY) for operator in operators):
        raise CannotFixError("it is compared with something")
    if isinstance(parent, (cst.BinaryOperation, cst.AugAssign, cst.Del)):
        raise CannotFixError("it is used in a way that only a plain container allows")


# What torch's container is called


def _name_of(
    context: Context, subject: Subject, use: _Use, value: cst.BaseExpression, name: str
) -> tuple[str, list[Edit]]:
    """The namespace of torch's modules, as the statement or the file spells it."""
    built = subject.verdict.built
    namespace = subject.profile.wrapper_namespace
    made = set[str]()
    for atom in () if built is None else built.heap.get(built.root or 0, name) or ():
        if isinstance(atom, Ref) and built is not None:
            for element in built.heap.everything(atom.oid):
                if isinstance(element, Ref):
                    made.add(built.object(element).origin)
    for call in use.piece.nodes(cst.Call, value):
        func = call.func
        if isinstance(func, cst.Attribute) and f"{namespace}.{func.attr.value}()" in made:
            return use.piece.source(func.value), []
    wanted = Wanted((namespace,), subject.profile.wrapper_module)
    layout = context.layout(subject.cls.file)
    return reach(layout, subject.cls, context.universe, wanted)
