"""Which release of the framework the code is meant for, and how that is known."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from inflint.model.environment import Environment

_LOCKS = ("uv.lock", "poetry.lock", "pdm.lock")
_MARKS = (".git", ".hg")


class TargetError(ValueError):
    """The given target is no release and no range of releases."""


@dataclass(frozen=True)
class Target:
    """The releases to check against.

    Attributes:
        versions: One release, or both ends of a range, oldest first.
        why: Where that was found.
    """

    versions: tuple[str, ...]
    why: str


def find_target(
    option: str | None,
    start: Path,
    environment: Environment,
    package: str,
    shipped: Iterable[str],
) -> Target:
    """The target of a project.

    ``--target-ray``, then ``target-ray`` in ``[tool.inflint]``, then lock and requirement
    files, then the installed release, then the newest one that is known.

    Args:
        option: The command line's target.
        start: A directory of the project; its parents are searched up to the repository.
        environment: Where the package may be installed.
        package: Its name.
        shipped: The releases that snapshots exist of.

    Raises:
        TargetError: ``option`` or the configured target cannot be understood.
    """
    known = sorted(shipped, key=Version)
    if option is not None:
        return Target(_ends(option, known), "--target-ray")
    for directory in _directories(start):
        found = _configured(directory, package, known)
        if found is not None:
            return found
    version = installed_version(environment, package)
    if version is not None:
        return Target((version,), "installed")
    newest = known[-1:] or ["0"]
    return Target((newest[0],), "the newest release that inflint knows")


def installed_version(environment: Environment, package: str) -> str | None:
    """The installed release of a package, by its metadata's directory name."""
    for root in environment.roots:
        for info in sorted(root.glob(f"{package}-*.dist-info")):
            match = re.fullmatch(rf"{package}-(.+)\.dist-info", info.name)
            if match is not None and (root / package).is_dir():
                return match[1]
    return None


def _directories(start: Path) -> Iterator[Path]:
    for directory in (start, *start.parents):
        yield directory
        if any((directory / mark).exists() for mark in _MARKS):
            return


def _configured(directory: Path, package: str, known: list[str]) -> Target | None:
    project = _toml(directory / "pyproject.toml")
    chosen = project.get("tool", {}).get("inflint", {}).get(f"target-{package}")
    if chosen is not None:
        return Target(_ends(str(chosen), known), str(directory / "pyproject.toml"))
    for name in _LOCKS:
        for entry in _toml(directory / name).get("package", ()):
            if isinstance(entry, dict) and entry.get("name") == package and "version" in entry:
                return Target((str(entry["version"]),), str(directory / name))
    for path, line in _requirements(directory, project):
        specifier = _specifier(line, package)
        if specifier:
            return Target(_ends(specifier, known), str(path))
    return None


def _requirements(directory: Path, project: dict[str, Any]) -> Iterator[tuple[Path, str]]:
    for path in sorted(directory.glob("requirements*.txt")):
        try:
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            continue
        yield from ((path, line) for line in lines)
    table = project.get("project", {})
    groups = [table.get("dependencies", ()), *table.get("optional-dependencies", {}).values()]
    for group in groups:
        yield from ((directory / "pyproject.toml", str(line)) for line in group)


def _specifier(line: str, package: str) -> str:
    try:
        requirement = Requirement(line.partition("#")[0].partition(" --")[0].strip())
    except InvalidRequirement:
        return ""
    return str(requirement.specifier) if requirement.name.lower() == package else ""


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError):
        return {}


def _ends(text: str, known: list[str]) -> tuple[str, ...]:
    """A release, or the ends of a range among the known releases."""
    try:
        return (str(Version(text)),)
    except InvalidVersion:
        pass
    try:
        specifiers = SpecifierSet(text)
    except InvalidSpecifier:
        raise TargetError(f"target {text!r} is neither a release nor a range of releases") from None
    exact = [s.version for s in specifiers if s.operator in {"==", "==="} and "*" not in s.version]
    if exact:
        return (exact[0],)
    within = [v for v in known if Version(v) in specifiers]
    if not within:
        raise TargetError(f"no known release is in the range {text!r}")
    return tuple(dict.fromkeys((within[0], within[-1])))
