"""From paths to the classes in question, before anything is parsed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inflint.data import read_index
from inflint.sources.locate import Locator
from inflint.sources.prefilter import Prefilter
from inflint.sources.summary import Summary, summarise

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from inflint.model.environment import Environment
    from inflint.sources.disk import Disk, Seen


class Candidates(NamedTuple):
    """What is worth a closer look.

    Attributes:
        classes: Files, and the names of those of their classes that may be modules.
        specs: Files that may build specs of several policies.
        unreadable: Files that could not be read, and why.
        summaries: Of all files.
    """

    classes: dict[Path, frozenset[str]]
    specs: tuple[Path, ...]
    unreadable: dict[Path, str]
    summaries: Mapping[Path, Summary]


def find_candidates(
    paths: Iterable[Path],
    environment: Environment,
    disk: Disk,
    known: Mapping[str, tuple[Seen, Summary]] | None = None,
) -> Candidates:
    """Read all files, and keep what their bytes do not rule out.

    Args:
        paths: The files.
        environment: Where they import from.
        disk: Where to read.
        known: The summaries of files that need not be read.
    """
    marks = tuple(mark.encode() for mark in read_index().marks)
    known = known or {}
    summaries: dict[Path, Summary] = {}
    unreadable: dict[Path, str] = {}
    for path in paths:
        name = str(path)
        if name in known:
            disk.seen[name], summaries[path] = known[name]
            continue
        try:
            summaries[path] = summarise(disk.read(name), marks)
        except OSError as error:
            unreadable[path] = error.strerror or str(error)
    specs = tuple(path for path, summary in summaries.items() if summary.marked)
    return Candidates(suspects(summaries, environment, disk), specs, unreadable, summaries)


def suspects(
    summaries: Mapping[Path, Summary], environment: Environment, disk: Disk
) -> dict[Path, frozenset[str]]:
    """The classes that may be modules, whatever release of the framework is the target."""
    index = read_index()
    locator = Locator(environment.roots, environment.installed, disk=disk)
    inert = {*environment.standard_library, *index.opaque}
    recorded = frozenset(index.recorded)
    return Prefilter(summaries, index.roots, inert, locator, recorded).candidates()
