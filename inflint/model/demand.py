"""Demand: which access paths an inference call may touch, and the proof."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from inflint.model.components import run_method
from inflint.model.core import Read, Recorder
from inflint.model.heap import ANY
from inflint.model.units import Site
from inflint.model.values import Bound, Const, Ref, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inflint.model.hierarchy import Class
    from inflint.model.statements import Machine
    from inflint.model.units import Unit


@dataclass
class Demand:
    """What the inference entry points of one class touch.

    Attributes:
        machine: The module as an EnvRunner builds it, after all entry points ran.
        runs: Whether any forward of inference gets to its end.
        ran: The functions that inference calls.
        reached: Objects that are used as a whole, each with the use.
        asked: The reads of the entry points; the recorder also has those of what is built after
            the removal.
    """

    machine: Machine
    recorder: Recorder
    runs: bool
    ran: set[Unit]
    reached: dict[int, Read]
    asked: frozenset[tuple[int, str]]

    @property
    def root(self) -> int:
        """The module itself."""
        return self.machine.root or 0

    @property
    def everything(self) -> Read | None:
        """Why inference may reach every component, if it may."""
        return self.reached.get(self.root)

    def read_of(self, path: tuple[str, ...]) -> Read | None:
        """The read or use that makes a path needed; None where there is none.

        A path whose owner inference reads, but whose inside is not known, is needed.
        """
        owners = {self.root}
        read: Read | None = None
        for depth, name in enumerate(path):
            found = self._edge(owners, name, inside=depth > 0)
            if found is None:
                return None
            read = found
            owners = self._children(owners, name)
            if not owners:
                return read
        return read

    def write_of(self, name: str) -> Read | None:
        """Where inference binds an attribute of the module."""
        return self.recorder.writes.get(name)

    def _edge(self, owners: set[int], name: str, *, inside: bool) -> Read | None:
        reads = [self.recorder.reads.get((oid, n)) for oid in owners for n in (name, ANY)]
        known = [r for r in reads if r is not None]
        if known:
            return min(known, key=lambda r: r.doubt)
        if inside:
            uses = [self.reached[oid] for oid in owners if oid in self.reached]
            if uses and not any(self._spared(oid, name) for oid in owners):
                return uses[0]
        return None

    def _spared(self, oid: int, name: str) -> bool:
        """Whether using the whole object leaves this part of it alone."""
        return name in self.machine.heap.objects[oid].spared

    def spares(self, path: tuple[str, ...]) -> bool:
        """Whether using what owns a path leaves this part of it alone."""
        owners = {self.root}
        for name in path[:-1]:
            owners = self._children(owners, name)
        return bool(owners) and all(self._spared(oid, path[-1]) for oid in owners)

    def _children(self, owners: set[int], name: str) -> set[int]:
        children: set[int] = set()
        for oid in owners:
            value = self.machine.heap.get(oid, name) or frozenset()
            children |= {a.oid for a in value if isinstance(a, Ref)}
            if name in self.machine.heap.objects[oid].parts_of:
                children.add(self.machine.heap.objects[oid].parts_of[name])
        return children

    def is_none(self, name: str) -> bool:
        """Whether the module's attribute is None on an EnvRunner, and nothing else."""
        value = self.machine.heap.get(self.root, name)
        return bool(value) and all(isinstance(a, Const) and a.value is None for a in value or ())

    def touched(self) -> set[int]:
        """Objects that inference uses, or gets hold of by reading an attribute."""
        found = set(self.reached)
        for oid, name in self.asked:
            value = self.machine.heap.get(oid, name) or frozenset()
            found |= {a.oid for a in value if isinstance(a, Ref)}
        return found


def demand(machine: Machine, cls: Class, removed: frozenset[str]) -> Demand:
    """Run the inference entry points of a built class.

    Args:
        machine: The class, built in inference-only mode.
        cls: The class.
        removed: Names that the framework will have deleted from it.
    """
    profile = machine.profile
    late = machine.recorder or Recorder()
    recorder = machine.recorder = Recorder()
    machine.demanding = True
    machine.removed = removed
    machine.constructed, machine.ran = machine.ran, set()
    site = Site(cls.file.head(cls.scope, cls.name), 0)
    this: Value = frozenset((Ref(machine.root or 0),))
    ends = {name: run_method(machine, this, name, site) for name in profile.entry_points}
    for function in machine.pending:
        machine.escape(function, None, "unknown code may have kept it")
    for owner, path in profile.external_reads:
        if any(c.dotted == owner for c in cls.classes()):
            _read_from_outside(machine, cls, path)
    runs = any(ends[name] for name in profile.forwards)
    asked = frozenset(recorder.reads)
    recorder.include(late)
    return Demand(machine, recorder, runs, set(machine.ran), _reached(machine, recorder), asked)


def _read_from_outside(machine: Machine, cls: Class, path: str) -> None:
    unit = cls.file.head(cls.scope, cls.name)
    site = Site(unit, 0)
    value: Value = frozenset((Ref(machine.root or 0),))
    for part in path.split("."):
        value = machine.attribute(value, part, site)
    machine.escape(value, site, "the framework reads it from outside")


def _reached(machine: Machine, recorder: Recorder) -> dict[int, Read]:
    """All objects below those that are used as a whole, each with the use that gets there."""
    reached: dict[int, Read] = {}
    for start, read in recorder.uses.items():
        stack = [start]
        while stack:
            oid = stack.pop()
            if oid in reached:
                continue
            reached[oid] = read
            stack.extend(_held(machine, oid))
    return reached


def _held(machine: Machine, oid: int) -> Iterator[int]:
    target = machine.heap.objects[oid]
    for value in (*machine.heap.slots(oid).values(), target.captured, target.hooks):
        for atom in value:
            held = atom.receiver if isinstance(atom, Bound) else atom
            own_method = held is not atom and held == Ref(machine.root or 0)
            if isinstance(held, Ref) and not own_method:  # own methods are run instead
                yield held.oid
    yield from target.parts_of.values()
