"""INF204 to INF207: whether the method returns a plain list of names, each once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inflint.checks.paths import is_parent, is_unresolved, run_together
from inflint.model.mentions import nodes
from inflint.model.units import Site
from inflint.syntax import facts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.model.names import Declaration
    from inflint.syntax.facts import Span

_FAULTS = {
    "property": "it is a property, and RLlib calls it: TypeError, 'list' object is not callable",
    "generator": (
        "it is a generator, which the first key of the state uses up: every weight is sent"
    ),
    "text": "it returns a string, so RLlib takes each character for a name",
    "none": "it returns None: TypeError, 'NoneType' object is not iterable",
    "objects": "it lists the modules themselves, where RLlib wants their names: TypeError",
}


def not_a_list_of_names(subject: Subject) -> Iterator[Finding]:
    """INF204: a string, nothing, a generator, a property, modules, or a missing comma."""
    declared = subject.declared if subject.stripped else None
    if declared is None or not subject.owns_list:
        return
    for fault in ("property", "generator", "text", "none", "objects"):
        if fault in declared.faults:
            yield subject.finding("INF204", _place(declared, fault), _FAULTS[fault])
            return
    yield from _missing_commas(subject, declared)


def _place(declared: Declaration, fault: str) -> Span | Site:
    unit = declared.closure.unit
    returns = [n for n in nodes(declared.closure.function.body) if isinstance(n, facts.Return)]
    valued = [n for n in returns if n.value is not None]
    if fault in {"text", "none"}:
        literal = [n for n in valued if isinstance(n.value, facts.Const)]
        wanted = literal or [n for n in valued if not isinstance(n.value, facts.Sequence)]
        if wanted:
            return Site(unit, wanted[0].at)
    if fault == "objects" and valued:
        return Site(unit, valued[0].at)
    return Site(unit, declared.closure.function.at)


def _missing_commas(subject: Subject, declared: Declaration) -> Iterator[Finding]:
    for listed in declared.names:
        strings = run_together(listed)
        if len(strings) < 2 or not subject.is_own(listed) or not is_unresolved(subject, listed):
            continue
        if listed.site is not None:
            parts = " and ".join(f'"{part}"' for part in strings)
            yield subject.finding(
                "INF204",
                listed.site,
                f"a comma is missing between {parts}: Python joins them to one name, which "
                "nothing ever assigns, so both stay on EnvRunners",
                attribute=listed.name,
            )


def conditional_precedence(subject: Subject) -> Iterator[Finding]:
    """INF205: ``["a"] + [] if c else ["b"]`` loses ``"a"`` where ``c`` is false."""
    declared = subject.declared if subject.stripped else None
    if declared is None or not subject.owns_list:
        return
    for node in nodes(declared.closure.function.body):
        if isinstance(node, facts.Choice) and isinstance(node.body, facts.Binary):
            lost = _lost(node, subject.profile.api_method)
            if lost:
                yield subject.finding(
                    "INF205",
                    Site(declared.closure.unit, node.at),
                    "the condition takes the whole sum: where it is false, "
                    f"{', '.join(lost)} is not listed; put parentheses around the "
                    "conditional part",
                    attribute=", ".join(n for n in lost if n != "the inherited list") or None,
                )


def _lost(node: facts.Choice, method: str) -> list[str]:
    """What stands left of the ``+`` and is gone in the other case."""
    body = node.body
    if not isinstance(body, facts.Binary) or body.op != "+" or not body.bare:
        return []
    kept = set(_texts(node.orelse))
    listed = [n for n in nodes(body.left) if isinstance(n, facts.Sequence)]
    lost = [text for part in listed for text in _texts(part) if text and text not in kept]
    inherits = [
        n
        for n in nodes(body.left)
        if isinstance(n, facts.Call) and isinstance(n.func, facts.Attr) and n.func.name == method
    ]
    if inherits and not any(isinstance(n, facts.Call) for n in nodes(node.orelse)):
        lost.append("the inherited list")
    return lost


def _texts(expr: facts.Expr) -> list[str]:
    return [n.value for n in nodes(expr) if isinstance(n, facts.Const) and isinstance(n.value, str)]


def mutated_shared_list(subject: Subject) -> Iterator[Finding]:
    """INF206: each call changes a list that others share."""
    declared = subject.declared if subject.stripped else None
    if declared is None or not subject.owns_list:
        return
    seen: set[Site] = set()
    for site, who in declared.mutations:
        if site in seen:
            continue
        seen.add(site)
        shared = {
            "class": "all modules of the class and its siblings share this list",
            "module": "everything that uses this module-level list shares it",
            "instance": "the module itself keeps this list",
        }[who]
        yield subject.finding(
            "INF206",
            site,
            f"each call makes the list longer: {shared}; build a new one instead",
            severity="warning" if who == "instance" else "error",
        )


def redundant_path(subject: Subject) -> Iterator[Finding]:
    """INF207: a name twice, or a child beside its listed parent."""
    declared = subject.declared if subject.stripped else None
    if declared is None or not subject.owns_list:
        return
    certain = [n for n in declared.names if n.certain]
    for index, listed in enumerate(certain):
        earlier = [n for n in certain[:index] if n.group == listed.group]
        later = [n for n in certain[index + 1 :] if n.group == listed.group]
        if listed.site is None or not subject.is_own(listed):
            continue
        if any(n.name == listed.name for n in earlier):
            gone = any(is_parent(n.name, listed.name) for n in earlier)
            nested = "." in listed.name and not gone and not is_unresolved(subject, listed)
            yield subject.finding(
                "INF207",
                listed.site,
                f"{listed.name} is listed twice"
                + (": RLlib tries to remove a nested path each time" if nested else ""),
                attribute=listed.name,
                severity="error" if nested else None,
            )
        elif any(is_parent(n.name, listed.name) for n in earlier):
            yield subject.finding(
                "INF207",
                listed.site,
                f"{listed.name} is below another listed name, which removes it already",
                attribute=listed.name,
            )
        elif any(is_parent(n.name, listed.name) for n in later):
            yield subject.finding(
                "INF207",
                listed.site,
                f"{listed.name} stands before the listed name that contains it: EnvRunners "
                "fail with AttributeError when they build the module",
                attribute=listed.name,
                severity="error",
            )


RULES = (not_a_list_of_names, conditional_precedence, mutated_shared_list, redundant_path)
