"""INF301 to INF305: what the target release makes of each listed path on an EnvRunner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inflint.checks.coverage import read_of_listed
from inflint.checks.paths import breaks_removal, on_root, removes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.model.names import ListedName
    from inflint.model.statements import Machine
    from inflint.model.units import Site
    from inflint.syntax.facts import Span


def nested_path(subject: Subject) -> Iterator[Finding]:
    """INF301 and INF302: the release deletes the last part of a path on the module itself."""
    declared = subject.declared if removes(subject) else None
    if declared is None or declared.faults:
        return
    known = subject.already_reported(nested_path)
    for listed in declared.names:
        runner = subject.verdict.runner
        if runner is None or not breaks_removal(subject, listed):
            continue
        leaf = listed.name.rpartition(".")[2]
        earlier = {n.name for n in declared.names[: declared.names.index(listed)]}
        code = "INF302" if on_root(runner, leaf) and leaf not in earlier else "INF301"
        if (code, listed.name) in known:
            continue
        consequence = (
            f"EnvRunners lose self.{leaf} instead, and {listed.name} stays"
            if code == "INF302"
            else "EnvRunners fail with AttributeError when they build the module"
        )
        place, source = _place(subject, listed)
        judged = subject.verdict.component(listed.name)
        built = judged.evidence[:1] if judged is not None and judged.component.site else ()
        yield subject.finding(
            code,
            place,
            f"for {listed.name}{source}, RLlib deletes {leaf} on the module itself, not on its "
            f"owner: {consequence}",
            attribute=listed.name,
            evidence=built,
        )


def _place(subject: Subject, listed: ListedName) -> tuple[Span | Site, str]:
    """Where to report a listed name, and who lists it if that is another class."""
    if listed.site is not None and subject.is_own(listed):
        return listed.site, ""
    return subject.head, f" (listed by {subject.writer(listed).name})"


def undeletable_attribute(subject: Subject) -> Iterator[Finding]:
    """INF303: what is no attribute of the object, and what the framework itself needs."""
    declared = subject.declared if removes(subject) else None
    if declared is None or declared.faults:
        return
    known = subject.already_reported(undeletable_attribute)
    runner = subject.verdict.runner
    for listed in declared.names:
        if runner is None or ("INF303", listed.name) in known:
            continue
        why = _undeletable(subject, runner, listed.name)
        if why:
            place, source = _place(subject, listed)
            yield subject.finding("INF303", place, f"{why}{source}", attribute=listed.name)


def _undeletable(subject: Subject, runner: Machine, name: str) -> str:
    if any(name in {*root.attributes, *root.constants} for root in subject.cls.roots()):
        return f"{name} is RLlib's own: EnvRunners lose it, and fail where RLlib reads it"
    if runner.heap.get(runner.root or 0, name) is not None:
        return ""
    for owner in subject.cls.classes():
        for found in owner.own(name):
            scope = found.scope
            roles = set() if scope is None else {d.rpartition(".")[2] for d in scope.decorators}
            kind = "a class attribute"
            if scope is not None:
                kind = "a property" if roles & {"property", "cached_property"} else "a method"
            return (
                f"{name} is {kind} of {owner.name}, which cannot be deleted from an object: "
                "EnvRunners fail with AttributeError when they build the module"
            )
    for root in subject.cls.roots():
        if name in {*root.methods, *root.raises}:
            return (
                f"{name} is a method of {root.bare_name}, which cannot be deleted from an object: "
                "EnvRunners fail with AttributeError when they build the module"
            )
    return ""


def built_after_removal(subject: Subject) -> Iterator[Finding]:
    """INF304: a listed component comes into being after RLlib has removed what is listed."""
    declared = subject.declared if removes(subject) else None
    if declared is None or declared.faults:
        return
    known = subject.already_reported(built_after_removal)
    runner = subject.verdict.runner
    for listed in declared.names:
        judged = subject.verdict.component(listed.name)
        if judged is None or judged.component.stage != "late":
            continue
        if ("INF304", listed.name) in known:
            continue
        read = read_of_listed(subject, listed)
        if read is not None and not read.caught:
            continue  # INF202 says so
        if runner is None or not on_root(runner, listed.name):
            continue
        place, source = _place(subject, listed)
        in_state = judged.component.kind != "plain-container"
        fails = subject.profile.release.missing_keys == "error"
        consequence = "each weight sync fails" if fails else "its weights are never synced"
        consequence = consequence if in_state else "nothing of it is saved"
        yield subject.finding(
            "INF304",
            place,
            f"{listed.name} is built in __init__ after super().__init__(), when RLlib has "
            f"removed what is listed: it stays on EnvRunners, and {consequence}{source}",
            attribute=listed.name,
            evidence=judged.evidence[:1],
            severity=None if in_state else "warning",
        )


def removal_without_effect(subject: Subject) -> Iterator[Finding]:
    """INF305: the target release removes nothing."""
    if subject.profile.release.removal != "none" or subject.api is not True:
        return
    declared = subject.declared if subject.stripped else None
    if declared is None or declared.owner is not subject.cls:
        return
    yield subject.finding(
        "INF305",
        subject.method_head(subject.profile.api_method) or subject.head,
        "this release of Ray removes nothing from EnvRunners (it does from 2.41 on); it only "
        "leaves what is listed out of weight syncs",
    )


RULES = (nested_path, undeletable_attribute, built_after_removal, removal_without_effect)
