"""Whether a value certainly is, and stays, an object: what ``is None`` and ``isinstance`` ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inflint.model.core import sole
from inflint.model.values import ClassRef, Ext, Ref

if TYPE_CHECKING:
    from inflint.model.attributes import Attributes
    from inflint.model.heap import Object
    from inflint.model.values import Atom, Value

_BUILT = frozenset(("module", "parameter", "container"))
"""What the profile's factories make that is never None."""
_MODULES = frozenset(("module", "container"))


def is_something(machine: Attributes, value: Value) -> bool:
    """Whether a value is no ``None``, now and whenever inference runs."""
    return bool(value) and all(_is_kept(machine, atom) for atom in value)


def is_instance(machine: Attributes, value: Value, kind: Value) -> bool:
    """Whether a value certainly is an object of a class; False where that is not known."""
    wanted = sole(kind)
    return is_something(machine, value) and all(
        isinstance(atom, Ref) and _is_of(machine, machine.object(atom), wanted) for atom in value
    )


def _is_of(machine: Attributes, target: Object, wanted: Atom | None) -> bool:
    if isinstance(wanted, ClassRef):
        return target.cls is not None and wanted.info in target.cls.mro
    root = machine.profile.root_by_name.get(wanted.name) if isinstance(wanted, Ext) else None
    if root is None:
        return False
    if target.cls is not None:
        return root in target.cls.mro
    kind = "" if target.factory is None else target.factory.kind
    return root.torch_module and not root.bases and kind in _MODULES


def _is_kept(machine: Attributes, atom: Atom) -> bool:
    """Whether an object exists, and nothing that is still to run puts another in its place."""
    if not isinstance(atom, Ref):
        return False
    target = machine.object(atom)
    if target.kind == "opaque" and (target.factory is None or target.factory.kind not in _BUILT):
        return False
    return not any(_may_change(machine, *place) for place in machine.heap.holders(atom))


def _may_change(machine: Attributes, oid: int, name: str) -> bool:
    holder = machine.heap.objects[oid]
    if holder.kind == "tuple":
        return False
    return holder.cls is None or machine.assigned_elsewhere(holder.cls, name)
