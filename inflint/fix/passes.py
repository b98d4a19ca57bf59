"""Apply, check again in memory, repeat: only edits that a second check agrees with are kept."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from inflint.fix.edits import CannotFixError, Document, Edit, Fix, collide, merged
from inflint.fix.planning import (
    BUILDS_ON_BASES,
    SUCCESSORS,
    TEXTUAL,
    WAKES,
    Context,
    plan,
    plan_text,
)
from inflint.sources.decode import DecodeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.model.hierarchy import Class

LIMIT = 12
"""Most passes over a set of files."""
_JUDGEMENTS = ("INF207", "INF3", "INF4")
"""Rules that may object to what a name, right as such, makes of the rest of a list."""
_DEPTH = 4
"""Most rounds of fixes for what a fix brought to light."""


class Seen(Protocol):
    """What a check found, and the bytes it looked at."""

    @property
    def findings(self) -> Sequence[Finding]:
        """The findings, of all rules."""

    @property
    def subjects(self) -> Sequence[Subject | None]:
        """The class behind each finding."""

    @property
    def contents(self) -> Mapping[Path, bytes]:
        """The files that may be edited, and their bytes."""


class Matter(NamedTuple):
    """What a finding is about, wherever it stands."""

    path: Path
    cls: str | None
    code: str
    name: str


@dataclass(frozen=True)
class Proposal:
    """A finding, the class it is about, and the edits that are to remove it."""

    finding: Finding
    subject: Subject | None
    fix: Fix


@dataclass(frozen=True)
class Left:
    """A finding that stays.

    Attributes:
        reason: Why.
        unsafe: It has an edit, which has to be asked for.
        bug: The edit was made and did not do what it should.
    """

    finding: Finding
    reason: str
    unsafe: bool = False
    bug: bool = False


@dataclass(frozen=True)
class Outcome:
    """What the passes came to.

    Attributes:
        before: The bytes of each changed file as they were read.
        after: The same files' new bytes.
        applied: What was repaired, in order.
        left: What was not, and why.
    """

    before: Mapping[Path, bytes]
    after: Mapping[Path, bytes]
    applied: tuple[Proposal, ...]
    left: tuple[Left, ...]


def converge(
    look: Callable[[Mapping[Path, bytes]], Seen],
    *,
    wanted: Callable[[Finding], bool] = lambda _: True,
    unsafe: bool = False,
) -> Outcome:
    """Fix until nothing is left to do.

    Args:
        look: Checks the files with some contents replaced.
        wanted: Which findings to fix.
        unsafe: Whether to make edits that are not safe, too.
    """
    return _Run(look, wanted, unsafe).outcome()


@dataclass
class _Run:
    look: Callable[[Mapping[Path, bytes]], Seen]
    wanted: Callable[[Finding], bool]
    unsafe: bool
    overlay: dict[Path, bytes] = field(default_factory=dict)
    applied: list[Proposal] = field(default_factory=list)
    dropped: dict[tuple[Matter, bytes], Left] = field(default_factory=dict)
    """What failed, and the file's bytes then: other bytes are worth another try."""

    def outcome(self) -> Outcome:
        first = self.seen = self.look({})
        for _ in range(LIMIT):
            proposals, left = self._plan(self.seen)
            chosen = _compatible(proposals)
            if not chosen:
                break
            self._try(chosen)
        else:
            self._give_up(proposals)
            left = self._plan(self.seen)[1]
        changed = {p: d for p, d in self.overlay.items() if d != first.contents[p]}
        before = {path: first.contents[path] for path in changed}
        return Outcome(before, changed, tuple(self.applied), tuple(left))

    def _plan(self, seen: Seen) -> tuple[list[Proposal], list[Left]]:
        contexts: dict[int, Context] = {}
        proposals: list[Proposal] = []
        left: list[Left] = []
        for finding, subject in zip(seen.findings, seen.subjects, strict=True):
            if not self.wanted(finding):
                continue
            if finding.path not in seen.contents:
                continue  # looked at, so that no edit breaks it, but not to be edited
            dropped = self.dropped.get(_attempt(finding, seen))
            if dropped is not None:
                left.append(Left(finding, dropped.reason, bug=dropped.bug))
                continue
            context = None
            if subject is not None:
                universe = subject.verdicts.universe
                context = contexts.setdefault(id(universe), Context(seen.contents, universe))
            try:
                textual = finding.code in TEXTUAL
                fix = (
                    plan_text(seen.contents, finding)
                    if textual
                    else plan(context, subject, finding)
                )
            except CannotFixError as error:
                left.append(Left(finding, str(error)))
                continue
            if fix.unsafe and not self.unsafe:
                left.append(Left(finding, fix.unsafe, unsafe=True))
            else:
                proposals.append(Proposal(finding, subject, fix))
        return proposals, left

    def _try(self, chosen: list[Proposal]) -> None:
        """Apply what stands the test, halving the set where something does not."""
        start = Counter(m for f in self.seen.findings for m in _matters(f))
        base, base_overlay = self.seen, dict(self.overlay)
        accepted: list[Proposal] = []
        stack = [chosen]
        while stack:
            group = stack.pop()
            trial = [*accepted, *group]
            try:
                overlay = base_overlay | _spliced(base.contents, trial)
                seen = self.look(overlay)
            except (CannotFixError, DecodeError) as error:
                self._split(stack, group, base, Left(group[0].finding, str(error)))
                continue
            after = Counter(m for f in seen.findings for m in _matters(f))
            lasting = [p for p in group if not _is_settled(p, start, after)]
            new = _brought(start, seen, trial)
            if not lasting and not new:
                accepted, self.overlay, self.seen = trial, overlay, seen
                continue
            follows = group[0].finding.code in WAKES or all(m.code == "INF207" for m in new)
            if len(group) == 1 and not lasting and follows:
                followed = self._follow(overlay, seen, start, trial)
                if followed is not None:
                    self.overlay, self.seen, more = followed
                    self.applied += [*trial, *more]
                    return
            self._split(stack, group, base, _complaint(group[0], new, lasting=bool(lasting)))
        self.applied += accepted

    def _split(
        self, stack: list[list[Proposal]], group: list[Proposal], base: Seen, why: Left
    ) -> None:
        if len(group) == 1:
            self.dropped[_attempt(group[0].finding, base)] = why
            return
        middle = len(group) // 2
        stack += [group[middle:], group[:middle]]

    def _follow(
        self,
        overlay: dict[Path, bytes],
        seen: Seen,
        start: Counter[Matter],
        trial: list[Proposal],
    ) -> tuple[dict[Path, bytes], Seen, list[Proposal]] | None:
        """Fix what a fix has brought to light; None where that is not possible."""
        made: list[Proposal] = []
        for _ in range(_DEPTH):
            new = _brought(start, seen, [*trial, *made])
            if not new:
                return overlay, seen, made
            proposals, _ = self._plan(seen)
            chosen = _compatible([p for p in proposals if new.keys() & {*_matters(p.finding)}])
            if not chosen:
                return None
            try:
                overlay = overlay | _spliced(seen.contents, chosen)
                seen = self.look(overlay)
            except (CannotFixError, DecodeError):
                return None
            made += chosen
        return None

    def _give_up(self, proposals: list[Proposal]) -> None:
        """Leave files as they were whose fixes do not come to an end."""
        for path in {p.fix.path for p in proposals}:
            self.overlay.pop(path, None)
            self.applied = [p for p in self.applied if p.fix.path != path]
        self.seen = self.look(self.overlay)
        for finding in self.seen.findings:
            if any(finding.path == p.fix.path for p in proposals):
                why = Left(finding, "its fixes do not converge", bug=True)
                self.dropped[_attempt(finding, self.seen)] = why


def _attempt(finding: Finding, seen: Seen) -> tuple[Matter, bytes]:
    return _matters(finding)[0], seen.contents.get(finding.path, b"")


def _matters(finding: Finding) -> list[Matter]:
    code = SUCCESSORS.get(finding.code, finding.code)
    names = (finding.attribute or "").split(", ")
    return [Matter(finding.path, finding.cls, code, name) for name in names]


def _brought(start: Counter[Matter], seen: Seen, made: list[Proposal]) -> Counter[Matter]:
    """What edits brought, other than remarks, and warnings about a list that they made count."""
    woken = {_place(p.subject.cls) for p in made if p.subject and p.finding.code in WAKES}
    pairs = list(zip(seen.findings, seen.subjects, strict=True))
    new = Counter(m for f, _ in pairs for m in _matters(f)) - start
    for finding, subject in pairs:
        if finding.severity == "info" or finding.code in TEXTUAL:
            new -= Counter(_matters(finding))
        if subject is None or finding.severity == "error":
            continue
        if woken & {_place(cls) for cls in subject.cls.classes()}:
            new -= Counter(_matters(finding))
    return new


def _place(cls: Class) -> tuple[Path, str]:
    return cls.file.path, cls.qualname


def _is_settled(proposal: Proposal, before: Counter[Matter], after: Counter[Matter]) -> bool:
    return any(after[m] < before[m] for m in _matters(proposal.finding))


def _compatible(proposals: list[Proposal]) -> list[Proposal]:
    """Those that can be made at once; the others wait for the next pass."""
    chosen: list[Proposal] = []
    taken: dict[Path, list[Edit]] = {}
    busy = {p.subject.cls for p in proposals if p.subject is not None}
    for proposal in proposals:
        cls = None if proposal.subject is None else proposal.subject.cls
        bases = [c for c in cls.classes() if c is not cls] if cls is not None else []
        if proposal.finding.code in BUILDS_ON_BASES and busy & set(bases):
            continue
        edits = taken.setdefault(proposal.fix.path, [])
        if not collide(proposal.fix.edits, edits):
            edits.extend(proposal.fix.edits)
            chosen.append(proposal)
    return chosen


def _spliced(contents: Mapping[Path, bytes], proposals: Iterable[Proposal]) -> dict[Path, bytes]:
    edits: dict[Path, list[tuple[Edit, ...]]] = {}
    for proposal in proposals:
        edits.setdefault(proposal.fix.path, []).append(proposal.fix.edits)
    return {path: Document(contents[path]).spliced(merged(sets)) for path, sets in edits.items()}


def _complaint(proposal: Proposal, new: Counter[Matter], *, lasting: bool) -> Left:
    finding = proposal.finding
    if lasting:
        return Left(finding, "the edit does not remove it", bug=True)
    elsewhere = {m.cls for m in new} - {finding.cls, None}
    where = f" to {', '.join(sorted(c for c in elsewhere if c))}" if elsewhere else ""
    brought = ", ".join(f"{m.code} ({m.name})" if m.name else m.code for m in new)
    others = all(m.cls in elsewhere or m.code.startswith(_JUDGEMENTS) for m in new)
    known = finding.code in WAKES or others
    return Left(finding, f"the edit would bring {brought}{where}", bug=not known)
