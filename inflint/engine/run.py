"""One run over a set of paths."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from inflint.engine.candidates import Candidates, find_candidates
from inflint.engine.stack import with_deep_stack
from inflint.sources.discover import discover
from inflint.sources.disk import Disk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.engine.examine import Examined
    from inflint.engine.memory import Memories
    from inflint.model.environment import Environment
    from inflint.model.release import Target
    from inflint.model.verdict import Verdict
    from inflint.sources.disk import Seen
    from inflint.sources.summary import Summary


@dataclass(frozen=True)
class Request:
    """What to look at.

    Attributes:
        paths: Files and directories.
        python: The interpreter or environment that the code imports from.
        target: The framework's release, or a range; None to find out.
        codes: Rules to report; None for those that are on by default.
        overlay: Contents that stand for those on disk, by absolute path; such a file need
            not exist.
    """

    paths: tuple[Path, ...]
    python: str | None = None
    target: str | None = None
    codes: frozenset[str] | None = None
    overlay: Mapping[Path, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Checked:
    """What a check found.

    Attributes:
        findings: In order of file, line and column.
        files: How many files were looked at.
        classes: How many modules of the framework they define.
        find_target: How to find the releases it holds for.
        subjects: The class behind each finding, in the same order, as the newest of these
            releases sees it; None for a whole file.
        contents: What was read, by absolute path.
        faults: Files that inflint itself failed at, and how.
    """

    findings: tuple[Finding, ...]
    files: int
    classes: int
    find_target: Callable[[], Target]
    subjects: tuple[Subject | None, ...]
    contents: Mapping[Path, bytes]
    faults: tuple[tuple[Path, str], ...] = ()

    @cached_property
    def target(self) -> Target:
        """The releases it holds for; where there is no module, none had to be known so far."""
        return self.find_target()


class Inspected(NamedTuple):
    """The verdicts on all modules, for one release."""

    verdicts: tuple[Verdict, ...]
    target: Target


def check(request: Request) -> Checked:
    """Check all modules in the given paths, for each end of the target's range.

    Raises:
        MissingPathError: A path does not exist.
        NoEnvironmentError: ``python`` is no environment.
        TargetError: ``target`` is no release.
    """
    return check_inputs(gather(request))


def check_inputs(inputs: Inputs, memories: Memories | None = None) -> Checked:
    """Check what a request comes to. Raises TargetError."""
    if not inputs.worth_a_look:
        return Checked((), len(inputs.paths), 0, lambda: inputs.target, (), inputs.contents)
    return with_deep_stack(lambda: _check(inputs, memories))


def inspect(request: Request) -> Inspected:
    """The verdict on each module in the given paths, for the newest release of the target.

    Raises as :func:`check`.
    """
    from inflint.engine.examine import Examiner

    inputs = gather(request)
    examiner = Examiner(inputs)
    return with_deep_stack(lambda: Inspected(tuple(examiner.verdicts()), inputs.target))


def _check(inputs: Inputs, memories: Memories | None) -> Checked:
    from inflint.engine.examine import Examiner

    examiner = Examiner(inputs, memories)
    return whole({path: examiner.attempt(path) for path in inputs.worth_a_look}, inputs)


def whole(parts: Mapping[Path, tuple[Examined, ...] | str], inputs: Inputs) -> Checked:
    """What is known of all files together.

    Args:
        parts: What was seen in each file that is worth a look, or what went wrong.
        inputs: What the request comes to.
    """
    from inflint.engine.examine import merge

    merged = merge([part for part in parts.values() if not isinstance(part, str)], inputs)
    return Checked(
        findings=tuple(finding for finding, _ in merged.found),
        files=len(inputs.paths),
        classes=merged.classes,
        find_target=lambda: inputs.target,
        subjects=tuple(subject for _, subject in merged.found),
        contents=inputs.contents,
        faults=tuple((path, part) for path, part in parts.items() if isinstance(part, str)),
    )


class Inputs:
    """What a request comes to, before anything is parsed.

    Attributes:
        request: The request.
        paths: The files.
        candidates: What is worth a closer look.
        environment: Where the code imports from.
        disk: Where to read.
    """

    def __init__(
        self,
        request: Request,
        paths: tuple[Path, ...],
        candidates: Candidates,
        environment: Environment,
        disk: Disk,
    ) -> None:
        self.request = request
        self.paths = paths
        self.candidates = candidates
        self.environment = environment
        self.disk = disk

    @property
    def worth_a_look(self) -> tuple[Path, ...]:
        """The files whose bytes do not rule out a finding."""
        found = self.candidates
        return tuple(dict.fromkeys((*found.classes, *found.specs, *found.unreadable)))

    @cached_property
    def target(self) -> Target:
        """The releases to check against. Raises TargetError."""
        from inflint.model.profile import load_profile
        from inflint.model.release import find_target
        from inflint.model.snapshot import shipped

        package = load_profile().package
        start = start_of(self.request)
        known = shipped(package)
        option = self.request.target
        return find_target(option, start, self.environment, package, known, self.disk)

    @cached_property
    def contents(self) -> Mapping[Path, bytes]:
        """What the files hold."""
        return Contents(self.paths, self.disk)


def find_paths(request: Request) -> tuple[Path, ...]:
    """The files that a request names, in the order of their names."""
    given = {path for path in request.paths if path in request.overlay}
    found = discover(path for path in request.paths if path not in given)
    return tuple(found if not given else sorted({*found, *given}, key=str))


def gather(
    request: Request,
    paths: tuple[Path, ...] | None = None,
    disk: Disk | None = None,
    known: Mapping[str, tuple[Seen, Summary]] | None = None,
) -> Inputs:
    """Read all files, as far as it takes to leave most of them out.

    Args:
        request: The request.
        paths: Its files, where they have been found before.
        disk: Where to read.
        known: The summaries of files that need not be read.

    Raises as :func:`check`.
    """
    from inflint.model.environment import find_environment

    paths = find_paths(request) if paths is None else paths
    disk = disk or Disk(request.overlay)
    environment = find_environment(request.python, start_of(request), disk)
    candidates = find_candidates(paths, environment, disk, known)
    inputs = Inputs(request, paths, candidates, environment, disk)
    if request.target is not None:
        _ = inputs.target  # a mistake in it must not depend on what the files hold
    return inputs


def start_of(request: Request) -> Path:
    """Where the project is."""
    if not request.paths:
        return Path.cwd()
    first = Path(os.path.abspath(request.paths[0]))  # noqa: PTH100 - resolve() follows links
    return first if first.is_dir() else first.parent


class Contents(Mapping[Path, bytes]):
    """The contents of some files, read when they are asked for."""

    def __init__(self, paths: tuple[Path, ...], disk: Disk) -> None:
        self._paths = dict.fromkeys(paths)
        self._disk = disk
        self._read: dict[Path, bytes] = {}

    def __getitem__(self, path: Path) -> bytes:
        if path not in self._read:
            if path not in self._paths:
                raise KeyError(path)
            try:
                self._read[path] = self._disk.read(path)
            except OSError:
                raise KeyError(path) from None
        return self._read[path]

    def __iter__(self) -> Iterator[Path]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def __contains__(self, path: object) -> bool:
        return path in self._paths
