"""INF307: specs that build full modules on EnvRunners while the Learner filters the state."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inflint.checks.finding import Finding, Note
from inflint.checks.pages import rules
from inflint.model.components import build
from inflint.model.core import Exhausted
from inflint.model.demand import demand
from inflint.model.mentions import nodes
from inflint.model.statements import Machine
from inflint.model.universe import Definition
from inflint.syntax import facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inflint.checks.context import Verdicts
    from inflint.model.hierarchy import Class
    from inflint.model.units import SourceFile
    from inflint.syntax.facts import Span
    from inflint.syntax.headers import Scope

_MODULE_CLASS = re.compile(r"module_class\s*=\s*(\w+)")


def full_module_on_env_runners(file: SourceFile, verdicts: Verdicts) -> Iterator[Finding]:
    """A spec for several policies, of a class whose list names what full modules read."""
    name = verdicts.universe.profile.multi_spec
    text = file.mentioned()
    named = frozenset(_MODULE_CLASS.findall(text))
    if not (name and named and re.search(rf"\b{name}\s*[(\\)#]", text)):
        return
    rule = rules()["INF307"]
    machine = Machine(verdicts.universe, inference_only=False)
    known: dict[Class, str] = {}

    def stale(scope: Scope, names: Iterable[str]) -> Iterator[tuple[Class, str]]:
        for cls in (c for n in names for c in _classes(machine, file, scope, n)):
            if cls not in known:
                known[cls] = _stale(cls, verdicts)
            if known[cls]:
                yield cls, known[cls]

    if not any(hit for scope in file.module_scopes() for hit in stale(scope, sorted(named))):
        return  # the whole file is not parsed in vain
    for span, call in _calls(file, name):
        used = {n.id: None for n in nodes(call) if isinstance(n, facts.Name) and n.id in named}
        hit = next(stale(file.scope_at(span.line), used), None)
        if hit is None:
            continue
        cls, names = hit
        yield Finding(
            code=rule.code,
            severity=rule.severity,
            path=file.path,
            span=span,
            cls=cls.qualname,
            message=(
                f"with specs per policy, EnvRunners build the full {cls.name} and read {names}, "
                "which the Learner leaves out of every weight sync: it stays at its initial "
                "weights in silence"
            ),
            attribute=names,
            fix=rule.fix,
            evidence=(Note(cls.file.path, cls.scope.head.line, f"{cls.name} lists {names}"),),
        )


def _calls(file: SourceFile, name: str) -> Iterator[tuple[Span, facts.Call]]:
    unit = file.whole()
    for node in nodes(unit.body):
        if isinstance(node, facts.Call) and _last(node.func) == name:
            yield unit.span_of(node.at), node


def _last(expr: facts.Expr) -> str:
    if isinstance(expr, facts.Attr):
        return expr.name
    return expr.id if isinstance(expr, facts.Name) else ""


def _classes(machine: Machine, file: SourceFile, scope: Scope, name: str) -> Iterator[Class]:
    """The modules of the framework that a name means in a file."""
    for symbol in machine.universe.lookup(file, (scope,), name):
        inner = symbol.scope if isinstance(symbol, Definition) else None
        if isinstance(symbol, Definition) and inner is not None and inner.kind == "class":
            cls = machine.class_at(symbol.file, (*symbol.chain, inner))
            if cls.is_module():
                yield cls


def _stale(cls: Class, verdicts: Verdicts) -> str:
    """Listed names that inference reads on a module that was built in full."""
    declared = verdicts.of(cls).declared
    if declared is None or verdicts.of(cls).api is not True:
        return ""
    try:
        machine = build(verdicts.universe, cls, inference_only=False)
        wanted = demand(machine, cls, frozenset())
    except (Exhausted, RecursionError):
        return ""
    weights = {j.component.name for j in verdicts.of(cls).judged}
    return ", ".join(
        n.name
        for n in declared.names
        if n.name in weights and n.certain and wanted.read_of(tuple(n.name.split("."))) is not None
    )
