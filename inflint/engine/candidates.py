"""From paths to the classes in question, before anything is parsed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inflint.data import read_index
from inflint.engine.progress import unheard
from inflint.engine.reading import read_all
from inflint.sources.locate import Locator
from inflint.sources.prefilter import Prefilter

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

    from inflint.engine.progress import Progress
    from inflint.engine.reading import Fault, Read
    from inflint.model.environment import Environment
    from inflint.sources.disk import Disk, Seen
    from inflint.sources.summary import Summary


class Candidates(NamedTuple):
    """What is worth a closer look.

    Attributes:
        classes: Files, and the names of those of their classes that may be modules.
        specs: Files that may build specs of several policies.
        unreadable: Files that could not be read, and why: message, line and column.
        suppressing: Files that may hold suppressions that name rules.
        summaries: Of all files.
    """

    classes: dict[Path, frozenset[str]]
    specs: tuple[Path, ...]
    unreadable: dict[Path, tuple[str, int, int]]
    suppressing: tuple[Path, ...]
    summaries: Mapping[Path, Summary]

    def among(self, paths: Collection[Path]) -> Candidates:
        """Those that stand in some of the files."""
        return Candidates(
            {path: names for path, names in self.classes.items() if path in paths},
            tuple(path for path in self.specs if path in paths),
            {path: why for path, why in self.unreadable.items() if path in paths},
            tuple(path for path in self.suppressing if path in paths),
            self.summaries,
        )


def find_candidates(
    paths: Iterable[Path],
    environment: Environment,
    disk: Disk,
    *,
    house_bases: Iterable[str] = (),
    known: Mapping[str, tuple[Seen, Summary]] | None = None,
    jobs: int | None = 1,
    progress: Progress = unheard,
) -> Candidates:
    """Read all files, and keep what their bytes do not rule out.

    Args:
        paths: The files.
        environment: Where they import from.
        disk: Where to read.
        house_bases: Base classes that count as the framework's.
        known: The summaries of files that need not be read.
        jobs: In how many processes to read; None for as many as pay.
        progress: Is told how many have been read.
    """
    marks = tuple(mark.encode() for mark in read_index().marks)
    known = known or {}
    named = {str(path): path for path in paths}
    unread = [name for name in named if name not in known]
    found = read_all(unread, marks, disk, jobs, progress, _Foresight())
    summaries: dict[Path, Summary] = {}
    unreadable: dict[Path, Fault] = {}
    for name, path in named.items():
        if name in known:
            disk.seen[name], summaries[path] = known[name]
            continue
        summary, fault = next(found)
        if summary is None:
            unreadable[path] = fault
        else:
            summaries[path] = summary
    specs = tuple(path for path, summary in summaries.items() if summary.marked)
    suppressing = tuple(path for path, summary in summaries.items() if summary.suppresses)
    classes = suspects(summaries, environment, disk, house_bases)
    return Candidates(classes, specs, unreadable, suppressing, summaries)


class _Foresight:
    """Loads what looks at candidates once there will be some, while others read on."""

    def __init__(self) -> None:
        self._telling = {root.rpartition(".")[2] for root in read_index().roots}
        self._loaded = False

    def __call__(self, found: Iterable[Read]) -> None:
        if not self._loaded and any(self._tells(read.summary) for read in found):
            self._loaded = True
            import inflint.engine.examine
            import inflint.syntax.lower  # noqa: F401
            from inflint.model.profile import load_profile

            load_profile()

    def _tells(self, summary: Summary | None) -> bool:
        """Whether a class has one of the framework's, which the file imports, as a base."""
        return summary is not None and any(name in self._telling for _, _, name in summary.imports)


def suspects(
    summaries: Mapping[Path, Summary],
    environment: Environment,
    disk: Disk,
    house_bases: Iterable[str] = (),
) -> dict[Path, frozenset[str]]:
    """The classes that may be modules, whatever release of the framework is the target."""
    index = read_index()
    locator = Locator(environment.roots, environment.installed, disk=disk)
    inert = {*environment.standard_library, *index.opaque}
    recorded = frozenset(index.recorded)
    roots = (*index.roots, *house_bases)
    return Prefilter(summaries, roots, inert, locator, recorded).candidates()
