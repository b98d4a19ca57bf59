"""What a rule may ask about a class: its verdict, its bases' verdicts, its source places."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from inflint.checks.finding import Finding, Note
from inflint.checks.pages import rules
from inflint.model.units import Site
from inflint.model.verdict import judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from inflint.model.frames import Closure
    from inflint.model.hierarchy import Class
    from inflint.model.names import Declaration, ListedName
    from inflint.model.profile import Profile
    from inflint.model.universe import Universe
    from inflint.model.verdict import Judged, Step, Verdict
    from inflint.syntax.facts import Span
    from inflint.syntax.headers import Scope


class Verdicts:
    """Verdicts by class, each computed once."""

    def __init__(self, universe: Universe) -> None:
        self.universe = universe
        self._known: dict[Class, Verdict] = {}

    def of(self, cls: Class) -> Verdict:
        """The verdict on a class."""
        if cls not in self._known:
            self._known[cls] = judge(self.universe, cls)
        return self._known[cls]


@dataclass(frozen=True)
class Subject:
    """One class under inspection; it is judged once someone asks what only a verdict tells."""

    cls: Class
    verdicts: Verdicts

    @property
    def verdict(self) -> Verdict:
        """The verdict on the class."""
        return self.verdicts.of(self.cls)

    @property
    def api(self) -> bool | None:
        """Whether the API is among its bases; None where that cannot be known."""
        return self.cls.has_api(self.profile)

    @property
    def profile(self) -> Profile:
        """The framework profile."""
        return self.verdicts.universe.profile

    @property
    def strips(self) -> bool:
        """Whether some base removes the listed attributes."""
        return any(root.strips for root in self.cls.roots())

    @property
    def multi(self) -> bool:
        """Whether it only holds other modules."""
        return any(root.multi for root in self.cls.roots())

    @cached_property
    def concrete(self) -> bool:
        """Whether it can be built and run on an EnvRunner at all."""
        return not self.missing_methods() and self.verdict.runs

    @property
    def stripped(self) -> bool:
        """Whether its modules exist on EnvRunners, and lose what is listed."""
        return self.strips and self.concrete

    def missing_methods(self) -> list[str]:
        """Abstract methods that no class of the MRO implements."""
        seen: dict[str, bool] = {}
        for owner in self.cls.classes():
            for scope in owner.scope.scopes:
                if scope.kind == "function":
                    seen.setdefault(scope.name, is_abstract(scope))
        return [name for name, abstract in seen.items() if abstract]

    def is_abstract_base(self) -> bool:
        """Whether it is meant for subclasses: it says ``ABC``, or its file derives from it."""
        if any(base.rpartition(".")[2] == "ABC" for base in self.cls.scope.bases):
            return True
        return any(
            base.rpartition(".")[2] == self.cls.name
            for chain in self.cls.file.header.walk()
            for base in chain[-1].bases
        )

    # What inference never touches

    def unused_roots(self) -> list[Judged]:
        """Unused attributes of the module itself."""
        return [j for j in self._certain() if len(j.component.path) == 1]

    def unused_below(self) -> list[Judged]:
        """Unused parts of what inference needs."""
        return [j for j in self._certain() if len(j.component.path) > 1]

    def _certain(self) -> list[Judged]:
        """Leaves out parts that hold the state of a stateful module."""
        return [j for j in self.verdict.unused if not j.condition]

    def hint_below(self) -> str:
        """What else could be saved, and how it becomes removable in the target release."""
        below = quoted([j.component.name for j in self.unused_below()][:4])
        if not below:
            return ""
        release = self.profile.release
        how = (
            f"delete it in setup() under 'if {release.flag}:' and list it"
            if release.removal != "none"
            else "list it"
        )
        return f" (below what is needed, {below} could be saved, too: {how})"

    # Places

    @property
    def head(self) -> Span:
        """``class Name``."""
        return self.cls.scope.head

    def method_head(self, name: str, owner: Class | None = None) -> Span | None:
        """``def name`` in a class's own body."""
        for found in (owner or self.cls).own(name)[-1:]:
            if found.scope is not None:
                return found.scope.head
        return None

    # The declared list

    @property
    def declared(self) -> Declaration | None:
        """The list that this class declares or inherits."""
        return self.verdict.declared

    @property
    def owns_list(self) -> bool:
        """Whether findings about the list itself belong to this class.

        They do where the class writes the list, or where the base that writes it is no
        class that would be reported on its own.
        """
        declared = self.declared
        return declared is not None and self.reports_for(declared.owner)

    def reports_for(self, owner: Class) -> bool:
        """Whether what ``owner`` writes is reported with this class, not on its own."""
        if owner is self.cls:
            return True
        if not self.is_neighbour(owner):
            return False
        return not owner.is_module() or not self.of(owner).concrete

    def is_own(self, listed: ListedName) -> bool:
        """Whether a name is written in the list's own method, rather than by ``super()``."""
        if listed.site is None or not self.owns_list:
            return False
        return self.declared is not None and self.writer(listed) is self.declared.owner

    def writer(self, listed: ListedName) -> Class:
        """The class whose method writes a listed name; it may have come by ``super()``."""
        owner = self.cls if self.declared is None else self.declared.owner
        unit = None if listed.site is None else listed.site.unit
        for base in list(owner.classes())[1:]:
            methods = self._methods(base, self.profile.api_method)
            if any(method.unit == unit for method in methods):
                return base
        return owner

    def _methods(self, owner: Class, name: str) -> Iterator[Closure]:
        machine = self.verdict.built
        for found in owner.own(name):
            if machine is not None and found.scope is not None:
                closure = machine.closure_at(found, found.scope, owner)
                if closure is not None:
                    yield closure

    # Bases

    def of(self, cls: Class) -> Subject:
        """The same questions about another class."""
        return Subject(cls, self.verdicts)

    def is_neighbour(self, other: Class) -> bool:
        """Whether a class belongs to the same project, so that it is reported there."""
        universe = self.verdicts.universe
        mine, theirs = self.cls.file, other.file
        if universe.is_installed(mine) != universe.is_installed(theirs):
            return False
        if not universe.is_installed(mine):
            return True
        roots = universe.locator.project_roots
        return roots(mine.path)[0] == roots(theirs.path)[0]

    def already_reported(
        self, check: Callable[[Subject], Iterator[Finding]]
    ) -> set[tuple[str, str]]:
        """What a rule says of bases in the same project: pairs of code and attribute."""
        found: set[tuple[str, str]] = set()
        for base in list(self.cls.classes())[1:]:
            if base.is_module() and self.is_neighbour(base):
                for finding in check(self.of(base)):
                    for name in (finding.attribute or "").split(", "):
                        found.add((finding.code, name))
        return found

    # Findings

    def finding(
        self,
        code: str,
        place: Span | Site,
        message: str,
        *,
        attribute: str | None = None,
        evidence: tuple[Step, ...] = (),
        severity: str | None = None,
        fix: str | None = None,
    ) -> Finding:
        """A finding on this class, with what its page says of severity and fix."""
        rule = rules()[code]
        return Finding(
            code=code,
            severity=severity or rule.severity,
            path=place.path if isinstance(place, Site) else self.cls.file.path,
            given=self._given(place) if isinstance(place, Site) else None,
            span=place.span if isinstance(place, Site) else place,
            cls=self.cls.qualname,
            message=message,
            attribute=attribute,
            fix=rule.fix if fix is None else fix,
            evidence=notes(evidence),
        )

    def _given(self, site: Site) -> Path | None:
        """The class's file, where a fault in another file shows in no other class."""
        mine = self.cls.file
        universe = self.verdicts.universe
        if site.path == mine.path or universe.is_installed(site.unit.file):
            return None
        for base in list(self.cls.classes())[1:]:
            if any(other.file.path == site.path for other in base.classes()) and (
                base.is_module() and self.is_neighbour(base) and self.of(base).concrete
            ):
                return None
        return mine.path


def notes(steps: tuple[Step, ...]) -> tuple[Note, ...]:
    """Evidence with its places resolved."""
    return tuple(Note(step.path, step.line, step.text) for step in steps)


def evidence_of(items: list[Judged]) -> tuple[Step, ...]:
    """The evidence for several components."""
    return tuple(step for item in items for step in item.evidence)


def is_abstract(scope: Scope) -> bool:
    """Whether a method is declared abstract."""
    return any(d.rpartition(".")[2] == "abstractmethod" for d in scope.decorators)


def quoted(names: list[str]) -> str:
    """Names for a sentence: ``vf``, ``vf and critic``, ``a, b and c``."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
