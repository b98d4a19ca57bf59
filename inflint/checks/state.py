"""INF4xx: what torch registers, what the state holds, and what is built for nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inflint.checks.paths import removes
from inflint.model.components import kind_of
from inflint.model.heap import Edge
from inflint.model.mentions import nodes, parts, read_sites
from inflint.model.units import Site
from inflint.model.values import ABSENT, Const, Ref
from inflint.model.verdict import registered
from inflint.syntax import facts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.model.frames import Closure
    from inflint.model.heap import Object
    from inflint.model.hierarchy import Class
    from inflint.model.statements import Machine
    from inflint.model.verdict import Judged

_PLAIN = frozenset(("list", "tuple", "set", "dict"))
_GET_STATE = "get_state"
_FLAG = "inference_only"


def unregistered_modules(subject: Subject) -> Iterator[Finding]:
    """INF401: modules in a plain list or dict are neither trained nor synced."""
    built = subject.verdict.built if subject.stripped else None
    if built is None:
        return
    known = subject.already_reported(unregistered_modules)
    kept = registered(built, set())
    for judged in subject.verdict.judged:
        component = judged.component
        if component.kind != "plain-container" or len(component.path) > 1:
            continue
        if ("INF401", component.name) in known or not _hides(built, component.path[0], kept):
            continue
        inside = _read_inside(subject, component.path)
        used = inside is not None and _is_deployed(subject, component.path)
        here = component.site is not None and component.site.path == subject.cls.file.path
        holder = _holder(built, component.path[0])
        wrapper = "nn.ModuleDict" if _is_dict(built, component.path[0]) else "nn.ModuleList"
        advice = f"wrap it in {wrapper}" if holder is None else f"make {holder} an nn.Module"
        what = "a plain container" if holder is None else f"a plain object of class {holder}"
        consequence = (
            "EnvRunners compute with their initial weights forever"
            if used
            else "no optimizer trains them and no state holds them"
        )
        yield subject.finding(
            "INF401",
            component.site if here and component.site is not None else subject.head,
            f"torch does not register the modules in self.{component.name}, {what}: "
            f"{consequence}; {advice}",
            attribute=component.name,
            evidence=judged.evidence if inside is None else inside.evidence,
            severity="error" if used else "warning",
            fix=None if holder is None else "none",
        )


def _hides(built: Machine, name: str, kept: set[int]) -> bool:
    """Whether a plain container holds modules that no registered path leads to."""
    return any(
        oid not in kept
        for atom in built.heap.get(built.root or 0, name) or ()
        if isinstance(atom, Ref) and _is_plain(built.object(atom))
        for oid in _modules_in(built, atom.oid, set())
    )


def _modules_in(built: Machine, oid: int, seen: set[int]) -> Iterator[int]:
    seen.add(oid)
    for name, value in built.heap.slots(oid).items():
        for atom in value:
            if not isinstance(atom, Ref) or atom.oid in seen:
                continue
            target = built.object(atom)
            if _is_plain(target):
                yield from _modules_in(built, atom.oid, seen)
            else:
                edge = built.heap.edges.get((oid, name), Edge(None, "", ""))
                kind = kind_of(built, frozenset((atom,)), edge, set())
                if kind not in {None, "opaque", "plain-container"}:
                    yield atom.oid


def _read_inside(subject: Subject, path: tuple[str, ...]) -> Judged | None:
    """What a container holds and inference reads, rather than only the container."""
    inside = (j for j in subject.verdict.judged if j.component.path[:-1] == path)
    return next((j for j in inside if j.verdict == "needed"), None)


def _is_deployed(subject: Subject, path: tuple[str, ...]) -> bool:
    """Whether an EnvRunner may have what an attribute holds."""
    runner, declared = subject.verdict.runner, subject.declared
    listed = None if declared is None else declared.lists(path[0])
    if listed is not None and listed.certain and removes(subject):
        return False
    if runner is None:
        return True
    value = runner.heap.get(runner.root or 0, path[0])
    return value is not None and value != frozenset((ABSENT,))


def _is_plain(target: Object) -> bool:
    """Whether torch does not look into an object: a list, a dict, an object of a plain class."""
    if target.kind == "instance" and target.cls is not None:
        return not target.cls.is_torch() and not target.cls.unknown
    return target.kind in _PLAIN and target.factory is None


def _holder(built: Machine, name: str) -> str | None:
    """The plain class whose object an attribute is; None where it is a list, say."""
    value = built.heap.get(built.root or 0, name) or frozenset()
    classes = [built.object(a).cls for a in value if isinstance(a, Ref)]
    return next((cls.name for cls in classes if cls is not None), None)


def _is_dict(built: Machine, name: str) -> bool:
    value = built.heap.get(built.root or 0, name) or frozenset()
    return any(isinstance(a, Ref) and built.object(a).kind == "dict" for a in value)


def get_state_drops_the_filter(subject: Subject) -> Iterator[Finding]:
    """INF402: an overridden ``get_state`` that ignores ``inference_only``."""
    built = subject.verdict.built if subject.stripped else None
    if built is None:
        return
    for owner in subject.cls.classes():
        found = owner.own(_GET_STATE)
        if not found:
            continue
        scope = found[-1].scope
        closure = None if scope is None else built.closure_at(found[-1], scope, owner)
        if scope is None or closure is None or not subject.reports_for(owner):
            return
        complaint = _state_fault(closure, filters=subject.api is True)
        if complaint:
            message, severity = complaint
            yield subject.finding(
                "INF402", Site(owner.file.head(scope, owner.name), 0), message, severity=severity
            )
        return


def _state_fault(closure: Closure, *, filters: bool) -> tuple[str, str] | None:
    params = {p.name: p.kind for p in closure.function.params}
    rest = next((name for name, kind in params.items() if kind == "double"), None)
    if _FLAG not in params and rest is None:
        message = (
            "get_state() takes no inference_only, which RLlib passes at every weight sync: "
            "TypeError, unexpected keyword argument"
        )
        return message, "error"
    wanted = {_FLAG} if _FLAG in params else {_FLAG, rest}
    names = {n.id for n in parts(closure.function) if isinstance(n, facts.Name)}
    texts = {n.value for n in parts(closure.function) if isinstance(n, facts.Const)}
    if names & wanted or _FLAG in texts or not filters:
        return None
    return (
        "get_state() ignores inference_only: every weight sync sends the listed components, too",
        "warning",
    )


def aliased_component(subject: Subject) -> Iterator[Finding]:
    """INF403: one module under two paths, of which only one is listed."""
    if subject.api is not True or not subject.stripped:
        return
    declared, built = subject.declared, subject.verdict.built
    if declared is None or built is None or declared.faults or not declared.complete:
        return
    names = {n.name for n in declared.names}
    for listed in declared.names:
        if not subject.is_own(listed) or listed.site is None or not listed.certain:
            continue
        other = _other_path(subject, built, listed.name, names)
        if other is not None:
            yield subject.finding(
                "INF403",
                listed.site,
                f"{listed.name} is the same module as {other.component.name}, which is not "
                "listed: it stays on EnvRunners, and every weight sync sends it",
                attribute=listed.name,
                evidence=other.evidence,
            )


def _other_path(subject: Subject, built: Machine, name: str, listed: set[str]) -> Judged | None:
    mine = _objects(built, name)
    for judged in subject.verdict.judged:
        path = judged.component.path
        prefixes = {".".join(path[:n]) for n in range(1, len(path) + 1)}
        if judged.verdict != "unused" or prefixes & listed or judged.component.name == name:
            continue
        if mine & _objects(built, judged.component.name):
            return judged
    return None


def _objects(built: Machine, name: str) -> set[int]:
    owners = {built.root or 0}
    for part in name.split("."):
        owners = {
            atom.oid
            for oid in owners
            for atom in built.heap.get(oid, part) or ()
            if isinstance(atom, Ref)
        }
    return owners


def value_on_inference_path(subject: Subject) -> Iterator[Finding]:
    """INF404: inference computes the value and nothing on an EnvRunner wants it."""
    demand = subject.verdict.demand if subject.stripped else None
    if demand is None:
        return
    keys = set(subject.profile.value_keys)
    for closure in demand.machine.methods(subject.cls):
        if closure.unit not in demand.ran or closure.owner is not subject.cls:
            continue
        for node in parts(closure.function):
            value = _value_entry(node, keys)
            called = [] if value is None else _own_calls(closure, value)
            for name in _reads_of(demand.machine, subject.cls, called):
                judged = subject.verdict.component(name)
                if judged is not None and judged.verdict == "needed" and value is not None:
                    yield subject.finding(
                        "INF404",
                        Site(closure.unit, _first_site(value)),
                        f"every inference call computes the value with {name}, and EnvRunners "
                        "drop it: computed in compute_values() or _forward_train() alone, "
                        f"{name} could be listed",
                        attribute=name,
                        evidence=judged.evidence,
                    )


def _value_entry(node: object, keys: set[str]) -> facts.Expr | None:
    """What is stored under a value key by an assignment or a dict display."""
    if isinstance(node, facts.Assign):
        items = [t for t in node.targets if isinstance(t, facts.Item)]
        return node.value if any(_is_key(t.key, keys) for t in items) else None
    if isinstance(node, facts.Mapping):
        values = (v for k, v in node.items if k is not None and _is_key(k, keys))
        return next(values, None)
    return None


def _is_key(key: facts.Expr, keys: set[str]) -> bool:
    if isinstance(key, facts.Attr):
        return key.name in keys
    return isinstance(key, facts.Const) and key.value in keys


def _reads_of(machine: Machine, cls: Class, called: list[str]) -> list[str]:
    """Attributes that are called, and those that called methods of the class read."""
    found = dict.fromkeys(called)
    for closure in machine.methods(cls):
        if closure.function.name in called:
            found.update(dict.fromkeys(read_sites(closure.function)))
    return list(found)


def _own_calls(closure: Closure, value: facts.Expr) -> list[str]:
    first = closure.function.params[0].name if closure.function.params else ""
    called = (n.func for n in nodes(value) if isinstance(n, facts.Call))
    return [
        f.name
        for f in called
        if isinstance(f, facts.Attr) and isinstance(f.value, facts.Name) and f.value.id == first
    ]


def _first_site(value: facts.Expr) -> int:
    sites = [n.at for n in nodes(value) if hasattr(n, "at")]
    return min(sites) if sites else 0


def built_then_removed(subject: Subject) -> Iterator[Finding]:
    """INF405: each EnvRunner builds a listed component only to delete it."""
    if not removes(subject):
        return
    declared, runner = subject.declared, subject.verdict.runner
    if declared is None or runner is None or declared.faults:
        return
    if declared.owner is not subject.cls:
        return
    for listed in declared.names:
        judged = subject.verdict.component(listed.name)
        if judged is None or judged.component.site is None or not listed.certain:
            continue
        value = runner.heap.get(runner.root or 0, listed.name)
        if judged.component.stage != "setup" or judged.verdict != "unused" or value is None:
            continue
        if ABSENT in value or any(isinstance(a, Const) for a in value):
            continue
        if judged.component.site.path == subject.cls.file.path:
            flag = subject.profile.release.flag
            yield subject.finding(
                "INF405",
                judged.component.site,
                f"each EnvRunner builds {listed.name} only to delete it: build it under "
                f"'if not {flag}:'",
                attribute=listed.name,
            )


RULES = (
    unregistered_modules,
    get_state_drops_the_filter,
    aliased_component,
    value_on_inference_path,
    built_then_removed,
)
