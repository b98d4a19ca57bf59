"""INF201 to INF203, INF306: whether the list names what inference never uses, and only that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inflint.checks.context import evidence_of, quoted
from inflint.checks.paths import breaks_removal, is_unresolved, nearest, run_together
from inflint.model.verdict import Step, trail

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.model.core import Read
    from inflint.model.names import ListedName
    from inflint.model.verdict import Judged


def unlisted_component(subject: Subject) -> Iterator[Finding]:
    """INF201: the list leaves out a component that inference never touches."""
    if subject.api is not True or not subject.stripped:
        return
    declared = subject.declared
    if declared is None or not declared.complete or declared.faults:
        return
    listed = {n.name for n in declared.names}
    unresolved = [n for n in declared.names if is_unresolved(subject, n)]
    meant = {m for n in unresolved for m in (nearest(subject, n), *run_together(n))}
    missing = [
        j
        for j in subject.unused_roots()
        if j.component.name not in listed and j.component.name not in meant
    ]
    known = {name for _, name in subject.already_reported(unlisted_component)}
    missing = [j for j in missing if j.component.name not in known]
    if not missing:
        return
    names = [j.component.name for j in missing]
    own = subject.method_head(subject.profile.api_method)
    them = "it" if len(names) == 1 else "them"
    whose = "the list" if own is not None else f"the list inherited from {declared.owner.name}"
    yield subject.finding(
        "INF201",
        own or subject.head,
        f"{whose} leaves out {quoted(names)}: no inference call reads {them}, "
        f"but every weight sync sends {them}{subject.hint_below()}",
        attribute=", ".join(names),
        evidence=evidence_of(missing),
        fix=None if any(j.component.stage != "late" for j in missing) else "none",
    )


def listed_but_used(subject: Subject) -> Iterator[Finding]:
    """INF202: inference reads what RLlib removes."""
    if subject.api is not True or not subject.stripped:
        return
    declared = subject.declared
    if declared is None or subject.verdict.demand is None or "text" in declared.faults:
        return
    known = subject.already_reported(listed_but_used)
    seen: set[str] = set()
    for listed in declared.names:
        read = read_of_listed(subject, listed)
        if read is None or listed.name in seen or ("INF202", listed.name) in known:
            continue
        if read.caught or (read.guarded and not listed.certain):
            continue
        if read.guarded and _is_asked_for(subject, listed.name):
            continue
        if any(owner.own("__getattr__") for owner in subject.cls.classes()):
            continue  # it may answer for what is removed
        if _is_never_built(subject, listed.name.partition(".")[0]):
            continue  # there is nothing to remove, and the full module fails in the same way
        if breaks_removal(subject, listed):
            continue  # nothing of it is removed: INF301 or INF302 says what happens instead
        seen.add(listed.name)
        own = subject.is_own(listed)
        where = f"{read.labels[-1]}()" if read.labels else "RLlib"
        first = read.labels[0] if read.labels else ""
        via = f", called from {first}()" if len(read.labels) > 1 else ""
        source = "" if own else f" (listed by {declared.owner.name})"
        steps = trail(read, listed.name)
        item = subject.verdict.component(listed.name)
        built = item.evidence[:1] if item is not None and item.component.site is not None else ()
        yield subject.finding(
            "INF202",
            listed.site if own and listed.site is not None else subject.head,
            f"{listed.name} is removed from EnvRunners{source}, but {where} reads it{via}: "
            "EnvRunners fail with AttributeError, or sample with weights that are never synced",
            attribute=listed.name,
            evidence=(*built, *steps),
            fix=None if own else "none",
        )


def _is_never_built(subject: Subject, name: str) -> bool:
    """Whether nothing that runs binds an attribute, and nothing unknown could have."""
    built = subject.verdict.built
    if built is None or built.root is None or built.wild or subject.cls.unknown:
        return False
    return not built.heap.objects[built.root].escaped and built.heap.get(built.root, name) is None


def _is_asked_for(subject: Subject, name: str) -> bool:
    """Whether an undecided comparison with a name may ask whether the attribute is there."""
    demand = subject.verdict.demand
    return demand is not None and name in demand.machine.asked


def read_of_listed(subject: Subject, listed: ListedName) -> Read | None:
    """The inference read that a listed name would break; None where it breaks none."""
    demand = subject.verdict.demand
    if demand is None:
        return None
    path = tuple(listed.name.split("."))
    judged = subject.verdict.component(listed.name)
    if judged is not None and judged.verdict != "needed":
        return None
    if len(path) > 1:
        read = demand.read_of(path)
        explicit = judged is not None or _is_explicit(subject, path)
        return read if explicit else None
    if demand.is_none(path[0]) or _is_class_level(subject, path[0]):
        return None
    return demand.read_of(path)


def _is_explicit(subject: Subject, path: tuple[str, ...]) -> bool:
    demand = subject.verdict.demand
    return demand is not None and any(
        name == path[-1] for oid, name in demand.recorder.reads if oid != demand.root
    )


def _is_class_level(subject: Subject, name: str) -> bool:
    """Methods, properties and class attributes: they cannot be removed from an object."""
    built = subject.verdict.built
    if built is None or built.root is None or name in built.heap.slots(built.root):
        return False
    return any(owner.own(name) for owner in subject.cls.classes())


def unresolved_path(subject: Subject) -> Iterator[Finding]:
    """INF203: nothing in the class ever assigns the listed path."""
    if subject.api is not True or not subject.stripped:
        return
    declared = subject.declared
    if declared is None or declared.faults:
        return
    for listed in declared.names:
        if subject.is_own(listed) and is_unresolved(subject, listed):
            if listed.site is None or run_together(listed):
                continue
            guess = nearest(subject, listed)
            hint = f"; did you mean {guess}?" if guess else ""
            yield subject.finding(
                "INF203",
                listed.site,
                f"nothing ever assigns self.{listed.name}, so RLlib skips this entry in "
                f"silence{hint}",
                attribute=listed.name,
            )


def stateful_critic(subject: Subject) -> Iterator[Finding]:
    """INF306: the list drops a part that feeds the recurrent state, if there is one."""
    declared = subject.declared if subject.stripped else None
    if declared is None:
        return
    for listed in declared.names:
        judged = subject.verdict.component(listed.name)
        if judged is None or not _feeds_state(judged) or not subject.is_own(listed):
            continue
        if listed.site is not None:
            yield subject.finding(
                "INF306",
                listed.site,
                f"{listed.name} feeds the module's state when the encoder is recurrent and "
                "separate: EnvRunners then run it with weights that are never synced",
                attribute=listed.name,
                evidence=(*judged.evidence[:1], Step(listed.site, f"{listed.name} is listed")),
            )


def _feeds_state(judged: Judged) -> bool:
    part = judged.component.part
    return part is not None and part.state and judged.verdict == "unused"


RULES = (unlisted_component, listed_but_used, unresolved_path, stateful_critic)
