"""What each file is checked for: its settings, its environment, its target release.

A repository may hold several projects. Files that agree in all that changes the analysis form
one group, which is analysed at once.
"""

from __future__ import annotations

import os
from functools import cached_property, partial
from typing import TYPE_CHECKING

from inflint.config.settings import ConfigError
from inflint.engine.candidates import find_candidates
from inflint.engine.progress import unheard
from inflint.sources.discover import Filter
from inflint.sources.globs import Globs

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from pathlib import Path

    from inflint.config.discover import Lookup
    from inflint.config.settings import Settings
    from inflint.engine.candidates import Candidates
    from inflint.engine.progress import Progress
    from inflint.model.environment import Environment
    from inflint.model.profile import Profile
    from inflint.model.release import Target
    from inflint.sources.disk import Disk, Seen
    from inflint.sources.summary import Summary


class Group:
    """Files that are analysed together.

    Args:
        candidates: What in them is worth a closer look.
        environment: What they import from.
        find_profile: How to read what is known of the framework, with what the project adds.
        find_target: How to find the releases that they are meant for.
    """

    def __init__(
        self,
        candidates: Candidates,
        environment: Environment,
        find_profile: Callable[[], Profile],
        find_target: Callable[[], Target],
    ) -> None:
        self.candidates = candidates
        self.environment = environment
        self._find_profile = find_profile
        self._find_target = find_target

    def among(self, paths: Collection[Path], target: Target) -> Group:
        """Those of the files that are meant for a target."""
        found = self.candidates.among(paths)
        return Group(found, self.environment, self._find_profile, lambda: target)

    @property
    def worth_a_look(self) -> tuple[Path, ...]:
        """The files whose bytes do not rule out a finding."""
        found = self.candidates
        return tuple(dict.fromkeys((*found.classes, *found.specs, *found.unreadable)))

    @cached_property
    def target(self) -> Target:
        """The releases that they are meant for; without a candidate, none had to be known."""
        return self._find_target()

    @cached_property
    def profile(self) -> Profile:
        """What is known of the framework; without a candidate, that had not to be read."""
        return self._find_profile()

    @cached_property
    def paths(self) -> frozenset[Path]:
        """The files in which there may be a finding."""
        return frozenset((*self.worth_a_look, *self.candidates.suppressing))


class Filters:
    """What to take of each directory, as its settings say."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._known: dict[int, tuple[Settings, Filter]] = {}

    def at(self, directory: Path) -> Filter:
        """The filter of a directory. Raises ConfigError where its configuration is wrong."""
        settings = self._lookup.at(directory)
        if id(settings) not in self._known:
            filter_ = Filter(
                Globs(settings.include),
                Globs(settings.exclude),
                gitignore=settings.respect_gitignore,
                force=settings.force_exclude,
                root=settings.root,
            )
            self._known[id(settings)] = settings, filter_
        return self._known[id(settings)][1]


def grouped(
    paths: Iterable[Path],
    start: Path,
    lookup: Lookup,
    disk: Disk,
    known: Mapping[str, tuple[Seen, Summary]] | None = None,
    jobs: int | None = 1,
    progress: Progress = unheard,
) -> list[Group]:
    """The groups that files fall into, in order of their first files; at least one.

    Args:
        paths: The files.
        start: The directory that counts where there are none.
        lookup: Finds their settings.
        disk: Where to read.
        known: The summaries of files that need not be read.
        jobs: In how many processes to read; None for as many as pay.
        progress: Is told how many have been read.

    Raises:
        ConfigError: A configuration file is wrong.
        NoEnvironmentError: ``python`` on the command line is no environment.
        TargetError: ``target-ray`` on the command line is no release.
    """
    projects = _Projects(lookup, disk)
    members: dict[object, tuple[list[Path], Settings, Environment]] = {}
    of: dict[str, list[Path]] = {}
    for path in paths:
        directory = os.path.dirname(path)  # noqa: PTH120 - for thousands
        if directory not in of:
            settings, environment = projects.of(path.parent)
            key = (settings.analysis, environment.roots)
            of[directory] = members.setdefault(key, ([], settings, environment))[0]
        of[directory].append(path)
    if not members:
        members[None] = ([], *projects.of(start))
    groups = []
    for files, settings, environment in members.values():
        house = settings.analysis.module_bases
        candidates = find_candidates(
            files, environment, disk, house_bases=house, known=known, jobs=jobs, progress=progress
        )
        place = files[0].parent if files else start
        profile = partial(projects.profile, settings)
        group = Group(candidates, environment, profile, partial(projects.target, place))
        if settings.analysis.target is not None:
            _ = group.target  # a mistake in it must not depend on what the files hold
            groups.append(group)
        else:
            groups += _by_target(group, projects)
    return groups


def _by_target(group: Group, projects: _Projects) -> list[Group]:
    """The parts of a group whose lock files name different releases."""
    parts: dict[tuple[str, ...], list[Path]] = {}
    targets: dict[tuple[str, ...], Target] = {}
    for path in (*group.worth_a_look, *group.candidates.suppressing):
        target = projects.target(path.parent)
        targets.setdefault(target.versions, target)
        parts.setdefault(target.versions, []).append(path)
    if not parts:
        return [group]
    return [group.among(frozenset(part), targets[versions]) for versions, part in parts.items()]


class _Projects:
    def __init__(self, lookup: Lookup, disk: Disk) -> None:
        self._lookup = lookup
        self._disk = disk
        self._projects: dict[Path, tuple[Settings, Environment]] = {}
        self._chosen: dict[str | None, Environment | None] = {}
        self._environments: dict[Path, Environment] = {}
        self._pins: dict[Path, Target | None] = {}
        self._installed: dict[tuple[Path, ...], Target] = {}

    @cached_property
    def _profile(self) -> Profile:
        from inflint.model.profile import load_profile

        return load_profile()

    @cached_property
    def _known(self) -> dict[str, Path]:
        from inflint.model.snapshot import shipped

        return shipped(self._profile.package)

    def of(self, directory: Path) -> tuple[Settings, Environment]:
        if directory not in self._projects:
            settings = self._lookup.at(directory)
            self._projects[directory] = settings, self._environment(settings, directory)
        return self._projects[directory]

    def profile(self, settings: Settings) -> Profile:
        analysis = settings.analysis
        return self._profile.extended(
            analysis.module_bases, analysis.entry_points, analysis.factories
        )

    def _environment(self, settings: Settings, directory: Path) -> Environment:
        from inflint.model.environment import NoEnvironmentError, chosen_environment

        python = settings.analysis.python
        if python not in self._chosen:
            try:
                self._chosen[python] = chosen_environment(python, self._disk)
            except NoEnvironmentError as error:
                origin = settings.origin("python")
                if origin.path is None:
                    raise
                raise ConfigError(f"{origin}: python: {error}") from None
        return self._chosen[python] or self._environment_of(directory)

    @cached_property
    def _running(self) -> Environment:
        from inflint.model.environment import running_environment

        return running_environment(self._disk)

    def _environment_of(self, directory: Path) -> Environment:
        from inflint.model.environment import is_repository, project_environment

        if directory not in self._environments:
            found = project_environment(directory, self._disk)
            if found is None and (
                is_repository(directory, self._disk) or directory.parent == directory
            ):
                found = self._running
            self._environments[directory] = found or self._environment_of(directory.parent)
        return self._environments[directory]

    def target(self, directory: Path) -> Target:
        from inflint.model.release import TargetError, named_target

        settings, environment = self.of(directory)
        package = self._profile.package
        text = settings.analysis.target
        if text is None:
            return self._pinned(directory) or self._installed_in(environment)
        origin = settings.origin(f"target-{package}")
        try:
            return named_target(text, self._known, str(origin.path or origin))
        except TargetError as error:
            if origin.path is None:
                raise
            raise ConfigError(f"{origin}: {error}") from None

    def _installed_in(self, environment: Environment) -> Target:
        from inflint.model.release import installed_target

        if environment.roots not in self._installed:
            found = installed_target(environment, self._profile.package, self._known, self._disk)
            self._installed[environment.roots] = found
        return self._installed[environment.roots]

    def _pinned(self, directory: Path) -> Target | None:
        from inflint.model.environment import is_repository
        from inflint.model.release import pinned_target

        if directory not in self._pins:
            found = pinned_target(directory, self._profile.package, self._known, self._disk)
            last = directory.parent == directory or is_repository(directory, self._disk)
            above = None if found is not None or last else self._pinned(directory.parent)
            self._pins[directory] = found or above
        return self._pins[directory]
