"""Paths into a module: ``"encoder.vf"`` to the owner, the leaf and the object."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any

from torch import nn

WRAPPED = "_orig_mod"
"""Under this name ``torch.compile`` keeps the module that it wraps, also in the state's keys."""

_MISSING = object()


class UnresolvedPathError(LookupError):
    """A path leads to nothing.

    Attributes:
        path: The whole path.
        missing: Its first part that is not there.
        owner: The path of the object that lacks it; empty for the module itself.
        nearest: Names that the owner does have, nearest first.
    """

    def __init__(self, path: str, missing: str, owner: str, nearest: tuple[str, ...], why: str):
        self.path = path
        self.missing = missing
        self.owner = owner
        self.nearest = nearest
        where = repr(owner) if owner else "the module"
        reason = f"{where} has no {missing!r}" + (f" ({why})" if why else "")
        hint = f"; nearest: {', '.join(nearest)}" if nearest else ""
        super().__init__(f"{path!r}: {reason}{hint}")


@dataclass(frozen=True)
class Resolved:
    """Where a path leads.

    Attributes:
        path: As it was given.
        key: As the state dict spells it; differs where a part is wrapped by ``torch.compile``.
        owner: The object that holds the leaf.
        leaf: The last part.
        value: The object, possibly None.
        kind: ``module``, ``parameter``, ``buffer``, ``attribute``, or ``class attribute`` for
            what only the owner's class has (methods, properties) and nobody can delete.
    """

    path: str
    key: str
    owner: Any
    leaf: str
    value: Any
    kind: str


def resolve(module: nn.Module, path: str) -> Resolved:
    """Follow a path of attributes, keys and indices separated by dots.

    Elements of a ``ModuleList``, ``Sequential``, ``ModuleDict``, ``ParameterList`` or
    ``ParameterDict`` are parts like any other.

    Raises:
        UnresolvedPathError: A part is missing. It says which one, and what is near.
    """
    owner: Any = module
    key: list[str] = []
    parts = path.split(".")
    for index, part in enumerate(parts):
        owner, value, kind, wrapped = _part(owner, part)
        if value is _MISSING:
            raise _unresolved(path, part, ".".join(parts[:index]), owner)
        key += [*wrapped, part]
        if index == len(parts) - 1:
            return Resolved(path, ".".join(key), owner, part, value, kind)
        owner = value
    raise AssertionError("a path has at least one part")


def _part(owner: Any, part: str) -> tuple[Any, Any, str, list[str]]:
    """The true owner, the value, its kind, and the wrappers that lie between."""
    wrapped: list[str] = []
    value, kind = _own(owner, part)
    while value is _MISSING and isinstance(owner, nn.Module) and WRAPPED in owner._modules:
        owner = owner._modules[WRAPPED]
        wrapped.append(WRAPPED)
        value, kind = _own(owner, part)
    return owner, value, kind, wrapped


def _own(owner: Any, part: str) -> tuple[Any, str]:
    if isinstance(owner, nn.Module):
        for kind, table in registries(owner):
            if part in table:
                return table[part], kind
    if isinstance(owner, (list, tuple, dict)):
        return _MISSING, ""
    own = getattr(owner, "__dict__", {})
    if part in own:
        return own[part], "attribute"
    if hasattr(type(owner), part):
        return getattr(owner, part, None), "class attribute"
    return _MISSING, ""


def registries(module: nn.Module) -> tuple[tuple[str, dict[str, Any]], ...]:
    """The tables in which torch registers a module's parts: kind and content, by name."""
    return (
        ("module", module._modules),
        ("parameter", module._parameters),
        ("buffer", module._buffers),
    )


def _unresolved(path: str, missing: str, owner_path: str, owner: Any) -> UnresolvedPathError:
    why = ""
    names: list[str] = []
    if isinstance(owner, nn.Module):
        names = names_of(owner)
    elif isinstance(owner, (list, tuple, dict)):
        kind = type(owner).__name__
        better = "ModuleDict" if isinstance(owner, dict) else "ModuleList"
        why = f"a plain {kind}, which torch does not look into: use nn.{better}"
    elif owner is None:
        why = "it is None"
    bare = missing.strip()
    near = difflib.get_close_matches(bare, names, n=3, cutoff=0.6)
    if bare == "self":
        near = path.split(".")[1:2]
        why = "write names without 'self.'"
    elif "[" in bare:
        why = "write elements with a dot, as in heads.1"
    else:
        joined = [(a, b) for a in names for b in names if a + b == bare]
        for first, second in joined[:1]:
            why = f"is a comma missing between {first!r} and {second!r}?"
            near = [first, second]
    return UnresolvedPathError(path, missing, owner_path, tuple(near), why)


def names_of(module: nn.Module) -> list[str]:
    """What a module has: registered parts first, then its own plain attributes."""
    found = [name for _, table in registries(module) for name in table]
    internal = set(nn.Module().__dict__)
    return [*found, *(name for name in module.__dict__ if name not in internal)]


def covers(path: str, key: str) -> bool:
    """Whether a key of a state, or another path, is the path or lies below it."""
    return key == path or key.startswith(path + ".")


def maximal(paths: list[str]) -> list[str]:
    """The paths that no other of them covers, in the order given."""
    unique = list(dict.fromkeys(paths))
    return [p for p in unique if not any(q != p and covers(q, p) for q in unique)]
