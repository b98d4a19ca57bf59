"""From paths to the classes in question, before anything is parsed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inflint.data import read_index
from inflint.sources.locate import Locator
from inflint.sources.prefilter import Prefilter
from inflint.sources.summary import Summary, summarise

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

    from inflint.model.environment import Environment
    from inflint.sources.disk import Disk, Seen


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
) -> Candidates:
    """Read all files, and keep what their bytes do not rule out.

    Args:
        paths: The files.
        environment: Where they import from.
        disk: Where to read.
        house_bases: Base classes that count as the framework's.
        known: The summaries of files that need not be read.
    """
    marks = tuple(mark.encode() for mark in read_index().marks)
    known = known or {}
    summaries: dict[Path, Summary] = {}
    unreadable: dict[Path, tuple[str, int, int]] = {}
    for path in paths:
        name = str(path)
        if name in known:
            disk.seen[name], summaries[path] = known[name]
            continue
        try:
            embedding = disk.document(name)
            if embedding is None:
                summaries[path] = summarise(disk.read(name), marks)
            elif embedding.faults and not embedding.chunks:
                unreadable[path] = embedding.faults[0]
            else:
                summary = summarise(embedding.python, marks)
                summaries[path] = summary._replace(broken=bool(embedding.faults))
        except OSError as error:
            unreadable[path] = (error.strerror or str(error), 1, 1)
    specs = tuple(path for path, summary in summaries.items() if summary.marked)
    suppressing = tuple(path for path, summary in summaries.items() if summary.suppresses)
    found = suspects(summaries, environment, disk, house_bases)
    return Candidates(found, specs, unreadable, suppressing, summaries)


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
