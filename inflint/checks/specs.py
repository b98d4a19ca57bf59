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
    from collections.abc import Iterator

    from inflint.checks.context import Verdicts
    from inflint.model.hierarchy import Class
    from inflint.model.units import SourceFile
    from inflint.syntax.facts import Span

_MODULE_CLASS = re.compile(r"module_class\s*=\s*(\w+)")


def full_module_on_env_runners(file: SourceFile, verdicts: Verdicts) -> Iterator[Finding]:
    """A spec for several policies, of a class whose list names what full modules read."""
    profile = verdicts.universe.profile
    if not profile.multi_spec or profile.multi_spec not in file.mentioned():
        return
    stale = {cls.name: (cls, names) for cls, names in _stale_classes(file, verdicts)}
    if not stale:
        return
    rule = rules()["INF307"]
    for span, call in _calls(file, profile.multi_spec):
        named = (n.id for n in nodes(call) if isinstance(n, facts.Name))
        hit = next((stale[name] for name in named if name in stale), None)
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


def _stale_classes(file: SourceFile, verdicts: Verdicts) -> Iterator[tuple[Class, str]]:
    """Classes that the file's specs name, with the listed names that go stale in them."""
    machine = Machine(verdicts.universe, inference_only=False)
    for name in dict.fromkeys(_MODULE_CLASS.findall(file.mentioned())):
        for symbol in verdicts.universe.lookup(file, (file.header,), name):
            scope = symbol.scope if isinstance(symbol, Definition) else None
            if isinstance(symbol, Definition) and scope is not None and scope.kind == "class":
                cls = machine.class_at(symbol.file, (*symbol.chain, scope))
                stale = _stale(cls, verdicts) if cls.is_module() else []
                if stale:
                    yield cls, ", ".join(stale)


def _stale(cls: Class, verdicts: Verdicts) -> list[str]:
    """Listed names that inference reads on a module that was built in full."""
    declared = verdicts.of(cls).declared
    if declared is None or verdicts.of(cls).api is not True:
        return []
    try:
        machine = build(verdicts.universe, cls, inference_only=False)
        wanted = demand(machine, cls, frozenset())
    except (Exhausted, RecursionError):
        return []
    weights = {j.component.name for j in verdicts.of(cls).judged}
    return [
        n.name
        for n in declared.names
        if n.name in weights and n.certain and wanted.read_of(tuple(n.name.split("."))) is not None
    ]
