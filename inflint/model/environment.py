"""The environment that the linted code imports from, found as directories and only read.

Nothing of it is imported or run: a package is a directory with text in it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from inflint.sources.disk import Disk

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARKS = (".git", ".hg")


class NoEnvironmentError(ValueError):
    """The given environment does not exist, or is none."""


class Environment(NamedTuple):
    """Directories that ``import`` would search, in order.

    Attributes:
        roots: site-packages and what ``.pth`` files in them add, such as a project that is
            installed editable.
        installed: site-packages alone.
        standard_library: Names of the standard library's top-level modules, which bring
            neither components nor reads.
        origin: How it was found, for ``--verbose``.
    """

    roots: tuple[Path, ...]
    installed: tuple[Path, ...]
    standard_library: frozenset[str]
    origin: str


def find_environment(python: str | None, project: Path, disk: Disk | None = None) -> Environment:
    """The environment named by ``--python``, or the one in use.

    Without a name: ``VIRTUAL_ENV``, then ``.venv`` in the project, then the interpreter
    that runs inflint.

    Args:
        python: An interpreter, or a virtual environment's directory.
        project: From where upwards ``.venv`` is looked for, to the repository's root.
        disk: Where to look.

    Raises:
        NoEnvironmentError: ``python`` names neither.
    """
    disk = disk or Disk()
    chosen = chosen_environment(python, disk)
    if chosen is not None:
        return chosen
    found = (project_environment(d, disk) for d in within_repository(project, disk))
    return next((e for e in found if e is not None), None) or running_environment(disk)


def chosen_environment(python: str | None, disk: Disk) -> Environment | None:
    """The environment that the user names, by ``--python`` or by activating it.

    Raises:
        NoEnvironmentError: ``python`` names none.
    """
    if python is not None:
        return _environment(_prefix(Path(python), disk), "--python", disk)
    active = os.environ.get("VIRTUAL_ENV")
    if active and _site_packages(Path(active), disk):
        return _environment(Path(active), "VIRTUAL_ENV", disk)
    return None


def project_environment(directory: Path, disk: Disk) -> Environment | None:
    """The environment in a directory's ``.venv``."""
    prefix = directory / ".venv"
    if disk.is_directory(str(prefix)) and _site_packages(prefix, disk):
        return _environment(prefix, ".venv", disk)
    return None


def running_environment(disk: Disk) -> Environment:
    """The environment of the interpreter that runs inflint."""
    roots = tuple(Path(p) for p in sys.path if p.endswith(("site-packages", "dist-packages")))
    return _of_roots(roots, "the running interpreter", disk)


def within_repository(start: Path, disk: Disk) -> Iterator[Path]:
    """A directory and those above it, up to the root of its repository."""
    for directory in (start, *start.parents):
        yield directory
        if is_repository(directory, disk):
            return


def is_repository(directory: Path, disk: Disk) -> bool:
    """Whether a repository begins here."""
    return any(disk.exists(str(directory / mark)) for mark in _MARKS)


def environment_of(root: Path, origin: str) -> Environment:
    """An environment of one directory."""
    return Environment((root,), (root,), sys.stdlib_module_names, origin)


def _prefix(path: Path, disk: Disk) -> Path:
    for prefix in (path, path.parent.parent):
        if _site_packages(prefix, disk):
            return prefix
    if disk.is_file(str(path)):  # a shim or symlink farm: its target knows better
        target = path.resolve().parent.parent
        if _site_packages(target, disk):
            return target
    raise NoEnvironmentError(f"{path}: no Python environment there (no site-packages found)")


def _site_packages(prefix: Path, disk: Disk) -> tuple[Path, ...]:
    candidates = [prefix / "Lib" / "site-packages"]
    for lib in disk.names(str(prefix), "lib*"):
        for python in disk.names(str(prefix / lib), "python3*"):
            candidates.append(prefix / lib / python / "site-packages")
            if lib == "lib":
                candidates.append(prefix / lib / python / "dist-packages")
    found = [p for p in sorted(candidates, reverse=True) if disk.is_directory(str(p))]
    return tuple({p.resolve(): p for p in found}.values())


def _environment(prefix: Path, origin: str, disk: Disk) -> Environment:
    return _of_roots(_site_packages(prefix, disk), origin, disk)


def _of_roots(roots: tuple[Path, ...], origin: str, disk: Disk) -> Environment:
    return Environment(_with_pth(roots, disk), roots, sys.stdlib_module_names, origin)


def _with_pth(roots: tuple[Path, ...], disk: Disk) -> tuple[Path, ...]:
    """Add what ``.pth`` files name, as editable installs do."""
    found = dict.fromkeys(roots)
    for root in roots:
        for name in disk.names(str(root), "*.pth"):
            for line in (disk.text(root / name) or "").splitlines():
                if line.strip() and not line.startswith(("#", "import ", "import\t")):
                    directory = root / line.strip()
                    if disk.is_directory(str(directory)):
                        found[directory] = None
    return tuple(found)
