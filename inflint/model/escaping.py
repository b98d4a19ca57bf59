"""What happens to values that unknown code gets hold of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inflint.model.core import ANYTHING, Arguments
from inflint.model.values import (
    UNKNOWN,
    Bound,
    FuncRef,
    Native,
    Ref,
    Reflect,
    RootMethod,
    Super,
    Value,
    join,
    ordered,
)

if TYPE_CHECKING:
    from inflint.model.heap import Object
    from inflint.model.units import Site

from inflint.model.naming import Naming


class Escaping(Naming):
    """Hands values to code that is not known: it may call, read and keep them."""

    def escape(self, value: Value, site: Site | None, reason: str) -> None:
        """Hand a value to code that is not known: it may call it and read all of it."""
        if self.demanding:
            self._escape(value, site, reason, set())
        else:
            self._mark_escaped(value)

    def _mark_escaped(self, value: Value) -> None:
        """While a module is built, no one counts what is read: only who has had it matters."""
        now, marked = self.heap.links, self._marked
        stack = [atom for atom in value if type(atom) is Ref]
        while stack:
            oid = stack.pop().oid
            if marked.get(oid) == now:
                continue  # and so is all that it leads to
            marked[oid] = now
            target = self.heap.objects[oid]
            target.escaped = True
            held = [target.captured, target.hooks]
            if oid != self.root:
                held += self.heap.values(oid)
            if target.parts_of:
                held += [self.heap.objects[part].hooks for part in target.parts_of.values()]
            stack += [a for atoms in held for a in atoms if type(a) is Ref]
            owner = None if target.parent is None else self._owner_of(target)
            if owner is not None:
                stack.append(Ref(owner))

    def _escape(self, value: Value, site: Site | None, reason: str, seen: set[int]) -> None:
        for atom in ordered(value):
            if isinstance(atom, (FuncRef, Bound)):
                if self.demanding:
                    self._try_call(frozenset((atom,)), site, Arguments(more=join(UNKNOWN, value)))
            elif isinstance(atom, Reflect):
                self.use(atom.oid, site, reason)
            elif isinstance(atom, Super):
                self.use(atom.receiver.oid, site, reason)
            elif isinstance(atom, Ref) and atom.oid not in seen:
                seen.add(atom.oid)
                target = self.object(atom)
                target.escaped = True
                self.use(atom.oid, site, reason)
                held = join(target.captured, target.hooks)
                if atom.oid != self.root:
                    held = join(held, *self.heap.slots(atom.oid).values())
                for oid in target.parts_of.values():
                    held = join(held, self.heap.objects[oid].hooks)
                owner = self._owner_of(target)
                if owner is not None:
                    held |= {Ref(owner)}
                self._escape(held, site, reason, seen)

    def _owner_of(self, target: Object) -> int | None:
        """The opaque object that a part belongs to, unless it is a part with its own role."""
        if target.parent is None:
            return None
        parent = self.heap.objects[target.parent]
        name = target.origin[len(parent.origin) + 1 :]
        parts = parent.factory.parts if parent.factory is not None else ()
        return None if name in {p.name for p in parts} else parent.oid

    def _try_call(self, callee: Value, site: Site | None, args: Arguments = ANYTHING) -> Value:
        """A call that may or may not happen."""
        results: list[Value] = [UNKNOWN]

        def happens() -> bool:
            results.append(self.call(callee, args, site))
            return True

        self.alternatives(lambda: True, happens)
        return join(*results)

    def _keep(self, oid: int, value: Value) -> None:
        """An object of unknown make holds on to what it is given, and so do its owners."""
        while self.carries(value):
            target = self.heap.objects[oid]
            self.heap.capture(target, value - UNKNOWN)
            if target.parent is None:
                return
            oid = target.parent

    def mark_edge(self, oid: int, name: str, kind: str) -> None:
        """Say how an attribute was bound."""
        edge = self.heap.edges.get((oid, name))
        if edge is not None:
            self.heap.edges[oid, name] = edge._replace(kind=kind)

    def unknown(self, site: Site | None, reason: str, *given: Value) -> Value:
        """What unknown code returns, having been given some values.

        It may use them now, and the result may hold on to them.
        """
        value = join(*given)
        self.escape(value, site, reason)
        if self.demanding or not self.carries(value):
            return UNKNOWN
        made = self.allocate("opaque", site, origin="unknown()")
        self.heap.capture(made, value)
        return frozenset((Ref(made.oid),))

    def carries(self, value: Value, seen: set[int] | None = None) -> bool:
        """Whether something can be reached through a value."""
        seen = set() if seen is None else seen
        for atom in value:
            if isinstance(atom, Ref):
                if atom.oid in seen:
                    continue
                seen.add(atom.oid)
                if self.object(atom).kind in {"instance", "opaque"}:
                    return True
                if any(self.carries(v, seen) for v in self.heap.slots(atom.oid).values()):
                    return True
            elif isinstance(atom, (Bound, FuncRef, RootMethod, Super, Reflect, Native)):
                return True
        return False
