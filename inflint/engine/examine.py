"""A closer look at one file after the other, and all that was seen as one result."""

from __future__ import annotations

import traceback
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from inflint.checks.context import Subject, Verdicts
from inflint.checks.run import check_class, check_file, unreadable_file
from inflint.engine.classes import find_classes
from inflint.model.snapshot import snapshot_for
from inflint.model.universe import Universe

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from inflint.checks.finding import Finding
    from inflint.engine.memory import Memories
    from inflint.engine.projects import Group
    from inflint.model.hierarchy import Class
    from inflint.model.verdict import Verdict
    from inflint.sources.disk import Disk

Found: TypeAlias = "tuple[Finding, Subject | None]"
Key: TypeAlias = "tuple[str, int, int, str, str]"


class Examined(NamedTuple):
    """What one release makes of one file.

    Attributes:
        release: The release.
        classes: How many modules the file defines.
        found: What is wrong with them.
        besides: What is wrong outside of them.
        unreadable: All files that could not be read so far: message, line and column.
        runnable: Path and line of ``class`` of the modules that can be built and run, where
            suppressions may stand beside them.
    """

    release: str
    classes: int
    found: tuple[Found, ...]
    besides: tuple[Found, ...]
    unreadable: dict[Path, tuple[str, int, int]]
    runnable: tuple[tuple[Path, int], ...] = ()


@dataclass(frozen=True)
class Whole:
    """What all releases make of all files of a group.

    Attributes:
        found: By place and rule.
        classes: How many modules the files define.
        runnable: Path and line of ``class`` of the modules that can be built and run.
    """

    found: dict[Key, Found]
    classes: int
    runnable: frozenset[tuple[Path, int]]


class Examiner:
    """Looks at files of a group; what it has learned of one it knows for the next."""

    def __init__(self, group: Group, disk: Disk, memories: Memories | None = None) -> None:
        self._group = group
        self._memories = memories
        self._disk = disk
        self._verdicts = {v: Verdicts(self._universe(v)) for v in group.target.versions}

    def examine(self, path: Path) -> tuple[Examined, ...]:
        """Check one file, for each release."""
        return tuple(self._examine(path, release) for release in self._verdicts)

    def attempt(self, path: Path) -> tuple[Examined, ...] | str:
        """Check one file; where inflint itself fails, how. The others are none the worse."""
        try:
            return self.examine(path)
        except Exception:  # noqa: BLE001 - whatever it is, it must not be taken for a result
            return traceback.format_exc()

    def verdicts(self) -> Iterator[Verdict]:
        """The verdicts on all classes, for the newest release."""
        newest = list(self._verdicts.values())[-1]
        for path in self._group.candidates.classes:
            for cls in self._classes(path, newest):
                yield newest.of(cls)

    def _examine(self, path: Path, release: str) -> Examined:
        verdicts = self._verdicts[release]
        subjects = [Subject(c, verdicts) for c in self._classes(path, verdicts)]
        found = [(finding, s) for s in subjects for finding in check_class(s)]
        besides: list[Found] = []
        if path in self._group.candidates.specs:
            file = verdicts.universe.load(path)
            if file is not None:
                besides = [(finding, None) for finding in check_file(file, verdicts)]
        for fault in verdicts.universe.faults.get(path, ()):
            besides.append((unreadable_file(path, *fault, what="cell"), None))
        errors = dict(verdicts.universe.errors)
        wanted = subjects if path in self._group.candidates.suppressing else ()
        runnable = tuple((s.cls.file.path, s.cls.scope.head.line) for s in wanted if s.concrete)
        return Examined(release, len(subjects), tuple(found), tuple(besides), errors, runnable)

    def _classes(self, path: Path, verdicts: Verdicts) -> list[Class]:
        wanted = self._group.candidates.classes.get(path)
        return [] if wanted is None else list(find_classes(verdicts.universe, {path: wanted}))

    def _universe(self, release: str) -> Universe:
        group = self._group
        profile = group.profile.at(release)
        snapshot = snapshot_for(profile.package, release, group.environment, self._disk)
        memory = None if self._memories is None else self._memories.of
        universe = Universe(profile, group.environment, snapshot, self._disk, memory)
        universe.errors.update(group.candidates.unreadable)
        return universe


def merge(parts: Iterable[tuple[Examined, ...]], releases: Sequence[str]) -> Whole:
    """All findings on a group, each once; where releases differ it says so."""
    by_release: dict[str, list[Examined]] = {release: [] for release in releases}
    for part in parts:
        for examined in part:
            by_release[examined.release].append(examined)
    merged: dict[Key, Found] = {}
    for release, seen in by_release.items():
        kept: dict[Key, Found] = {}
        for finding, subject in _all(seen):
            kept.setdefault(finding.key, (finding, subject))
        for key, (finding, subject) in kept.items():
            known = merged[key][0] if key in merged else finding
            merged[key] = replace(known, releases=(*known.releases, release)), subject
    found = {
        key: (replace(finding, releases=()), subject)
        if len(finding.releases) == len(releases)
        else (finding, subject)
        for key, (finding, subject) in merged.items()
    }
    classes = max((sum(e.classes for e in seen) for seen in by_release.values()), default=0)
    everywhere = (frozenset(p for e in seen for p in e.runnable) for seen in by_release.values())
    return Whole(found, classes, frozenset().union(*everywhere))


def combine(wholes: Iterable[Whole]) -> list[Found]:
    """The findings on all groups, in order of file, line and column."""
    found: dict[Key, Found] = {}
    for whole in wholes:
        for key, pair in whole.found.items():
            found.setdefault(key, pair)
    return [pair for _, pair in sorted(found.items(), key=lambda item: item[0])]


def _all(parts: list[Examined]) -> Iterator[Found]:
    for part in parts:
        yield from part.found
    for part in parts:
        yield from part.besides
    unreadable = {path: place for part in parts for path, place in part.unreadable.items()}
    for path, place in unreadable.items():
        yield unreadable_file(path, *place), None
