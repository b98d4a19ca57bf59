"""What a listed path leads to: nothing, a part of the module, or trouble when it is removed."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from inflint.model.attributes import matches
from inflint.model.heap import ANY
from inflint.model.mentions import assigned_names, reflects
from inflint.model.values import ABSENT, Ref, is_none

if TYPE_CHECKING:
    from inflint.checks.context import Subject
    from inflint.model.names import ListedName
    from inflint.model.statements import Machine


def is_parent(name: str, path: str) -> bool:
    """Whether ``name`` contains ``path``, by whole segments."""
    return path.startswith(f"{name}.")


def is_unresolved(subject: Subject, listed: ListedName) -> bool:
    """Whether a listed path certainly exists on no module of this class."""
    built = subject.verdict.built
    if built is None or built.root is None or subject.cls.unknown:
        return False
    first, *rest = listed.name.split(".")
    if not _is_known(subject, first):
        return True
    owners = [built.root]
    for name, below in zip([first, *rest], rest, strict=False):
        values = [built.heap.get(oid, name) or frozenset() for oid in owners]
        atoms = [a for value in values for a in value if a != ABSENT]
        owners = [a.oid for a in atoms if isinstance(a, Ref)]
        if not owners or len(owners) != len(atoms):
            return False
        if any(_may_have(subject, oid, below) for oid in owners):
            continue
        return True
    return False


def run_together(listed: ListedName) -> tuple[str, ...]:
    """The string literals that a missing comma joined to this name."""
    literal = None if listed.site is None else listed.site.unit.literal(listed.site.at)
    return () if literal is None else literal.joined


def _is_known(subject: Subject, name: str) -> bool:
    built = subject.verdict.built
    assert built is not None  # noqa: S101 - the caller made sure
    assert built.root is not None  # noqa: S101
    known = set(built.heap.slots(built.root))
    for root in subject.cls.roots():
        known |= {*root.attributes, *root.constants, *root.methods, *root.inert}
    if name in known or any(owner.own(name) for owner in subject.cls.classes()):
        return True
    for closure in built.methods(subject.cls):
        known |= assigned_names(closure.function)
        if reflects(closure.function) & subject.profile.reflective_attributes:
            return True
    return any(ANY in k and matches(k, name) for k in known) or name in known


def _may_have(subject: Subject, oid: int, name: str) -> bool:
    """Whether an object may have this attribute or element."""
    built = subject.verdict.built
    assert built is not None  # noqa: S101 - the caller made sure
    target = built.heap.objects[oid]
    if any(matches(k, name) if ANY in k else k == name for k in built.heap.slots(oid)):
        return True
    if target.kind == "opaque":
        known = target.factory.attributes if target.factory is not None else ()
        if target.escaped:
            return True  # torch's own helpers add parameters and sub-modules
        return not known or name in known or name in subject.profile.torch_methods
    cls = target.cls
    if cls is None:
        profile = subject.profile
        return name in profile.container_attributes or name in profile.torch_methods
    if cls.unknown or any(built.is_foreign(e) for e in cls.mro):
        return True
    names = {n for closure in built.methods(cls) for n in assigned_names(closure.function)}
    return name in names or ANY in names or any(owner.own(name) for owner in cls.classes())


def nearest(subject: Subject, listed: ListedName) -> str | None:
    """The name that was probably meant."""
    plain = listed.name.strip().removeprefix("self.").strip()
    candidates = _known_names(subject)
    if plain in candidates:
        return plain
    return next(iter(difflib.get_close_matches(plain, candidates, n=1, cutoff=0.7)), None)


def _known_names(subject: Subject) -> list[str]:
    """Component paths, unused ones first, then plain attributes."""
    judged = sorted(subject.verdict.judged, key=lambda j: j.verdict != "unused")
    names = [j.component.name for j in judged]
    built = subject.verdict.built
    if built is not None and built.root is not None:
        names += [n for n in built.heap.slots(built.root) if n not in names]
    return names


def breaks_removal(subject: Subject, listed: ListedName) -> bool:
    """Whether a listed path is nested and may be on an EnvRunner, so that removing it fails."""
    declared, runner = subject.declared, subject.verdict.runner
    if declared is None or runner is None or not removes(subject) or "." not in listed.name:
        return False
    others = [n for n in declared.names if n is not listed and n.group == listed.group]
    if any(is_parent(n.name, listed.name) for n in others if n.certain):
        return False  # the parent goes first, or the order is what is wrong
    position = declared.names.index(listed)
    if any(n.name == listed.name for n in declared.names[:position]):
        return False
    return leads_somewhere(runner, listed.name.split("."), certain=False)


def removes(subject: Subject) -> bool:
    """Whether RLlib removes what this class lists, in the target release."""
    return subject.profile.release.removal != "none" and subject.api is True and subject.stripped


def on_root(runner: Machine, name: str) -> bool:
    """Whether the module itself certainly has an attribute on an EnvRunner."""
    value = runner.heap.get(runner.root or 0, name)
    return value is not None and ABSENT not in value


def leads_somewhere(runner: Machine, path: list[str], *, certain: bool = True) -> bool:
    """Whether a path certainly, or under some config, leads to something on an EnvRunner."""
    owners = [runner.root or 0]
    for name in path:
        found = [_child(runner, oid, name, certain=certain) for oid in owners]
        there = [below for below in found if below is not None]
        if not there or (certain and len(there) < len(found)):
            return False
        owners = [oid for below in there for oid in below]
    return True


def _child(runner: Machine, oid: int, name: str, *, certain: bool) -> list[int] | None:
    """The objects behind ``name``; None where it is missing or None, or certainly may be."""
    target = runner.heap.objects[oid]
    value = runner.heap.get(oid, name)
    torch = target.kind in {"instance", "opaque"} or target.factory is not None
    if value is not None and torch:
        missing = [a for a in value if a == ABSENT or is_none(a)]
        if len(missing) == len(value) or (certain and missing):
            return None
        return [a.oid for a in value if isinstance(a, Ref)]
    if target.kind != "opaque" or target.factory is None or ANY in name:
        return None
    parts = {part.name: part for part in target.factory.parts}
    if name in parts:
        certain = not parts[name].inference and name not in target.spared
        return [] if certain else None
    return [] if name in target.factory.attributes else None
