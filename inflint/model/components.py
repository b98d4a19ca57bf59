"""Construction: building a class abstractly, and the tree of components that results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from inflint.model.calls import is_function
from inflint.model.core import ANYTHING, Arguments, Exhausted, Terminated
from inflint.model.heap import ANY, Edge
from inflint.model.mentions import assigned_names, called_attributes
from inflint.model.statements import Machine
from inflint.model.values import Ref, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inflint.model.heap import Object
    from inflint.model.hierarchy import Class
    from inflint.model.profile import Part
    from inflint.model.units import Site
    from inflint.model.universe import Universe

PATHS = 4096
"""Most nested paths of one class."""
_HOLDS = frozenset(("module", "parameter", "container", "catalog", "target"))


@dataclass(frozen=True)
class Component:
    """An attribute that holds parameters.

    Attributes:
        path: Attribute and element names from the module down.
        kind: ``module``, ``parameter``, ``buffer``, ``container``, ``plain-container``
            (not registered with torch), ``catalog``, ``target`` or ``opaque``.
        stage: ``setup``, ``late`` (after the framework's constructor), ``target`` (on
            Learners only) or ``lazy`` (on first use).
        site: Where it was built.
        part: What the profile says of it, if a factory built it as a part.
        called: Some method of the class calls it.
    """

    path: tuple[str, ...]
    kind: str
    stage: str
    site: Site | None
    part: Part | None = None
    called: bool = False

    @property
    def name(self) -> str:
        """The path as a list of names would give it."""
        return ".".join(self.path)


def build(universe: Universe, cls: Class, *, inference_only: bool) -> Machine:
    """Run the constructor, ``setup`` and, on a Learner, the late builders of a class."""
    machine = _construct(universe, cls, inference_only=inference_only)
    return machine if inference_only else _complete(machine, cls)


def build_both(universe: Universe, cls: Class) -> tuple[Machine, Machine]:
    """A class as a Learner has it, and as an EnvRunner does: mostly the same up to a point."""
    learner = _construct(universe, cls, inference_only=False)
    if learner.forks:
        runner = learner.fork(inference_only=True)
        return _complete(learner, cls), runner
    return _complete(learner, cls), _construct(universe, cls, inference_only=True)


def _construct(universe: Universe, cls: Class, *, inference_only: bool) -> Machine:
    """Run the constructor and ``setup``."""
    machine = Machine(universe, inference_only=inference_only)
    made = machine.heap.new("instance", None, cls=cls)
    machine.root = made.oid
    this: Value = frozenset((Ref(made.oid),))
    profile = universe.profile
    try:
        machine.construct(Ref(made.oid), cls, ANYTHING, None)
        if machine.stage != "late":  # its __init__ never reaches the framework's
            for name in profile.setup_methods:
                run_method(machine, this, name)
    except Terminated:
        pass
    machine.stage = "late"
    return machine


def _complete(machine: Machine, cls: Class) -> Machine:
    """Run what builds more of a module on a Learner."""
    machine.recorder = None  # no one asks what a Learner reads
    this: Value = frozenset((Ref(machine.root or 0),))
    machine.stage = "target"
    for name in machine.profile.target_methods:
        run_method(machine, this, name)
    machine.stage = "lazy"
    if _builds_lazily(machine, cls):
        for name in machine.profile.learner_methods:
            machine.alternatives(lambda: True, lambda n=name: run_method(machine, this, n))  # type: ignore[misc]
    machine.stage = "late"
    return machine


def _builds_lazily(machine: Machine, cls: Class) -> bool:
    """Whether a method that construction does not run binds attributes."""
    return any(
        assigned_names(closure.function)
        for closure in machine.methods(cls)
        if closure.unit not in machine.ran
    )


def run_method(machine: Machine, this: Value, name: str, site: Site | None = None) -> bool:
    """Call a method of the module with unknown arguments; False if it never returns.

    ``site`` stands for the framework's own code, which looks the method up.
    """
    method = machine.attribute(this, name, site)
    callables = frozenset(a for a in method if is_function(a))
    if not callables:
        return True
    try:
        machine.call(callables, ANYTHING if name != "setup" else Arguments(), site)
    except Terminated:
        return False
    return True


def components(machine: Machine) -> Iterator[Component]:
    """All components of a built class, parents before children, in order of construction."""
    assert machine.root is not None  # noqa: S101 - build() sets it
    called = _called(machine)
    nested = 0
    for component in _below(machine, machine.root, (), called, {machine.root}):
        nested += len(component.path) > 1
        if nested > PATHS:
            raise Exhausted
        yield component


def _called(machine: Machine) -> frozenset[str]:
    cls = machine.heap.objects[machine.root or 0].cls
    found: set[str] = set()
    for closure in machine.methods(cls) if cls is not None else ():
        found |= called_attributes(closure.function)
    return frozenset(found)


def _below(
    machine: Machine, oid: int, path: tuple[str, ...], called: frozenset[str], seen: set[int]
) -> Iterator[Component]:
    target = machine.heap.objects[oid]
    if target.factory is not None:
        for part in target.factory.parts:
            stage = "setup"
            yield Component((*path, part.name), "module", stage, target.made, part)
    for name, value in machine.heap.slots(oid).items():
        edge = machine.heap.edges.get((oid, name), Edge(target.made, "setup", ""))
        kind = kind_of(machine, value, edge, seen)
        if kind is None:
            continue
        if kind == "opaque" and not (path or name in called or _is_constructed(machine, value)):
            continue
        here = (*path, name)
        yield Component(here, kind, edge.stage, edge.site, None, bool(path) or name in called)
        for atom in value:
            if isinstance(atom, Ref) and atom.oid not in seen and len(path) < 12:
                yield from _below(machine, atom.oid, here, called, seen | {atom.oid})


def kind_of(machine: Machine, value: Value, edge: Edge, seen: set[int]) -> str | None:
    """What kind of component a value is; None where it holds no parameters."""
    if edge.kind == "buffer":
        return "buffer"
    kinds = []
    for atom in value:
        if isinstance(atom, Ref) and atom.oid not in seen:
            kind = _object_kind(machine, machine.object(atom), seen)
            if kind is not None:
                kinds.append(kind)
    return min(kinds) if kinds else None


def _is_constructed(machine: Machine, value: Value) -> bool:
    """Whether what was called to make an opaque object is named like a class."""
    origins = [machine.object(a).origin for a in value if isinstance(a, Ref)]
    return any(o.removesuffix("()").rpartition(".")[2][:1].isupper() for o in origins)


def _object_kind(machine: Machine, target: Object, seen: set[int]) -> str | None:
    if target.factory is not None and target.factory.kind:
        kind = target.factory.kind
        if kind == "plain":
            return None
        if target.factory.container and not machine.heap.slots(target.oid):
            return None
        return kind
    if target.kind == "instance" and target.cls is not None:
        foreign = any(machine.is_foreign(e) for e in target.cls.mro)
        if target.cls.is_torch() and (foreign or _holds_any(machine, target, seen)):
            return "module"
        if not target.cls.is_torch() and _holds_any(machine, target, seen):
            return "plain-container"
        return None
    if target.kind in {"list", "tuple", "set", "dict"}:
        return "plain-container" if _holds_any(machine, target, seen) else None
    if target.parent is not None:
        parent = machine.heap.objects[target.parent]
        name = target.origin.rpartition(".")[2]
        if parent.factory is not None and name in parent.factory.attributes:
            return "parameter" if name in parent.factory.parameters else None
        return "module" if parent.factory is not None and parent.factory.kind in _HOLDS else None
    return "opaque" if target.origin.endswith("()") else None


def _holds_any(machine: Machine, target: Object, seen: set[int]) -> bool:
    inside = seen | {target.oid}
    for name, value in machine.heap.slots(target.oid).items():
        edge = machine.heap.edges.get((target.oid, name), Edge(None, "", ""))
        if kind_of(machine, value, edge, inside) not in {None, "opaque"}:
            return True
    return False


def is_nameable(path: tuple[str, ...]) -> bool:
    """Whether a list of names can express this path."""
    return not any(ANY in part or not part for part in path)
