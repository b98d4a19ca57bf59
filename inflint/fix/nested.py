"""Nested paths: deleted by the class itself, which RLlib's own removal cannot do."""

from __future__ import annotations

import contextlib
import keyword
from typing import TYPE_CHECKING

from inflint.checks.paths import leads_somewhere
from inflint.fix.edits import CannotFixError, Edit
from inflint.model.heap import ANY
from inflint.model.mentions import nodes
from inflint.model.values import Ref
from inflint.syntax import facts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from inflint.checks.context import Subject
    from inflint.fix.planning import Context
    from inflint.model.frames import Closure
    from inflint.model.heap import Object
    from inflint.model.profile import Part
    from inflint.model.statements import Machine

_KINDS = frozenset(("module", "parameter", "container", "target"))
"""Components that are worth a statement of their own."""
_SEQUENCES = frozenset(("list", "sequence"))
_ACCESS = frozenset(("__getattr__", "__getattribute__", "__delattr__", "__delitem__"))


def nested_part(context: Context, subject: Subject) -> tuple[list[str], list[Edit]]:
    """Unused parts of what inference needs that ``setup()`` can safely delete.

    Returns:
        Their paths, and the edits that delete them; both empty where there are none.
    """
    below = [j.component.name for j in subject.unused_below() if j.component.kind in _KINDS]
    found, _ = _targets(context, subject, below)
    with contextlib.suppress(CannotFixError):
        if found:
            return [p for p in below if p in found], [_deletion(context, subject, found)]
    return [], []


def deletion(context: Context, subject: Subject, path: str, others: Collection[str]) -> Edit:
    """The edit of ``setup()`` that deletes a path in inference-only mode.

    The same edit deletes those of the other paths that can go, too.

    Raises:
        CannotFixError: It may not be there, or something on an EnvRunner may miss it.
    """
    found, errors = _targets(context, subject, [*dict.fromkeys((*others, path))])
    if path in errors:
        raise errors[path]
    return _deletion(context, subject, found)


def _targets(
    context: Context, subject: Subject, paths: Sequence[str]
) -> tuple[dict[str, str], dict[str, CannotFixError]]:
    """How to reach each path that can be deleted, in that order, and why others cannot."""
    owners = list(dict.fromkeys(_parent(path) for path in paths))
    ranks = {path: (owners.index(_parent(path)), -_index(path)) for path in paths}
    found: dict[str, str] = {}
    errors: dict[str, CannotFixError] = {}
    slots: dict[tuple[int, str], str] = {}
    for path in sorted(paths, key=ranks.__getitem__):
        other = slots.setdefault(_slot(subject, path), path)
        if other != path:
            errors[path] = CannotFixError(f"{path} and {other} are the same")
            continue
        try:
            found[path] = _target(context, subject, path, removed=found)
        except CannotFixError as error:
            errors[path] = error
    return found, errors


def _slot(subject: Subject, path: str) -> tuple[int, str]:
    """The object that a path ends in a part of, and the part."""
    runner = subject.verdict.runner
    owner = None if runner is None else _owner(runner, path)
    return (-1 if owner is None else owner.oid), path.rpartition(".")[2]


def _parent(path: str) -> str:
    return path.rpartition(".")[0]


def _index(path: str) -> int:
    """The place of an element; those behind it have to go first."""
    leaf = path.rpartition(".")[2]
    return int(leaf) if leaf.isdecimal() else 0


def _deletion(context: Context, subject: Subject, targets: Mapping[str, str]) -> Edit:
    from inflint.fix.blocks import append_in_mode, builder, flag, receiver  # slow to import

    _, piece = builder(context, subject)
    this = receiver(piece)
    lines = [f"del {this}{target}" for target in targets.values()]
    return append_in_mode(piece, flag(subject, piece), lines)


def _target(context: Context, subject: Subject, path: str, removed: Collection[str]) -> str:
    """How code gets from the module to a path that is there and that no EnvRunner misses.

    Raises:
        CannotFixError: It is not certain to be both.
    """
    runner, built = subject.verdict.runner, subject.verdict.built
    if runner is None or built is None or not leads_somewhere(runner, path.split(".")):
        raise CannotFixError(f"{path} may be missing on an EnvRunner")
    _check_unused(subject, path)
    _check_others(context, subject, path)
    layout = context.layout(subject.cls.file)
    return _reached(runner, subject, path, layout.quote, removed)


def _check_unused(subject: Subject, path: str) -> None:
    parts = path.split(".")
    prefixes = [".".join(parts[:n]) for n in range(len(parts), 0, -1)]
    judged = next((j for p in prefixes if (j := subject.verdict.component(p)) is not None), None)
    if judged is None:
        raise CannotFixError(f"what {path} is cannot be told")
    if judged.component.stage == "late":
        raise CannotFixError(f"{judged.component.name} is built after the framework's constructor")
    if judged.verdict == "uncertain":
        raise CannotFixError(f"inference may need {path}: {judged.reason}")
    if judged.verdict == "needed":
        raise CannotFixError(f"inference may need {path}, which is a part of what it reads")
    if len(judged.component.path) == 1:
        raise CannotFixError(f"all of {judged.component.name} is unused: list that")


def _check_others(context: Context, subject: Subject, path: str) -> None:
    """Nothing that runs after ``setup()`` may miss the child, in subclasses neither."""
    leaf = path.rpartition(".")[2]
    for closure in _later(subject, {"__init__"}):
        if _mentions(closure, leaf):
            raise CannotFixError(f"{closure.label} may read {path} after setup()")
    for cls in context.universe.classes.values():
        if cls is subject.cls or subject.cls not in cls.mro:
            continue
        below = subject.of(cls)
        judged = below.verdict.component(path)
        if below.verdict.reason or (judged is not None and judged.verdict != "unused"):
            raise CannotFixError(f"{cls.name}, which derives from it, may need {path}")
        built = below.verdict.built
        names = {"__init__", *subject.profile.setup_methods}
        for closure in () if built is None else built.methods(cls):
            inherited = closure.owner in subject.cls.mro
            if not inherited and closure.function.name in names and _mentions(closure, leaf):
                raise CannotFixError(f"{closure.label} may read {path}")


def _later(subject: Subject, names: set[str]) -> Iterator[Closure]:
    built = subject.verdict.built
    for closure in () if built is None else built.methods(subject.cls):
        if closure.function.name in names:
            yield closure


def _mentions(closure: Closure, name: str) -> bool:
    return any(
        (isinstance(n, facts.Attr) and n.name == name)
        or (isinstance(n, facts.Const) and str(n.value) == name)
        for n in nodes(closure.function.body)
    )


# The expression


def _reached(
    runner: Machine, subject: Subject, path: str, quote: str, removed: Collection[str]
) -> str:
    names = path.split(".")
    owner = runner.root or 0
    text = ""
    for index, name in enumerate(names):
        found = runner.heap.objects[owner]
        leaf = index == len(names) - 1
        if _part(found, name) is not None:
            raise CannotFixError(f"{path} is a part of what the framework builds")
        text += _step(runner, subject, found, name, quote)
        if leaf:
            _check_last(runner, found, path, removed)
            return text
        below = [a.oid for a in runner.heap.get(owner, name) or () if isinstance(a, Ref)]
        if len(below) != 1:
            raise CannotFixError(f"what {path} is a part of cannot be told")
        owner = below[0]
    return text


def framework_part(subject: Subject, path: str) -> tuple[Object, Part] | None:
    """What the profile says of a path whose owner the framework builds, and that owner."""
    runner = subject.verdict.runner
    owner = None if runner is None else _owner(runner, path)
    part = None if owner is None else _part(owner, path.rpartition(".")[2])
    return None if owner is None or part is None else (owner, part)


def _part(owner: Object, name: str) -> Part | None:
    parts = () if owner.factory is None else owner.factory.parts
    return next((part for part in parts if part.name == name), None)


def _step(runner: Machine, subject: Subject, owner: Object, name: str, quote: str) -> str:
    """How code gets from an object to a part of it."""
    container = "" if owner.factory is None else owner.factory.container
    if container in _SEQUENCES and name.isdigit():
        return f"[{name}]"
    if container == "dict" and ANY not in name:
        return f"[{quote}{name}{quote}]"
    cls = owner.cls
    known = cls is not None and cls.is_torch() and not cls.unknown
    if cls is not None and known and name.isidentifier() and not keyword.iskeyword(name):
        if any(runner.is_foreign(entry) for entry in cls.mro):
            raise CannotFixError(f"{cls.name} has a base whose source is not read")
        own = [n for n in (*_ACCESS, name) for c in cls.classes() if c.own(n)]
        if own and cls is not subject.cls:
            raise CannotFixError(f"{cls.name} defines {own[0]}, so that {name} is not plain")
        return f".{name}"
    raise CannotFixError(f"{name} cannot be deleted from what holds it")


def _check_last(runner: Machine, owner: Object, path: str, removed: Collection[str]) -> None:
    """Elements behind a deleted one would move up, and change their keys in the state."""
    container = "" if owner.factory is None else owner.factory.container
    if container not in _SEQUENCES:
        return
    parent, _, name = path.rpartition(".")
    keys = {k for k in runner.heap.slots(owner.oid) if ANY in k or k.isdigit()}
    keys -= {n.rpartition(".")[2] for n in removed if n.rpartition(".")[0] == parent}
    if any(ANY in k or int(k) > int(name) for k in keys):
        raise CannotFixError(f"elements of {parent} behind {path} would move up")
    if owner.factory is not None and not owner.factory.deletes:
        raise CannotFixError(f"torch cannot delete an element of {parent}")


def _owner(runner: Machine, path: str) -> Object | None:
    owner = runner.root or 0
    for name in path.split(".")[:-1]:
        below = [a.oid for a in runner.heap.get(owner, name) or () if isinstance(a, Ref)]
        if len(below) != 1:
            return None
        owner = below[0]
    return runner.heap.objects[owner]
