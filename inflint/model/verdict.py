"""The verdict on a class: components minus demand, each with evidence a person can check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from inflint.model.components import Component, build, build_both, components, is_nameable
from inflint.model.core import Exhausted, Read
from inflint.model.demand import Demand, demand
from inflint.model.heap import Edge
from inflint.model.mentions import read_sites
from inflint.model.names import Declaration, declaration, in_both_modes
from inflint.model.units import Site
from inflint.model.values import Ref

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inflint.model.hierarchy import Class
    from inflint.model.statements import Machine
    from inflint.model.universe import Universe


_CORRECTIONS = 3
"""How often a list is corrected before the verdict: taking one name off may need another."""


@dataclass(frozen=True)
class Step:
    """One step of an argument: a place, and what happens there."""

    site: Site
    text: str

    @property
    def path(self) -> Path:
        """The file."""
        return self.site.path

    @property
    def line(self) -> int:
        """The 1-based line."""
        return self.site.span.line


@dataclass(frozen=True)
class Judged:
    """A component with its verdict.

    Attributes:
        verdict: ``needed``, ``unused`` or ``uncertain``.
        evidence: Why, step by step.
        reason: Why it is uncertain; empty otherwise.
        condition: Under which condition the verdict does not hold; empty mostly.
    """

    component: Component
    verdict: str
    evidence: tuple[Step, ...]
    reason: str = ""
    condition: str = ""


@dataclass(frozen=True)
class Verdict:
    """All that is known about a class.

    Attributes:
        cls: The class.
        judged: Its components, parents before children.
        declared: The list it declares or inherits; None where there is none, or where it
            cannot be evaluated.
        api: Whether the API is among its bases; None where that cannot be known.
        runs: Whether inference gets through; otherwise the class is abstract, or lives on
            the Learner alone.
        demand: What inference touches on a module that lost all that is listed; None where it
            could not be found out. The verdicts are on one that lost only what it can do without.
        built: The module as a Learner has it; None likewise.
        reason: Why nothing certain can be said; empty mostly.
    """

    cls: Class
    judged: tuple[Judged, ...]
    declared: Declaration | None
    api: bool | None
    runs: bool
    demand: Demand | None
    built: Machine | None
    reason: str = ""

    @property
    def runner(self) -> Machine | None:
        """The module as an EnvRunner has it, before anything is removed."""
        return None if self.demand is None else self.demand.machine

    @property
    def unused(self) -> tuple[Judged, ...]:
        """Maximal paths that inference never touches and a list can name."""
        return tuple(_maximal(self.judged))

    def component(self, name: str) -> Judged | None:
        """The verdict on a path."""
        return next((j for j in self.judged if j.component.name == name), None)


def judge(universe: Universe, cls: Class) -> Verdict:
    """Analyse one class from source."""
    api = cls.has_api(universe.profile)
    try:
        return _judge(universe, cls, api)
    except (Exhausted, RecursionError):
        reason = "the class is too complex to be followed to its end"
        return Verdict(cls, (), None, api, runs=True, demand=None, built=None, reason=reason)


def _judge(universe: Universe, cls: Class, api: bool | None) -> Verdict:
    learner, runner = build_both(universe, cls)
    listed = in_both_modes(declaration(learner, cls), runner, cls)
    removed: frozenset[str] = frozenset()
    if listed is not None and api:
        removed = frozenset(n.name for n in listed.names if n.certain)
    wanted = first = demand(runner, cls, removed)
    for _ in range(_CORRECTIONS):
        kept = frozenset(n for n in removed if _breaks(wanted, n))
        if not kept:
            break
        removed -= kept  # a wrong name: say what holds once the list is right
        wanted = demand(build(universe, cls, inference_only=True), cls, removed)
    reasons = [*cls.unknown, *filter(None, (runner.wild,))]
    reason = "; ".join(dict.fromkeys(reasons))
    readers = _readers(wanted, learner, cls)
    judged = tuple(_judge_component(c, wanted, readers, reason) for c in components(learner))
    judged = _keep_unregistered(judged, wanted)
    return Verdict(cls, judged, listed, api, first.runs, first, learner, reason)


def _breaks(wanted: Demand, name: str) -> bool:
    """Whether inference fails without an attribute, rather than going another way."""
    read = wanted.read_of(tuple(name.split(".")))
    return read is not None and not read.caught


def _judge_component(
    component: Component, wanted: Demand, readers: dict[str, tuple[Step, ...]], reason: str
) -> Judged:
    read = wanted.read_of(component.path)
    if component.part is not None and read is not None:
        parent = wanted.read_of(component.path[:-1])
        if read is parent and wanted.spares(component.path):
            read = None
    built = _built(component)
    if read is None and len(component.path) == 1:
        read = wanted.write_of(component.path[0])
    if read is not None:
        return Judged(component, "needed", (*built, *trail(read, component.path[-1])))
    if reason:
        return Judged(component, "uncertain", built, reason)
    whole = wanted.everything
    if whole is not None:
        why = f"inference may reach it: {whole.reason}"
        return Judged(component, "uncertain", (*built, *trail(whole, "")), why)
    if not is_nameable(component.path):
        return Judged(component, "uncertain", built, "its name is only known at run time")
    if component.kind == "opaque" and not component.called:
        return Judged(component, "uncertain", built, "what the call returns is not known")
    condition = ""
    if component.part is not None and component.part.state:
        condition = "unless the module is stateful: then it feeds the module's state"
    read_by = readers.get(component.path[0], ())
    return Judged(component, "unused", (*built, *read_by), condition=condition)


def _built(component: Component) -> tuple[Step, ...]:
    if component.site is None:
        return ()
    text = {
        "late": f"{component.name} is built here, after the framework's constructor",
        "target": f"{component.name} is built here, on Learners only",
        "lazy": f"{component.name} is built here, on first use",
    }.get(component.stage, f"{component.name} is built here")
    return (Step(component.site, text),)


def trail(read: Read, name: str) -> tuple[Step, ...]:
    """The calls that lead from an entry point to a read."""
    steps = []
    for index, site in enumerate(read.trail):
        label = read.labels[index] if index < len(read.labels) else ""
        if index + 1 < len(read.trail):
            callee = read.labels[index + 1] if index + 1 < len(read.labels) else "it"
            steps.append(Step(site, f"{label} calls {callee}"))
        elif read.reason:
            steps.append(Step(site, f"{label or 'RLlib'} reaches {name or 'it'}: {read.reason}"))
        else:
            steps.append(Step(site, f"{label} reads {name}"))
    return tuple(steps)


def _readers(wanted: Demand, learner: Machine, cls: Class) -> dict[str, tuple[Step, ...]]:
    """Who reads each attribute: methods that neither construction nor inference runs."""
    found: dict[str, list[Step]] = {}
    for closure in learner.methods(cls):
        if closure.unit in wanted.ran or closure.unit in learner.ran:
            continue
        text = f"read by {closure.label}, which no inference method calls"
        for name, at in read_sites(closure.function).items():
            found.setdefault(name, []).append(Step(Site(closure.unit, at), text))
    return {name: tuple(steps[:3]) for name, steps in found.items()}


def _maximal(judged: tuple[Judged, ...]) -> Iterator[Judged]:
    taken: set[tuple[str, ...]] = set()
    for item in judged:
        path = item.component.path
        if any(path[:n] in taken for n in range(1, len(path))):
            continue
        if item.verdict == "unused" and path not in taken:
            taken.add(path)
            yield item


def _keep_unregistered(judged: tuple[Judged, ...], wanted: Demand) -> tuple[Judged, ...]:
    """Names whose object inference uses through a reference that torch does not know.

    Dropping such a name would drop its weights from the state, while the object stays in
    use: they are needed, whatever other code reads.
    """
    unused = {j.component.path for j in _maximal(judged)}
    kept = registered(wanted.machine, unused)
    touched = wanted.touched()
    result = []
    for item in judged:
        path = item.component.path
        if item.verdict == "unused" and any(path[:n] in unused for n in range(1, len(path) + 1)):
            inside = _registered_below(wanted.machine, path)
            hidden = sorted((inside & touched) - kept)
            if hidden:
                read = wanted.reached.get(hidden[0])
                steps = trail(read, item.component.name) if read is not None else ()
                text = "inference uses it through a reference that torch does not register"
                evidence = (*_built(item.component), *steps)
                result.append(Judged(item.component, "needed", evidence, text))
                continue
        result.append(item)
    return tuple(result)


def registered(machine: Machine, without: set[tuple[str, ...]]) -> set[int]:
    """Objects that the state dict still reaches when some paths are left out."""
    # Below a path that leads to none of those left out, it no longer matters how it was reached.
    prefixes = {path[:n] for path in without for n in range(len(path))}
    seen: set[tuple[int, tuple[str, ...] | None]] = set()
    stack: list[tuple[int, tuple[str, ...] | None]] = [(machine.root or 0, ())]
    while stack:
        oid, path = stack.pop()
        if (oid, path) in seen:
            continue
        seen.add((oid, path))
        for name, child in _registered_children(machine, oid):
            here = None if path is None else (*path, name)
            if here not in without:
                stack.append((child, here if here in prefixes else None))
    return {oid for oid, _ in seen}


def _registered_below(machine: Machine, path: tuple[str, ...]) -> set[int]:
    owners = {machine.root or 0}
    for name in path:
        owners = {child for oid in owners for child in _registered_at(machine, oid, name)}
    found: set[int] = set()
    stack = list(owners)
    while stack:
        oid = stack.pop()
        if oid not in found:
            found.add(oid)
            stack.extend(child for _, child in _registered_children(machine, oid))
    return found


def _registered_children(machine: Machine, oid: int) -> Iterator[tuple[str, int]]:
    if not _is_registry(machine, oid):
        return
    for name in machine.heap.slots(oid):
        for child in _registered_at(machine, oid, name):
            yield name, child
    target = machine.heap.objects[oid]
    for atom in target.captured:
        if isinstance(atom, Ref) and _registers(machine, atom.oid):
            yield "", atom.oid
    yield from target.parts_of.items()


def _registered_at(machine: Machine, oid: int, name: str) -> Iterator[int]:
    """The modules and parameters that torch registers under a name."""
    edge = machine.heap.edges.get((oid, name), Edge(None, "", ""))
    if not _is_registry(machine, oid) or edge.kind == "unregistered":
        return
    for atom in machine.heap.get(oid, name) or ():
        if isinstance(atom, Ref) and _registers(machine, atom.oid):
            yield atom.oid
    if name in machine.heap.objects[oid].parts_of:
        yield machine.heap.objects[oid].parts_of[name]


def _is_registry(machine: Machine, oid: int) -> bool:
    """Whether an object certainly is a module, which registers what it is given."""
    target = machine.heap.objects[oid]
    if target.cls is not None:
        return target.cls.is_torch()
    return target.factory is not None and target.factory.kind not in {"", "plain"}


def _registers(machine: Machine, oid: int) -> bool:
    """Whether torch registers an object that is assigned to a module's attribute."""
    target = machine.heap.objects[oid]
    if target.cls is not None:
        return target.cls.is_torch()
    if target.factory is not None:
        return target.factory.kind != "plain"
    return target.kind == "opaque"
