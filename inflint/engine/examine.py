"""A closer look at one file after the other, and all that was seen as one result."""

from __future__ import annotations

import traceback
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from inflint.checks.context import Subject, Verdicts
from inflint.checks.pages import default_codes
from inflint.checks.run import check_class, check_file, unreadable_file
from inflint.engine.classes import find_classes
from inflint.model.profile import load_profile
from inflint.model.snapshot import snapshot_for
from inflint.model.universe import Universe

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from inflint.checks.finding import Finding
    from inflint.engine.memory import Memories
    from inflint.engine.run import Inputs
    from inflint.model.hierarchy import Class
    from inflint.model.verdict import Verdict

Found: TypeAlias = "tuple[Finding, Subject | None]"


class Examined(NamedTuple):
    """What one release makes of one file.

    Attributes:
        release: The release.
        classes: How many modules the file defines.
        found: What is wrong with them.
        besides: What is wrong outside of them.
        unreadable: All files that could not be read so far: message, line and column.
    """

    release: str
    classes: int
    found: tuple[Found, ...]
    besides: tuple[Found, ...]
    unreadable: dict[Path, tuple[str, int, int]]


@dataclass(frozen=True)
class Whole:
    """What all releases make of all files.

    Attributes:
        found: In order of file, line and column.
        classes: How many modules the files define.
    """

    found: tuple[Found, ...]
    classes: int


class Examiner:
    """Looks at files; what it has learned of one it knows for the next.

    Raises TargetError where the target is no release.
    """

    def __init__(self, inputs: Inputs, memories: Memories | None = None) -> None:
        self._inputs = inputs
        self._memories = memories
        self._verdicts = {v: Verdicts(self._universe(v)) for v in inputs.target.versions}

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
        for path in self._inputs.candidates.classes:
            for cls in self._classes(path, newest):
                yield newest.of(cls)

    def _examine(self, path: Path, release: str) -> Examined:
        verdicts = self._verdicts[release]
        subjects = [Subject(verdicts.of(c), verdicts) for c in self._classes(path, verdicts)]
        found = [(finding, s) for s in subjects for finding in check_class(s)]
        besides: list[Found] = []
        if path in self._inputs.candidates.specs:
            file = verdicts.universe.load(path)
            if file is not None:
                besides = [(finding, None) for finding in check_file(file, verdicts)]
        errors = dict(verdicts.universe.errors)
        return Examined(release, len(subjects), tuple(found), tuple(besides), errors)

    def _classes(self, path: Path, verdicts: Verdicts) -> list[Class]:
        wanted = self._inputs.candidates.classes.get(path)
        return [] if wanted is None else list(find_classes(verdicts.universe, {path: wanted}))

    def _universe(self, release: str) -> Universe:
        inputs = self._inputs
        profile = load_profile().at(release)
        snapshot = snapshot_for(profile.package, release, inputs.environment, inputs.disk)
        memory = None if self._memories is None else self._memories.of
        universe = Universe(profile, inputs.environment, snapshot, inputs.disk, memory)
        unreadable = inputs.candidates.unreadable
        universe.errors.update((p, (why, 1, 1)) for p, why in unreadable.items())
        return universe


def merge(parts: Iterable[tuple[Examined, ...]], inputs: Inputs) -> Whole:
    """All findings that were asked for, each once; where releases differ it says so."""
    releases = inputs.target.versions
    codes = default_codes() if inputs.request.codes is None else inputs.request.codes
    wanted = set(inputs.paths)
    by_release: dict[str, list[Examined]] = {release: [] for release in releases}
    for part in parts:
        for examined in part:
            by_release[examined.release].append(examined)
    merged: dict[tuple[str, int, int, str, str], Found] = {}
    for release, group in by_release.items():
        kept: dict[tuple[str, int, int, str, str], Found] = {}
        for finding, subject in _all(group):
            if finding.path in wanted and finding.code in codes:
                kept.setdefault(finding.key, (finding, subject))
        for key, (finding, subject) in kept.items():
            known = merged[key][0] if key in merged else finding
            merged[key] = replace(known, releases=(*known.releases, release)), subject
    found = tuple(
        (replace(finding, releases=()), subject)
        if len(finding.releases) == len(releases)
        else (finding, subject)
        for _, (finding, subject) in sorted(merged.items(), key=lambda item: item[0])
    )
    classes = max((sum(e.classes for e in group) for group in by_release.values()), default=0)
    return Whole(found, classes)


def _all(parts: list[Examined]) -> Iterator[Found]:
    for part in parts:
        yield from part.found
    for part in parts:
        yield from part.besides
    unreadable = {path: place for part in parts for path, place in part.unreadable.items()}
    for path, place in unreadable.items():
        yield unreadable_file(path, *place), None
