"""Reading and binding elements of containers, and of what can be indexed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inflint.model.core import Arguments, texts_of
from inflint.model.heap import ANY, key_of
from inflint.model.values import (
    UNKNOWN,
    Atom,
    Bound,
    Const,
    Ext,
    Ref,
    Reflect,
    Value,
    join,
    present,
)

if TYPE_CHECKING:
    from inflint.model.units import Site

from inflint.model.attributes import Attributes

_NEVER: Value = frozenset()
_CONTAINERS = frozenset(("list", "tuple", "set", "dict"))


class Elements(Attributes):
    """Element access on all kinds of values."""

    def element(self, value: Value, key: Value, site: Site | None) -> Value:
        """``value[key]``."""
        return join(*[self._element(atom, key, site) for atom in value]) or UNKNOWN

    def _element(self, atom: Atom, key: Value, site: Site | None) -> Value:
        if isinstance(atom, Ext):
            return frozenset((Ext(f"{atom.name}[]"),))
        if isinstance(atom, Reflect):
            return self._reflected_element(atom, key, site)
        if not isinstance(atom, Ref):
            return UNKNOWN
        target = self.object(atom)
        if target.kind == "instance":
            method = self.attribute(frozenset((atom,)), "__getitem__", site)
            if any(isinstance(a, Bound) for a in method):
                return self.call(method, Arguments((key,)), site)
            self.use(atom.oid, site, "it is indexed")
            return UNKNOWN
        if target.kind == "opaque":
            self.escape(frozenset((atom,)), site, "it is indexed")
            name = key_of(key)
            return frozenset((Ref(self._child(target, f"[{name or ANY}]", site)),))
        name = self._position(atom.oid, key_of(key))
        slots = self.heap.slots(atom.oid)
        if target.kind == "list" and target.factory is not None:
            self._read_before(atom.oid, key_of(key), site)
        if name is not None and name in slots:
            self.record_read(atom.oid, name, site)
            rest = slots.get(ANY, frozenset())
            return join(present(slots[name]), rest) or UNKNOWN
        if name is not None and slots and ANY not in slots and not _numbered(slots, name):
            return UNKNOWN
        return self.all_elements(atom.oid, site)

    def _reflected_element(self, atom: Reflect, key: Value, site: Site | None) -> Value:
        """``self._modules[name]``, ``self.state_dict()["name.weight"]``."""
        known = key_of(key)
        if atom.by in {"__dict__", "vars"} and known in self.profile.reflective_attributes:
            return frozenset((Reflect(atom.oid, known),))
        names: Value = frozenset(
            a._replace(value=a.value.partition(".")[0])
            if isinstance(a, Const) and isinstance(a.value, str)
            else a
            for a in key
        )
        found = self.dynamic_attribute(frozenset((Ref(atom.oid),)), names, None, site)
        self.escape(found, site, "its state is read")
        return found

    def _read_before(self, oid: int, key: str | None, site: Site | None) -> None:
        """A position in torch's lists means what it does only with all elements before it."""
        for name in self.heap.slots(oid):
            if key is None or not key.isdigit() or not name.isdigit() or int(name) < int(key):
                self.record_read(oid, name, site)

    def _position(self, oid: int, key: str | None) -> str | None:
        if key is not None and key.startswith("-") and key[1:].isdigit():
            known = self.heap.elements(oid)
            return None if known is None else str(len(known) - int(key[1:]))
        return key

    def all_elements(self, oid: int, site: Site | None) -> Value:
        """Any element; reads all of them."""
        for name in self.heap.slots(oid):
            self.record_read(oid, name, site)
        return self.heap.everything(oid)

    def bind_element(self, target: Value, key: Value, value: Value, site: Site | None) -> None:
        """``target[key] = value``."""
        for atom in target:
            if isinstance(atom, Reflect):
                self.bind_dynamic(frozenset((Ref(atom.oid),)), key, value, site)
                if atom.by in {"__dict__", "vars"}:
                    for text, _ in texts_of(key):
                        self.mark_edge(atom.oid, text, "unregistered")
            elif isinstance(atom, Ref) and self.object(atom).kind == "opaque":
                self._keep(atom.oid, join(key, value))
            elif isinstance(atom, Ref) and self.object(atom).kind in _CONTAINERS:
                name = self._position(atom.oid, key_of(key))
                if name is None or self.object(atom).kind == "set":
                    name, value = ANY, join(value, self.heap.get(atom.oid, ANY) or frozenset())
                self.set_slot(atom.oid, name, value, site)
            elif isinstance(atom, Ref) and self.object(atom).kind == "instance":
                method = self._inherited_of(atom, "__setitem__")
                if method:
                    self.call(method, Arguments((key, value)), site)
                else:
                    self._keep(atom.oid, value)


def _numbered(slots: dict[str, Value], name: str) -> bool:
    """Whether a position could mean a named element, as in an ordered dict of layers."""
    return name.lstrip("-").isdigit() and not all(k.isdigit() for k in slots)
