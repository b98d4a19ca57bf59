"""INF307: specs that build full modules on EnvRunners while the Learner filters the state."""

from __future__ import annotations

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


def full_module_on_env_runners(file: SourceFile, verdicts: Verdicts) -> Iterator[Finding]:
    """A spec for several policies, of a class whose list names what full modules read."""
    profile = verdicts.universe.profile
    if not profile.multi_spec or profile.multi_spec not in file.mentioned():
        return
    rule = rules()["INF307"]
    for span, call in _calls(file, profile.multi_spec):
        for cls in _classes(file, call, verdicts):
            stale = _stale(cls, verdicts)
            if not stale:
                continue
            names = ", ".join(stale)
            yield Finding(
                code=rule.code,
                severity=rule.severity,
                path=file.path,
                span=span,
                cls=cls.qualname,
                message=(
                    f"with specs per policy, EnvRunners build the full {cls.name} and read "
                    f"{names}, which the Learner leaves out of every weight sync: it stays at "
                    "its initial weights in silence"
                ),
                attribute=names,
                fix=rule.fix,
                evidence=(Note(cls.file.path, cls.scope.head.line, f"{cls.name} lists {names}"),),
            )
            break


def _calls(file: SourceFile, name: str) -> Iterator[tuple[Span, facts.Call]]:
    unit = file.whole()
    for node in nodes(unit.body):
        if isinstance(node, facts.Call) and _last(node.func) == name:
            yield unit.span_of(node.at), node


def _last(expr: facts.Expr) -> str:
    if isinstance(expr, facts.Attr):
        return expr.name
    return expr.id if isinstance(expr, facts.Name) else ""


def _classes(file: SourceFile, call: facts.Call, verdicts: Verdicts) -> Iterator[Class]:
    """Module classes that a spec names."""
    machine = Machine(verdicts.universe, inference_only=False)
    for node in nodes(call):
        if isinstance(node, facts.Name):
            for symbol in verdicts.universe.lookup(file, (file.header,), node.id):
                scope = symbol.scope if isinstance(symbol, Definition) else None
                if isinstance(symbol, Definition) and scope is not None and scope.kind == "class":
                    cls = machine.class_at(symbol.file, (*symbol.chain, scope))
                    if cls.is_module():
                        yield cls


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
