"""What an edit of a list does to the classes that share it, as far as no finding would say so."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inflint.checks.listing import redundant_path
from inflint.model.components import build
from inflint.model.demand import demand
from inflint.model.mentions import parts
from inflint.model.names import declaration_apart
from inflint.syntax import facts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.fix.edits import Fix
    from inflint.model.universe import Universe
    from inflint.model.verdict import Judged

_LITERAL = re.compile(r"""["']([\w.]+)["']""")


def risk(universe: Universe, subject: Subject, fix: Fix, *, heeded: bool) -> str:
    """Why an edit may remove what is not certain to be unused; empty where it does not.

    A second check shows what a class certainly needs, but not what it may need: that is no
    finding. Subclasses that inherit the list lose its names as well.

    Args:
        universe: The classes met so far.
        subject: The class that is edited.
        fix: The edits.
        heeded: Whether the whole list counts only after them, rather than what they add.
    """
    names = {name for edit in fix.edits for name in _LITERAL.findall(edit.text)}
    declared = subject.declared
    listed = set() if declared is None else {name.name for name in declared.names}
    names = names | listed | set(_texts(subject)) if heeded else names - listed
    owners = {subject.cls, *(() if declared is None else (declared.owner,))}
    for cls in list(universe.classes.values()):
        if owners.isdisjoint(cls.mro) or (cls is subject.cls and not heeded):
            continue
        about = subject.of(cls)
        for judged in about.verdict.judged if about.concrete else ():
            if judged.component.name in names and _is_missed_quietly(universe, about, judged):
                return f"{cls.name} may need {judged.component.name}"
    return ""


def unready(subject: Subject, finding: Finding) -> str:
    """Why a list that comes to life may do harm; empty where it cannot.

    A second check finds what is new, among the names that it knows: not what was wrong before,
    when it had no effect.

    Args:
        subject: The class that is edited.
        finding: On its list, or on the method that would give it under its right name.
    """
    declared = subject.declared
    built = subject.verdict.built
    if declared is None or finding.code == "INF104":
        if built is None or finding.attribute is None:
            return ""
        declared = declaration_apart(built, subject.cls, finding.attribute)
    if declared is None:
        return ""
    if finding.code != "INF204":
        if declared.faults:
            return "what it returns is no list of names"
        if any(fault.severity == "error" for fault in redundant_path(subject)):
            return "RLlib cannot remove what it lists, in this order"
    return "" if declared.complete else "not all of what it lists is known"


def _is_missed_quietly(universe: Universe, subject: Subject, judged: Judged) -> bool:
    """Whether inference may need a component, and no finding would say so.

    Code that asks whether it is there goes another way once it is removed.
    """
    if judged.verdict != "needed":
        return judged.verdict == "uncertain"
    runner = build(universe, subject.cls, inference_only=True)
    without = demand(runner, subject.cls, frozenset((judged.component.name,)))
    read = without.read_of(judged.component.path)
    return read is None or read.caught or read.guarded


def _texts(subject: Subject) -> Iterator[str]:
    """The strings in the methods of a class and its bases."""
    built = subject.verdict.built
    for closure in () if built is None else built.methods(subject.cls):
        for node in parts(closure.function):
            if isinstance(node, facts.Const) and isinstance(node.value, str):
                yield from (node.value, *node.joined)
