"""INF1xx: whether the API is there, whole, and on a class that it has an effect on."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from inflint.checks.context import evidence_of, is_abstract, quoted
from inflint.model.mentions import parts
from inflint.model.names import implementer
from inflint.model.units import Site
from inflint.syntax import facts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.model.hierarchy import Class
    from inflint.syntax.headers import Scope

_CLOSE = 0.8
"""Least similarity of a misspelled method name."""
_LIST_WORDS = frozenset(("attributes", "attribute", "attrs", "attr", "names"))


def missing_inference_api(subject: Subject) -> Iterator[Finding]:
    """INF101: components are unused by inference and no base brings the API."""
    if subject.multi or subject.api is not False or not subject.stripped:
        return
    method = subject.profile.api_method
    if any(c.own(method) for c in subject.cls.classes()) or _near_misses(subject):
        return
    known = {name for _, name in subject.already_reported(missing_inference_api)}
    new = [j for j in subject.unused_roots() if j.component.name not in known]
    if not new:
        return
    names = [j.component.name for j in new]
    carried = [j.component.name for j in new if j.component.stage in {"setup", "late"}]
    them = "it" if len(names) == 1 else "them"
    where = f"EnvRunners carry {quoted(carried)}, and every" if carried else "every"
    sent = them if len(carried) in {0, len(names)} and carried else quoted(names)
    message = (
        f"{where} weight sync sends {sent}, though no inference call ever reads {them}: "
        f"implement {subject.profile.api_class} and list {them}"
    )
    listable = any(j.component.stage != "late" for j in new)
    yield subject.finding(
        "INF101",
        subject.head,
        message + subject.hint_below(),
        attribute=", ".join(names),
        evidence=evidence_of(new),
        fix=None if listable else "none",
    )


def missing_api_base(subject: Subject) -> Iterator[Finding]:
    """INF102: the method is there, but no base is the API, so RLlib never asks for it."""
    method = subject.profile.api_method
    if subject.api is not False or not subject.stripped:
        return
    owner = next((c for c in subject.cls.classes() if c.own(method)), None)
    if owner is None or subject.already_reported(missing_api_base):
        return
    place = subject.method_head(method) if owner is subject.cls else None
    yield subject.finding(
        "INF102",
        place or subject.head,
        f"RLlib never calls {method}(), because no base of {subject.cls.name} is "
        f"{subject.profile.api_class}: nothing is removed from EnvRunners, and every weight is "
        "sent",
    )


def missing_api_method(subject: Subject) -> Iterator[Finding]:
    """INF103: the API's abstract method is missing, so the class cannot be built."""
    method = subject.profile.api_method
    if subject.api is not True or not subject.stripped or subject.verdict.reason:
        return
    if implementer(subject.profile, subject.cls, method) is not None or _near_misses(subject):
        return
    if subject.is_abstract_base():
        return
    if subject.already_reported(missing_api_method):
        return
    unused = [j.component.name for j in subject.unused_roots()]
    yield subject.finding(
        "INF103",
        subject.head,
        f"{subject.cls.name} cannot be built: it has {subject.profile.api_class} as a base, but "
        f"no {method}(), so Python raises TypeError (abstract class)",
        attribute=", ".join(unused) or None,
    )


def misspelled_method(subject: Subject) -> Iterator[Finding]:
    """INF104: a method's name nearly is the one that RLlib calls."""
    if not subject.strips:
        return
    for owner, scope in _near_misses(subject):
        if subject.verdict.runs and subject.reports_for(owner):
            yield subject.finding(
                "INF104",
                Site(owner.file.head(scope, owner.name), 0),
                f"RLlib calls {subject.profile.api_method}(); nothing ever calls "
                f"{scope.name}(), so its list has no effect",
                attribute=scope.name,
            )


def _near_misses(subject: Subject) -> list[tuple[Class, Scope]]:
    """Methods whose names nearly are the API's, and that nobody calls.

    Only those count that would be found before a method of the right name.
    """
    method = subject.profile.api_method
    found: list[tuple[Class, Scope]] = []
    for owner in subject.cls.classes():
        if owner.own(method):
            break
        found.extend(
            (owner, scope)
            for scope in owner.scope.scopes
            if scope.kind == "function" and _is_near(scope.name, method) and not is_abstract(scope)
        )
    if not found or subject.verdict.built is None:
        return []
    called = {
        node.name
        for closure in subject.verdict.built.methods(subject.cls)
        for node in parts(closure.function)
        if isinstance(node, facts.Attr)
    }
    return [(owner, scope) for owner, scope in found if scope.name not in called]


def _is_near(name: str, method: str) -> bool:
    plain = name.strip("_").lower()
    words = set(plain.split("_"))
    if {"non", "inference"} <= words and words & _LIST_WORDS:
        return True
    match = difflib.SequenceMatcher(None, plain, method)
    bounds = match.real_quick_ratio, match.quick_ratio, match.ratio  # each one slower
    return all(bound() >= _CLOSE for bound in bounds)


def api_without_effect(subject: Subject) -> Iterator[Finding]:
    """INF105: the API on a class that nothing strips."""
    if subject.api is not True or (subject.strips and not subject.multi):
        return
    if not subject.multi and not subject.concrete:
        return
    direct = any(base in subject.profile.api_names for base in subject.cls.bases)
    if not direct and any(c.is_module() and c is not subject.cls for c in subject.cls.classes()):
        return  # a base that serves several frameworks brings it
    if subject.already_reported(api_without_effect):
        return
    roots = subject.profile.roots
    stripping = " and ".join(root.bare_name for root in roots if root.strips)
    holders = " and ".join(root.bare_name for root in roots if root.multi)
    why = (
        f"a {holders} is never stripped, only the modules in it are"
        if subject.multi
        else f"only {stripping} strips, and it is no base"
    )
    yield subject.finding(
        "INF105",
        subject.head,
        f"{subject.profile.api_class} has no effect on {subject.cls.name}: {why}",
    )


RULES = (
    missing_inference_api,
    missing_api_base,
    missing_api_method,
    misspelled_method,
    api_without_effect,
)
