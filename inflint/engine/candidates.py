"""From paths to the classes in question, before anything is parsed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inflint.data import recorded_modules
from inflint.sources.locate import Locator
from inflint.sources.prefilter import Prefilter
from inflint.sources.summary import Summary, summarise

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

    from inflint.model.environment import Environment
    from inflint.model.profile import Profile
    from inflint.sources.disk import Disk


class Candidates(NamedTuple):
    """What is worth a closer look.

    Attributes:
        classes: Files, and the names of those of their classes that may be modules.
        specs: Files that may build specs of several policies.
        unreadable: Files that could not be read, and why: message, line and column.
        suppressing: Files that may hold suppressions that name rules.
    """

    classes: dict[Path, frozenset[str]]
    specs: tuple[Path, ...]
    unreadable: dict[Path, tuple[str, int, int]]
    suppressing: tuple[Path, ...] = ()

    def among(self, paths: Collection[Path]) -> Candidates:
        """Those that stand in some of the files."""
        return Candidates(
            {path: names for path, names in self.classes.items() if path in paths},
            tuple(path for path in self.specs if path in paths),
            {path: why for path, why in self.unreadable.items() if path in paths},
            tuple(path for path in self.suppressing if path in paths),
        )


def find_candidates(
    paths: Iterable[Path], profile: Profile, environment: Environment, disk: Disk
) -> Candidates:
    """Read all files, and keep what their bytes do not rule out."""
    marks = (profile.multi_spec.encode(), b"module_class") if profile.multi_spec else ()
    summaries: dict[Path, Summary] = {}
    unreadable: dict[Path, tuple[str, int, int]] = {}
    for path in paths:
        try:
            embedding = disk.document(path)
            if embedding is None:
                summaries[path] = summarise(disk.read(path), marks)
            elif embedding.faults and not embedding.chunks:
                unreadable[path] = embedding.faults[0]
            else:
                summary = summarise(embedding.python, marks)
                summaries[path] = summary._replace(broken=bool(embedding.faults))
        except OSError as error:  # noqa: PERF203 - one file's failure is not another's
            unreadable[path] = (error.strerror or str(error), 1, 1)
    specs = tuple(path for path, summary in summaries.items() if summary.marked)
    suppressing = tuple(path for path, summary in summaries.items() if summary.suppresses)
    found = suspects(summaries, profile, environment, disk)
    return Candidates(found, specs, unreadable, suppressing)


def suspects(
    summaries: Mapping[Path, Summary], profile: Profile, environment: Environment, disk: Disk
) -> dict[Path, frozenset[str]]:
    """The classes that may be modules, whatever release of the framework is the target."""
    locator = Locator(environment.roots, environment.installed, disk=disk)
    inert = {*environment.standard_library, *profile.opaque}
    roots = [*profile.module_roots, *profile.api_names]
    return Prefilter(summaries, roots, inert, locator, recorded_modules()).candidates()
