"""Lists, dicts and their like: iterating over them, and their methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inflint.model.calls import Calls
from inflint.model.core import Arguments, sole
from inflint.model.heap import ANY, Edge, key_of
from inflint.model.values import (
    ABSENT,
    NONE,
    NOTHING,
    UNKNOWN,
    Const,
    Ref,
    Reflect,
    Value,
    constant,
    join,
    ordered,
    present,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from inflint.model.units import Site

UNROLL = 64
"""Longest loop that is run round by round."""


class Containers(Calls):
    """Iteration, and the methods of containers and of ``__dict__``."""

    # Iteration

    def iterate(
        self, value: Value, site: Site | None, most: int | None = None
    ) -> tuple[list[Value] | None, Value]:
        """What a loop over ``value`` sees: each round's value if known, and any round's.

        Args:
            value: What is iterated over.
            site: Where.
            most: After how many rounds it ends at the latest, if that is known.
        """
        atom = sole(value)
        if isinstance(atom, Ref):
            return self._iterate_object(atom, site, most)
        if isinstance(atom, Const) and isinstance(atom.value, str) and len(atom.value) <= UNROLL:
            rounds = [constant(c, atom.site) for c in atom.value]
            return rounds, join(*rounds) or UNKNOWN
        if isinstance(atom, Reflect):
            self.use(atom.oid, site, "all its parts are iterated over")
            return None, frozenset((atom,))
        parts = [self.iterate(frozenset((a,)), site)[1] for a in value] if len(value) > 1 else []
        return None, join(*parts) or UNKNOWN

    def _iterate_object(
        self, atom: Ref, site: Site | None, most: int | None
    ) -> tuple[list[Value] | None, Value]:
        target = self.object(atom)
        if target.kind == "instance":
            method = self._inherited_of(atom, "__iter__")
            if method:
                found = self.call(method, Arguments(), site)
                if atom not in found:
                    return self.iterate(found, site)
                step = self._inherited_of(atom, "__next__")
                return None, self.call(step, Arguments(), site) if step else UNKNOWN
        if target.kind in {"instance", "opaque"}:
            return None, self.unknown(site, "it is iterated over", frozenset((atom,)))
        slots = self.heap.slots(atom.oid)
        if target.kind == "dict":
            if ANY in slots or any(ABSENT in v for v in slots.values()):
                return None, UNKNOWN
            keys = [constant(k) for k in slots]
            return keys, join(*keys) or UNKNOWN
        for key in slots:
            if most is None or not key.isdigit() or int(key) < most:
                self.record_read(atom.oid, key, site)
        known = self.heap.elements(atom.oid)
        if known is not None and len(known) > UNROLL:
            known = None
        return known, self.heap.everything(atom.oid)

    def _many(self, value: Value, site: Site | None) -> Value:
        made = self.allocate("list", site)
        self.heap.set(made.oid, ANY, value)
        return frozenset((Ref(made.oid),))

    def _once(self, value: Value) -> Value:
        """Mark a new sequence as an iterator."""
        for atom in value:
            if isinstance(atom, Ref):
                self.object(atom).once = True
        return value

    def _each(self, function: Value, element: Value, site: Site | None) -> None:
        """A function is called for each element of something."""
        self._try_call(function, site, Arguments((element,)))

    # Making them

    def _list(self, args: Arguments, site: Site | None, kind: str = "list") -> Value:
        if not args.positional:
            return self.sequence(kind, [], site)
        rounds, either = self.iterate(args.positional[0], site)
        if rounds is not None:
            return self.sequence(kind, rounds, site)
        atom = sole(args.positional[0])
        made = self.allocate(kind, site)
        if isinstance(atom, Ref) and self.object(atom).kind in {"list", "tuple", "set"}:
            for key, value in self.heap.slots(atom.oid).items():
                self.heap.set(made.oid, key, value)
        else:
            self.heap.set(made.oid, ANY, either)
        return frozenset((Ref(made.oid),))

    def _tuple(self, args: Arguments, site: Site | None) -> Value:
        return self._list(args, site, "tuple")

    def _set(self, args: Arguments, site: Site | None) -> Value:
        return self._list(args, site, "set")

    def _dict(self, args: Arguments, site: Site | None) -> Value:
        if self.demanding and len(args.positional) == 1 and not args.keywords:
            (parts,) = args.positional
            if parts and all(isinstance(a, Reflect) for a in parts):
                return parts  # by name as before
        made = self.allocate("dict", site)
        self._dict_update(Ref(made.oid), args, site)
        return frozenset((Ref(made.oid),))

    # Methods

    def _container(
        self, group: str, method: str, receiver: Ref, args: Arguments, site: Site | None
    ) -> Value:
        if group == "dict" and method in {"items", "values", "keys"}:
            return self._dict_view(method, receiver, site)
        handler = _CONTAINER_METHODS.get(method)
        if handler is not None:
            return handler(self, receiver, args, site)
        if method in {"forward", "__call__"}:
            return self._call_object(receiver, args, site)
        if method == "__getitem__" and args.positional:
            return self.element(frozenset((receiver,)), args.positional[0], site)
        if method in {"index", "count", "__len__", "__contains__"}:
            self.all_elements(receiver.oid, site)
            return UNKNOWN
        # Anything else may reorder, drop or replace what it holds, or hand it out.
        for _, function in args.keywords:
            self._each(function, self.heap.everything(receiver.oid), site)
        given = self.unknown(site, f"it is handed to {method}()", args.every())
        self.heap.weaken(receiver.oid, args.every(), given)
        return self._many(self.all_elements(receiver.oid, site), site)

    def _mutates(self, receiver: Ref, site: Site | None) -> None:
        shared = self.object(receiver).shared or self._holder(receiver)
        if shared and (receiver.oid < self.listing_since or shared in {"class", "module"}):
            self.mutations.append((site, shared))

    def _holder(self, receiver: Ref) -> str:
        """``instance`` where an attribute of the module itself is this very list."""
        if self.root is None or self.object(receiver).factory is not None:
            return ""
        held = self.heap.slots(self.root).values()
        return "instance" if any(receiver in value for value in held) else ""

    def _append(self, receiver: Ref, args: Arguments, site: Site | None) -> Value:
        self._mutates(receiver, site)
        for value in args.positional:
            key = self.heap.append(receiver.oid, value)
            self._made(receiver, key, site)
        return NONE

    def _insert(self, receiver: Ref, args: Arguments, site: Site | None) -> Value:
        self._mutates(receiver, site)
        self.heap.weaken(receiver.oid, *args.positional[1:])
        return NONE

    def _extend(self, receiver: Ref, args: Arguments, site: Site | None) -> Value:
        self._mutates(receiver, site)
        for value in args.positional:
            self.extend(receiver, value, site)
        return NONE

    def extend(self, receiver: Ref, value: Value, site: Site | None) -> None:
        """Append what iterating over ``value`` gives."""
        rounds, either = self.iterate(value, site)
        if rounds is not None:
            for element in rounds:
                self._made(receiver, self.heap.append(receiver.oid, element), site)
            return
        refs = [a for a in ordered(value) if isinstance(a, Ref)]
        lists = [a for a in refs if self.object(a).kind in {"list", "tuple", "set"}]
        if lists and len(lists) == len(value):
            for atom in lists:
                self._extend_by(receiver, atom, certain=len(lists) == 1)
            return
        before = self.heap.get(receiver.oid, ANY) or frozenset()
        self.heap.set(receiver.oid, ANY, join(before, either))

    def _extend_by(self, receiver: Ref, source: Ref, *, certain: bool) -> None:
        for key, element in self.heap.slots(source.oid).items():
            if key == ANY:
                before = self.heap.get(receiver.oid, ANY) or frozenset()
                self.heap.set(receiver.oid, ANY, join(before, element))
            else:
                self.heap.append(receiver.oid, element if certain else element | NOTHING)

    def _reflect_method(
        self, method: str, receiver: Reflect, args: Arguments, site: Site | None
    ) -> Value:
        """A method of ``__dict__``, ``_modules`` and their like."""
        this: Value = frozenset((Ref(receiver.oid),))
        if method in {"get", "pop", "setdefault"} and args.positional:
            default = args.positional[1] if len(args.positional) > 1 else NONE
            return self.dynamic_attribute(this, args.positional[0], default, site)
        if method == "update":
            made = self._dict(args, site)
            for atom in made:
                slots = self.heap.slots(atom.oid) if isinstance(atom, Ref) else {}
                for name, value in slots.items():
                    key = UNKNOWN if name == ANY else constant(name)
                    self.bind_element(frozenset((receiver,)), key, value, site)
            return NONE
        self.use(receiver.oid, site, "all its parts are handed out")
        return UNKNOWN

    def _made(self, receiver: Ref, key: str, site: Site | None) -> None:
        self.heap.edges.setdefault((receiver.oid, key), Edge(site, self.stage, ""))

    def _pop(self, receiver: Ref, args: Arguments, site: Site | None) -> Value:
        if self.object(receiver).kind == "dict" and args.positional:
            key = args.positional[0]
            found = self.element(frozenset((receiver,)), key, site)
            name = key_of(key)
            if name is not None and name in self.heap.slots(receiver.oid):
                self.heap.set(receiver.oid, name, NOTHING)
            return join(found, *args.positional[1:])
        found = self.all_elements(receiver.oid, site)
        self.heap.weaken(receiver.oid)
        return found

    def _get(self, receiver: Ref, args: Arguments, site: Site | None) -> Value:
        if not args.positional:
            return UNKNOWN
        found = self.element(frozenset((receiver,)), args.positional[0], site)
        return join(found, *(args.positional[1:] or (NONE,)))

    def _setdefault(self, receiver: Ref, args: Arguments, site: Site | None) -> Value:
        if len(args.positional) == 2:
            key, value = args.positional
            before = self.element(frozenset((receiver,)), key, None)
            self.bind_element(frozenset((receiver,)), key, join(before, value), site)
            return join(before, value)
        return UNKNOWN

    def _dict_update(self, receiver: Ref, args: Arguments, site: Site | None) -> Value:
        for name, value in args.keywords:
            self.set_slot(receiver.oid, name, value, site)
        for value in args.positional:
            for atom in value:
                if isinstance(atom, Ref) and self.object(atom).kind == "dict":
                    for key, element in self.heap.slots(atom.oid).items():
                        self.record_read(atom.oid, key, site)
                        self.set_slot(receiver.oid, key, element, site)
                else:
                    self._update_from_pairs(receiver, frozenset((atom,)), site)
        if args.more:
            self.set_slot(receiver.oid, ANY, args.more, site)
        return NONE

    def _update_from_pairs(self, receiver: Ref, value: Value, site: Site | None) -> None:
        rounds, either = self.iterate(value, site)
        for pair in [either] if rounds is None else rounds:
            ref = sole(pair)
            halves = self.heap.elements(ref.oid) if isinstance(ref, Ref) else None
            if halves is not None and len(halves) == 2:
                self.bind_element(frozenset((receiver,)), halves[0], halves[1], site)
            else:
                self.set_slot(receiver.oid, ANY, join(UNKNOWN, pair), site)

    def _dict_view(self, method: str, receiver: Ref, site: Site | None) -> Value:
        slots = self.heap.slots(receiver.oid)
        known = ANY not in slots and not any(ABSENT in v for v in slots.values())
        if method == "keys":
            keys = [constant(k) if k != ANY else UNKNOWN for k in slots]
            return self.sequence("list", keys, site) if known else self._many(UNKNOWN, site)
        rows = []
        for key, value in slots.items():
            self.record_read(receiver.oid, key, site)
            name = UNKNOWN if key == ANY else constant(key)
            element = present(value) or UNKNOWN
            row = self.sequence("tuple", [name, element], site) if method == "items" else element
            rows.append(row)
        return self.sequence("list", rows, site) if known else self._many(join(*rows), site)


_CONTAINER_METHODS: dict[str, Callable[[Containers, Ref, Arguments, Site | None], Value]] = {
    "append": Containers._append,
    "add": Containers._append,
    "insert": Containers._insert,
    "extend": Containers._extend,
    "update": Containers._dict_update,
    "pop": Containers._pop,
    "get": Containers._get,
    "setdefault": Containers._setdefault,
    "copy": lambda m, r, _a, s: (
        m._list(Arguments((frozenset((r,)),)), s)
        if m.object(r).kind != "dict"
        else m._dict(Arguments((frozenset((r,)),)), s)
    ),
}
