"""Which release of the framework the code is meant for, and how that is known."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from packaging.version import InvalidVersion, Version

from inflint.model.environment import within_repository
from inflint.sources.disk import Disk

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from inflint.model.environment import Environment

_LOCKS = ("uv.lock", "poetry.lock", "pdm.lock")


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
    disk: Disk | None = None,
) -> Target:
    """The target of a project.

    ``--target-ray`` or ``target-ray`` in the configuration, then lock and requirement files,
    then the installed release, then the newest one that is known.

    Args:
        option: What the user says.
        start: A directory of the project; its parents are searched up to the repository.
        environment: Where the package may be installed.
        package: Its name.
        shipped: The releases that snapshots exist of.
        disk: Where to look.

    Raises:
        TargetError: ``option`` cannot be understood.
    """
    disk = disk or Disk()
    known = sorted(shipped, key=Version)
    if option is not None:
        return named_target(option, known, f"--target-{package}")
    pinned = (pinned_target(d, package, known, disk) for d in within_repository(start, disk))
    found = next((t for t in pinned if t is not None), None)
    return found or installed_target(environment, package, known, disk)


def named_target(text: str, known: Iterable[str], why: str) -> Target:
    """The target that a release or a range means.

    Raises:
        TargetError: It is neither.
    """
    return Target(_ends(text, sorted(known, key=Version)), why)


def installed_target(
    environment: Environment, package: str, known: Iterable[str], disk: Disk
) -> Target:
    """The installed release, or else the newest one that is known."""
    version = installed_version(environment, package, disk)
    if version is not None:
        return Target((version,), "installed")
    newest = sorted(known, key=Version)[-1:] or ["0"]
    return Target((newest[0],), "the newest release that inflint knows")


def installed_version(
    environment: Environment, package: str, disk: Disk | None = None
) -> str | None:
    """The installed release of a package, by its metadata's directory name."""
    disk = disk or Disk()
    for root in environment.roots:
        for info in disk.names(str(root), f"{package}-*.dist-info"):
            match = re.fullmatch(rf"{package}-(.+)\.dist-info", info)
            if match is not None and disk.is_directory(str(root / package)):
                return match[1]
    return None


def pinned_target(directory: Path, package: str, known: Iterable[str], disk: Disk) -> Target | None:
    """What the lock and requirement files of a directory say."""
    for name in _LOCKS:
        for entry in _toml(directory / name, package, disk).get("package", ()):
            if isinstance(entry, dict) and entry.get("name") == package and "version" in entry:
                return Target((str(entry["version"]),), str(directory / name))
    for path, line in _requirements(directory, package, disk):
        specifier = _specifier(line, package)
        if specifier:
            return Target(_ends(specifier, sorted(known, key=Version)), str(path))
    return None


def _requirements(directory: Path, package: str, disk: Disk) -> Iterator[tuple[Path, str]]:
    for name in disk.names(str(directory), "requirements*.txt"):
        lines = (disk.text(directory / name) or "").splitlines()
        yield from ((directory / name, line) for line in lines)
    table = _toml(directory / "pyproject.toml", package, disk).get("project", {})
    groups = [table.get("dependencies", ()), *table.get("optional-dependencies", {}).values()]
    for group in groups:
        yield from ((directory / "pyproject.toml", str(line)) for line in group)


def _specifier(line: str, package: str) -> str:
    if package not in line.lower():
        return ""
    from packaging.requirements import InvalidRequirement, Requirement  # slow to import

    try:
        requirement = Requirement(line.partition("#")[0].partition(" --")[0].strip())
    except InvalidRequirement:
        return ""
    return str(requirement.specifier) if requirement.name.lower() == package else ""


def _toml(path: Path, word: str, disk: Disk) -> dict[str, Any]:
    """A TOML file that has a word in it; nothing otherwise."""
    try:
        data = disk.read(path)
        return tomllib.loads(data.decode("utf-8")) if word.encode() in data else {}
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError):
        return {}


def _ends(text: str, known: list[str]) -> tuple[str, ...]:
    """A release, or the ends of a range among the known releases."""
    try:
        return (str(Version(text)),)
    except InvalidVersion:
        pass
    from packaging.specifiers import InvalidSpecifier, SpecifierSet  # slow to import

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
