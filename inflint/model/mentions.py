"""Which attributes of ``self`` a function's text mentions, without running it.

For evidence ("read only by compute_values") and for what is assigned somewhere at all.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, TypeVar

from inflint.syntax import facts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")


def _once(question: Callable[[facts.Function], T]) -> Callable[[facts.Function], T]:
    """Answer a question about a function once; by identity, as facts are large to hash."""
    answers: dict[int, tuple[facts.Function, T]] = {}

    @wraps(question)
    def ask(function: facts.Function) -> T:
        known = answers.get(id(function))
        if known is None:
            known = answers[id(function)] = (function, question(function))
        return known[1]

    return ask


_BINDERS = frozenset(
    ("setattr", "register_buffer", "register_parameter", "register_module", "add_module")
)


def nodes(root: object) -> Iterator[object]:
    """All facts within a fact, in source order."""
    stack: list[tuple[object, ...]] = [root] if isinstance(root, tuple) else []
    while stack:
        node = stack.pop()
        if type(node) is not tuple:  # facts are named tuples
            yield node
        stack.extend([part for part in reversed(node) if isinstance(part, tuple)])


@_once
def parts(function: facts.Function) -> tuple[object, ...]:
    """All facts within a function's body, in source order."""
    return tuple(nodes(function.body))


def _receiver(function: facts.Function) -> str | None:
    return function.params[0].name if function.params else None


@_once
def assigned_names(function: facts.Function) -> frozenset[str]:
    """Attributes of its first parameter that a method binds; ``*`` for an unknown one."""
    receiver = _receiver(function)
    found: set[str] = set()
    for node in parts(function):
        if isinstance(node, facts.Assign):
            for target in node.targets:
                found.update(_targets(target, receiver))
        elif isinstance(node, (facts.Augment, facts.Loop)) and node.target is not None:
            found.update(_targets(node.target, receiver))
        elif isinstance(node, facts.Call):
            found.update(_bound_by_call(node))
    return frozenset(found)


def _targets(target: facts.Expr, receiver: str | None) -> Iterator[str]:
    if isinstance(target, facts.Attr):
        if isinstance(target.value, facts.Name) and target.value.id == receiver:
            yield target.name
    elif isinstance(target, facts.Sequence):
        for item in target.items:
            yield from _targets(item, receiver)
    elif isinstance(target, facts.Star):
        yield from _targets(target.value, receiver)


def _bound_by_call(node: facts.Call) -> Iterator[str]:
    func = node.func
    name = func.name if isinstance(func, facts.Attr) else getattr(func, "id", "")
    if name in _BINDERS or name == "__setattr__":
        position = 0 if name.startswith(("register", "add")) else 1
        if len(node.args) > position:
            key = node.args[position]
            known = isinstance(key, facts.Const) and isinstance(key.value, str)
            yield str(key.value) if known and isinstance(key, facts.Const) else "*"


@_once
def rebinds(function: facts.Function) -> bool:
    """Whether a function binds variables of those around it."""
    return any(isinstance(n, facts.Declare) and n.kind == "nonlocal" for n in parts(function))


@_once
def reflects(function: facts.Function) -> frozenset[str]:
    """Attributes whose contents a function changes as a whole: ``x.name |= …``, ``.update``."""
    found: set[str] = set()
    for node in parts(function):
        target: object = None
        if isinstance(node, facts.Augment):
            target = node.target
        elif isinstance(node, facts.Call) and isinstance(node.func, facts.Attr):
            target = node.func.value
        elif isinstance(node, facts.Assign):
            items = [t for t in node.targets if isinstance(t, facts.Item)]
            target = items[0].value if items else None
        if isinstance(target, facts.Attr):
            found.add(target.name)
    return frozenset(found)


@_once
def read_sites(function: facts.Function) -> dict[str, int]:
    """Attributes of its first parameter that a method reads, with the first site."""
    receiver = _receiver(function)
    written = {id(t) for n in parts(function) if isinstance(n, facts.Assign) for t in n.targets}
    found: dict[str, int] = {}
    for node in parts(function):
        if isinstance(node, facts.Attr) and id(node) not in written:
            if isinstance(node.value, facts.Name) and node.value.id == receiver:
                found.setdefault(node.name, node.at)
        elif isinstance(node, facts.Call) and getattr(node.func, "id", "") == "getattr":
            names = [a for a in node.args[1:2] if isinstance(a, facts.Const)]
            found.update((str(n.value), node.at) for n in names if str(n.value) not in found)
    return found


@_once
def called_attributes(function: facts.Function) -> frozenset[str]:
    """Attributes of its first parameter that a method calls, or iterates over to call."""
    receiver = _receiver(function)
    found = set()
    for node in parts(function):
        if isinstance(node, facts.Call):
            func: object = node.func
            while isinstance(func, facts.Item):
                func = func.value
            owner = func.value if isinstance(func, facts.Attr) else None
            mine = isinstance(owner, facts.Name) and owner.id == receiver
            if mine and isinstance(func, facts.Attr) and (node.args or node.keywords):
                found.add(func.name)
    return frozenset(found)
