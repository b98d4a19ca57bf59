"""One run over a set of paths."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from inflint.engine.stack import with_deep_stack
from inflint.sources.discover import discover
from inflint.sources.prefilter import Prefilter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inflint.checks.context import Verdicts
    from inflint.checks.finding import Finding
    from inflint.model.hierarchy import Class
    from inflint.model.universe import Universe
    from inflint.model.verdict import Verdict


@dataclass(frozen=True)
class Request:
    """What to look at.

    Attributes:
        paths: Files and directories.
        python: The interpreter or environment that the code imports from.
        codes: Rules to report; None for all.
    """

    paths: tuple[Path, ...]
    python: str | None = None
    codes: frozenset[str] | None = None


@dataclass(frozen=True)
class Checked:
    """What a check found.

    Attributes:
        findings: In order of file, line and column.
        files: How many files were looked at.
        classes: How many modules of the framework they define.
    """

    findings: tuple[Finding, ...]
    files: int
    classes: int


def check(request: Request) -> Checked:
    """Check all modules in the given paths.

    Raises:
        MissingPathError: A path does not exist.
        NoEnvironmentError: ``python`` is no environment.
    """
    return with_deep_stack(lambda: _check(request))


def _check(request: Request) -> Checked:
    survey = _survey(request)
    from inflint.checks.run import check_class, unreadable_file

    found: dict[tuple[str, int, int, str, str], Finding] = {}
    classes = 0
    for cls in survey.classes:
        classes += 1
        for finding in check_class(cls, survey.verdicts):
            if str(finding.path) in survey.wanted:
                found.setdefault(finding.key, finding)
    for path, (message, line, column) in survey.verdicts.universe.errors.items():
        if str(path) in survey.wanted:
            finding = unreadable_file(path, message, line, column)
            found.setdefault(finding.key, finding)
    chosen = (f for f in found.values() if request.codes is None or f.code in request.codes)
    return Checked(tuple(sorted(chosen, key=lambda f: f.key)), survey.files, classes)


def inspect(request: Request) -> tuple[Verdict, ...]:
    """The verdict on each module in the given paths. Raises as :func:`check`."""
    return with_deep_stack(lambda: _inspect(request))


def _inspect(request: Request) -> tuple[Verdict, ...]:
    survey = _survey(request)
    return tuple(survey.verdicts.of(cls) for cls in survey.classes)


@dataclass(frozen=True)
class _Survey:
    verdicts: Verdicts
    classes: tuple[Class, ...]
    wanted: frozenset[str]
    files: int


def _survey(request: Request) -> _Survey:
    from inflint.model.environment import find_environment
    from inflint.model.profile import load_profile

    paths = discover(request.paths)
    contents, unreadable = _read(paths)
    profile = load_profile()
    environment = find_environment(request.python, Path.cwd())
    roots = [n for r in profile.roots if not r.torch_module for n in r.names]
    inert = {
        *environment.standard_library,
        *(name for name in profile.opaque if "." not in name),
    }
    from inflint.checks.context import Verdicts
    from inflint.model.universe import Universe

    universe = Universe(profile, environment)
    names = [*roots, *profile.api_names]
    chosen = Prefilter(contents, names, inert, universe.locate).candidates()
    universe.errors.update((path, (message, 1, 1)) for path, message in unreadable.items())
    classes = tuple(_classes(universe, contents, chosen))
    return _Survey(Verdicts(universe), classes, frozenset(map(str, paths)), len(paths))


def _read(paths: Iterable[Path]) -> tuple[dict[Path, bytes], dict[Path, str]]:
    """The contents of all files, and why the others have none."""
    contents: dict[Path, bytes] = {}
    unreadable: dict[Path, str] = {}
    for path in paths:
        try:
            contents[path] = path.read_bytes()
        except OSError as error:  # noqa: PERF203 - one file's failure is not another's
            unreadable[path] = error.strerror or str(error)
    return contents, unreadable


def _classes(
    universe: Universe, contents: dict[Path, bytes], chosen: dict[Path, frozenset[str]]
) -> Iterator[Class]:
    from inflint.model.statements import Machine

    machine = Machine(universe, inference_only=False)
    for path, names in chosen.items():
        file = universe.load(path, contents[path])
        if file is None:
            continue
        for chain in file.header.walk():
            if chain[-1].kind == "class" and chain[-1].name in names:
                dotted = f"{file.module}.{chain[-1].name}"
                if len(chain) == 2 and dotted in universe.profile.root_by_name:
                    continue
                cls = machine.class_at(file, chain)
                if cls.is_module():
                    yield cls
