"""One run over a set of paths."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from inflint.engine.stack import with_deep_stack
from inflint.sources.discover import discover

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from inflint.checks.context import Subject, Verdicts
    from inflint.checks.finding import Finding
    from inflint.model.environment import Environment
    from inflint.model.hierarchy import Class
    from inflint.model.release import Target
    from inflint.model.units import SourceFile
    from inflint.model.verdict import Verdict


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
        target: The releases it holds for.
        subjects: The class behind each finding, in the same order, as the newest of these
            releases sees it; None for a whole file.
        contents: What was read, by absolute path.
    """

    findings: tuple[Finding, ...]
    files: int
    classes: int
    target: Target
    subjects: tuple[Subject | None, ...]
    contents: Mapping[Path, bytes]


@dataclass(frozen=True)
class Inspected:
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
    return with_deep_stack(lambda: _check(request))


def inspect(request: Request) -> Inspected:
    """The verdict on each module in the given paths, for the newest release of the target.

    Raises as :func:`check`.
    """
    return with_deep_stack(lambda: _inspect(request))


def _check(request: Request) -> Checked:
    inputs = _inputs(request)
    merged: dict[_Key, tuple[Finding, Subject | None]] = {}
    classes = 0
    for version in inputs.target.versions:
        survey = _survey(inputs, version)
        classes = max(classes, len(survey.classes))
        for key, (finding, subject) in _findings(survey, inputs, request.codes).items():
            known = merged[key][0] if key in merged else finding
            merged[key] = replace(known, releases=(*known.releases, version)), subject
    whole = len(inputs.target.versions)
    ordered = [pair for _, pair in sorted(merged.items(), key=lambda item: item[0])]
    return Checked(
        findings=tuple(
            f if len(f.releases) < whole else replace(f, releases=()) for f, _ in ordered
        ),
        files=len(inputs.paths),
        classes=classes,
        target=inputs.target,
        subjects=tuple(subject for _, subject in ordered),
        contents=inputs.contents,
    )


def _inspect(request: Request) -> Inspected:
    inputs = _inputs(request)
    survey = _survey(inputs, inputs.target.versions[-1])
    return Inspected(tuple(survey.verdicts.of(cls) for cls in survey.classes), inputs.target)


_Key: TypeAlias = "tuple[str, int, int, str, str]"


@dataclass(frozen=True)
class _Inputs:
    """What does not depend on the release."""

    paths: tuple[Path, ...]
    contents: dict[Path, bytes]
    unreadable: dict[Path, str]
    overlay: Mapping[Path, bytes]
    environment: Environment
    target: Target


@dataclass(frozen=True)
class _Survey:
    verdicts: Verdicts
    classes: tuple[Class, ...]


def _inputs(request: Request) -> _Inputs:
    from inflint.model.environment import find_environment
    from inflint.model.profile import load_profile
    from inflint.model.release import find_target
    from inflint.model.snapshot import shipped

    given = {path for path in request.paths if path in request.overlay}
    paths = sorted({*discover(p for p in request.paths if p not in given), *given})
    contents, unreadable = _read(paths, request.overlay)
    package = load_profile().package
    start = Path(os.path.abspath(request.paths[0])) if request.paths else Path.cwd()  # noqa: PTH100
    start = start if start.is_dir() else start.parent
    environment = find_environment(request.python, start)
    target = find_target(request.target, start, environment, package, shipped(package))
    return _Inputs(tuple(paths), contents, unreadable, request.overlay, environment, target)


def _survey(inputs: _Inputs, version: str) -> _Survey:
    from inflint.checks.context import Verdicts
    from inflint.engine.classes import find_classes
    from inflint.model.profile import load_profile
    from inflint.model.snapshot import snapshot_for
    from inflint.model.universe import Universe

    profile = load_profile().at(version)
    environment = inputs.environment
    snapshot = snapshot_for(profile.package, version, environment)
    universe = Universe(profile, environment, snapshot, inputs.overlay)
    universe.errors.update((p, (why, 1, 1)) for p, why in inputs.unreadable.items())
    return _Survey(Verdicts(universe), tuple(find_classes(universe, inputs.contents)))


def _findings(
    survey: _Survey, inputs: _Inputs, codes: frozenset[str] | None
) -> dict[_Key, tuple[Finding, Subject | None]]:
    from inflint.checks.context import Subject
    from inflint.checks.pages import default_codes
    from inflint.checks.run import check_class, check_file, unreadable_file

    wanted = set(inputs.paths)
    chosen = default_codes() if codes is None else codes
    found: list[tuple[Finding, Subject | None]] = []
    for cls in survey.classes:
        subject = Subject(survey.verdicts.of(cls), survey.verdicts)
        found.extend((finding, subject) for finding in check_class(subject))
    for file in _files(survey, inputs):
        found.extend((finding, None) for finding in check_file(file, survey.verdicts))
    errors = survey.verdicts.universe.errors
    found.extend((unreadable_file(path, *place), None) for path, place in errors.items())
    kept: dict[_Key, tuple[Finding, Subject | None]] = {}
    for finding, about in found:
        if finding.path in wanted and finding.code in chosen:
            kept.setdefault(finding.key, (finding, about))
    return kept


def _files(survey: _Survey, inputs: _Inputs) -> Iterator[SourceFile]:
    """Files that may build specs of several policies."""
    universe = survey.verdicts.universe
    mark = universe.profile.multi_spec.encode()
    for path, data in inputs.contents.items():
        if mark and b"module_class" in data and mark in data:
            file = universe.load(path, data)
            if file is not None:
                yield file


def _read(
    paths: Iterable[Path], overlay: Mapping[Path, bytes]
) -> tuple[dict[Path, bytes], dict[Path, str]]:
    """The contents of all files, and why the others have none."""
    contents: dict[Path, bytes] = {}
    unreadable: dict[Path, str] = {}
    for path in paths:
        try:
            contents[path] = overlay[path] if path in overlay else path.read_bytes()
        except OSError as error:  # noqa: PERF203 - one file's failure is not another's
            unreadable[path] = error.strerror or str(error)
    return contents, unreadable
