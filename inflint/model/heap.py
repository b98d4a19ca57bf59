"""The abstract heap: objects, their attributes, and undoing what a branch wrote."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from inflint.model.values import ABSENT, NOTHING, UNKNOWN, Const, Ref, Value, join

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inflint.model.core import Arguments
    from inflint.model.hierarchy import Class
    from inflint.model.profile import Factory
    from inflint.model.units import Site
    from inflint.model.values import Atom

ANY = "*"
"""The element of a container whose key is not known."""
LENGTH = 1024
"""Most elements of a container that are told apart."""


@dataclass
class Object:
    """One object.

    Attributes:
        kind: ``instance``, ``list``, ``tuple``, ``set``, ``dict`` or ``opaque``. Containers
            of torch are lists and dicts with a factory.
        cls: The class of an instance.
        origin: How an opaque object came to be, such as ``torch.nn.Linear()``.
        factory: What the profile says of that.
        captured: What was handed to its constructor.
        hooks: Functions that run when it is called.
        made: Where it was made.
        shared: Who else sees this list: ``class``, ``module``, or nobody.
        once: It can be iterated over only once.
        escaped: Unknown code has had it.
        summary: It stands for several objects; writes add instead of replacing.
        parent: The opaque object that it is an attribute of.
        parts_of: Its own attributes, where it is opaque.
        spared: Parts that using the whole object leaves alone.
        deferred: The function and the arguments that calling it calls.
    """

    oid: int
    kind: str
    made: Site | None
    cls: Class | None = None
    origin: str = ""
    factory: Factory | None = None
    captured: Value = frozenset()
    hooks: Value = frozenset()
    shared: str = ""
    summary: bool = False
    once: bool = False
    escaped: bool = False
    parent: int | None = None
    parts_of: dict[str, int] = field(default_factory=dict)
    spared: frozenset[str] = frozenset()
    deferred: Arguments | None = None


class Edge(NamedTuple):
    """How an attribute came to be: where, at which stage, and as what."""

    site: Site | None
    stage: str
    kind: str


Writes = dict[tuple[int, str], Value]


class Heap:
    """Attributes and elements by object and name, with a journal.

    Attributes:
        version: Changes with each write.
        links: Changes with each write by which one object may come to lead to another.
    """

    def __init__(self) -> None:
        self.objects: list[Object] = []
        self.edges: dict[tuple[int, str], Edge] = {}
        self.version = 0
        self.links = 0
        self._slots: dict[int, dict[str, Value]] = {}
        self._sizes: dict[int, int] = {}
        self._wild: dict[int, set[str]] = {}
        self.summarising = 0
        self.work = 0
        self._journal: list[tuple[int, str, Value | None]] = []

    def fork(self) -> Heap:
        """A heap of its own with the same contents."""
        other = copy(self)
        other.objects = [copy(made) for made in self.objects]
        for made in other.objects:
            made.parts_of = made.parts_of.copy()
        other.edges = self.edges.copy()
        other._slots = {oid: slots.copy() for oid, slots in self._slots.items()}
        other._sizes = self._sizes.copy()
        other._wild = {oid: names.copy() for oid, names in self._wild.items()}
        other._journal = self._journal.copy()
        return other

    def new(self, kind: str, made: Site | None, **details: object) -> Object:
        """Add an object."""
        made_object = Object(len(self.objects), kind, made, **details)  # type: ignore[arg-type]
        self.objects.append(made_object)
        self._slots[made_object.oid] = {}
        return made_object

    def get(self, oid: int, name: str) -> Value | None:
        """The attribute's value, or None where it was never bound."""
        return self._slots[oid].get(name)

    def slots(self, oid: int) -> dict[str, Value]:
        """All attributes or elements that may be bound, in order of first binding."""
        return {n: v for n, v in self._slots[oid].items() if v != NOTHING}

    def holders(self, atom: Atom) -> list[tuple[int, str]]:
        """The attributes and elements that may be an object."""
        places = self._slots.items()
        return [(oid, name) for oid, slots in places for name in slots if atom in slots[name]]

    def values(self, oid: int) -> Iterable[Value]:
        """What the attributes or elements may be, whether they are bound or not."""
        return self._slots[oid].values()

    def set(self, oid: int, name: str, value: Value) -> None:
        """Bind an attribute or element."""
        slots = self._slots[oid]
        old = slots.get(name)
        if self.objects[oid].summary and old is not None:
            value = join(old, value)
        if old == value:
            return
        self._journal.append((oid, name, old))
        slots[name] = value
        self.version += 1
        self.links += _leads_on(value)
        self.work += 1 + len(value) // 8
        if name.isdigit():
            self._count(oid, _is_bound(value) - _is_bound(old))
        if ANY in name:
            self._wild.setdefault(oid, set()).add(name)

    def wild(self, oid: int) -> dict[str, Value]:
        """Attributes whose names are only partly known."""
        names = self._wild.get(oid, ())
        found = {name: self._slots[oid].get(name, NOTHING) for name in names}
        return {name: value for name, value in found.items() if value != NOTHING}

    def capture(self, holder: Object, value: Value) -> None:
        """An object holds on to what it was given; that is never undone."""
        held = join(holder.captured, value)
        if held != holder.captured:
            holder.captured = held
            self.version += 1
            self.links += 1

    def hook(self, holder: Object, functions: Value) -> None:
        """Functions run when an object is called; that is never undone."""
        hooks = join(holder.hooks, functions)
        if hooks != holder.hooks:
            holder.hooks = hooks
            self.version += 1
            self.links += 1

    def mark(self) -> int:
        """A point in time to compare with or go back to."""
        return len(self._journal)

    def writes_since(self, mark: int) -> Writes:
        """What was bound since ``mark``, with its present value."""
        self.work += (len(self._journal) - mark) // 4
        return {
            (oid, name): self._slots[oid].get(name, NOTHING)
            for oid, name, _ in self._journal[mark:]
        }

    def undo(self, mark: int) -> None:
        """Forget all writes since ``mark``."""
        while len(self._journal) > mark:
            oid, name, old = self._journal.pop()
            if name.isdigit():
                self._count(oid, _is_bound(old) - _is_bound(self._slots[oid].get(name)))
            if old is None:
                self._slots[oid].pop(name, None)
            else:
                self._slots[oid][name] = old
                self.links += _leads_on(old)
            self.version += 1

    def merge(self, branches: list[Writes]) -> None:
        """Bind what any of several alternatives wrote, joined with those that did not."""
        for key in dict.fromkeys(k for writes in branches for k in writes):
            before = self._slots[key[0]].get(key[1], NOTHING)
            self.set(*key, join(*(writes.get(key, before) for writes in branches)))

    # Containers

    def _count(self, oid: int, more: int) -> None:
        self._sizes[oid] = self._sizes.get(oid, 0) + more

    def elements(self, oid: int) -> list[Value] | None:
        """A sequence's elements in order, or None where they are not all known."""
        slots = self.slots(oid)
        if ANY in slots or any(ABSENT in v for v in slots.values()):
            return None
        if self.objects[oid].kind == "opaque":
            return None
        return list(slots.values())

    def everything(self, oid: int) -> Value:
        """The join of all elements; unknown where there may be others."""
        values = [v - {ABSENT} for v in self.slots(oid).values()]
        return join(*values) if values else UNKNOWN

    def append(self, oid: int, value: Value) -> str:
        """Add an element behind the last one, or find it in a set; returns its key."""
        if self.objects[oid].kind == "set" and len(value) == 1:
            for key, element in self._slots[oid].items():
                if len(element) == 1 and _same_constant(*element, *value):
                    return key
        size = self._sizes.get(oid, 0)
        if (
            self.summarising
            or self.objects[oid].summary
            or size >= LENGTH
            or ANY in self._slots[oid]
        ):
            self.set(oid, ANY, join(self.get(oid, ANY) or frozenset(), value))
            return ANY
        self.set(oid, str(size), value)
        return str(size)

    def take(self, oid: int, key: str) -> bool:
        """Take one element out of a sequence; those behind it move up.

        Returns:
            Whether it is known which one it is. If not, nothing has happened.
        """
        size = self._sizes.get(oid, 0)
        known = self.elements(oid)
        if not key.removeprefix("-").isdigit() or known is None or len(known) != size:
            return False
        index = int(key) + (size if key.startswith("-") else 0)
        if self.summarising or self.objects[oid].summary or not 0 <= index < size:
            return False
        values = [self._slots[oid][str(n)] for n in range(size)]
        for place, value in enumerate([*values[index + 1 :], NOTHING], index):
            self.set(oid, str(place), value)
        return True

    def weaken(self, oid: int, *more: Value) -> None:
        """Forget which element stands where: any position may hold any of them."""
        slots = self.slots(oid)
        known = join(*(v - {ABSENT} for v in slots.values()), *more)
        for name in slots:
            self.set(oid, name, NOTHING)
        if known:
            self.set(oid, ANY, known)


def _leads_on(value: Value) -> bool:
    return any(type(atom) is Ref for atom in value)


def _is_bound(value: Value | None) -> bool:
    return value is not None and value != NOTHING


def key_of(value: Value) -> str | None:
    """The name under which a container keeps the element of this key, if it is one key."""
    if len(value) == 1:
        (atom,) = value
        if isinstance(atom, Const) and isinstance(atom.value, (str, int)):
            return str(atom.value)
    return None


def _same_constant(one: Atom, other: Atom) -> bool:
    """Whether two values are equal, wherever they were written."""
    return isinstance(one, Const) and isinstance(other, Const) and one[:2] == other[:2]
