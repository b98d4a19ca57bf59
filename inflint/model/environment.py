"""The environment that the linted code imports from, found as directories and only read.

Nothing of it is imported or run: a package is a directory with text in it.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path


class NoEnvironmentError(ValueError):
    """The given environment does not exist, or is none."""


@dataclass(frozen=True)
class Environment:
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


def find_environment(python: str | None, project: Path) -> Environment:
    """The environment named by ``--python``, or the one in use.

    Without a name: ``VIRTUAL_ENV``, then ``.venv`` in the project, then the interpreter
    that runs inflint.

    Args:
        python: An interpreter, or a virtual environment's directory.
        project: Where ``.venv`` is looked for.

    Raises:
        NoEnvironmentError: ``python`` names neither.
    """
    if python is not None:
        return _environment(_prefix(Path(python)), "--python")
    active = os.environ.get("VIRTUAL_ENV")
    if active and _site_packages(Path(active)):
        return _environment(Path(active), "VIRTUAL_ENV")
    if _site_packages(project / ".venv"):
        return _environment(project / ".venv", ".venv")
    roots = tuple(Path(p) for p in sys.path if p.endswith(("site-packages", "dist-packages")))
    return Environment(_with_pth(roots), roots, sys.stdlib_module_names, "the running interpreter")


def environment_of(root: Path, origin: str) -> Environment:
    """An environment of one directory."""
    return Environment((root,), (root,), sys.stdlib_module_names, origin)


def _prefix(path: Path) -> Path:
    for prefix in (path, path.parent.parent):
        if _site_packages(prefix):
            return prefix
    if path.is_file():  # a shim or symlink farm: its target knows better
        target = path.resolve().parent.parent
        if _site_packages(target):
            return target
    raise NoEnvironmentError(f"{path}: no Python environment there (no site-packages found)")


def _site_packages(prefix: Path) -> tuple[Path, ...]:
    candidates = [*prefix.glob("lib*/python3*/site-packages"), prefix / "Lib" / "site-packages"]
    candidates += prefix.glob("lib/python3*/dist-packages")
    unique = {p.resolve(): p for p in sorted(candidates, reverse=True) if p.is_dir()}
    return tuple(unique.values())


def _environment(prefix: Path, origin: str) -> Environment:
    roots = _site_packages(prefix)
    return Environment(_with_pth(roots), roots, sys.stdlib_module_names, origin)


def _with_pth(roots: tuple[Path, ...]) -> tuple[Path, ...]:
    """Add what ``.pth`` files name, as editable installs do."""
    found = dict.fromkeys(roots)
    for root in roots:
        for pth in sorted(root.glob("*.pth")):
            try:
                lines = pth.read_text(encoding="utf-8", errors="replace").splitlines()
            except OSError:
                continue
            for line in lines:
                if line.strip() and not line.startswith(("#", "import ", "import\t")):
                    directory = root / line.strip()
                    if directory.is_dir():
                        found[directory] = None
    return tuple(found)
