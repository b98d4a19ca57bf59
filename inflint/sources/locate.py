"""Which file a module is, for the file that imports it. Nothing is imported, nor indexed."""

# Plain text instead of Path objects: this runs thousands of times.
# ruff: noqa: PTH118, PTH120, PTH206
from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from inflint.sources.disk import Disk

if TYPE_CHECKING:
    from collections.abc import Iterable

_PROJECT_MARKS = (".git", ".hg", "pyproject.toml", "setup.py", "setup.cfg")


class Locator:
    """Finds modules: in the project of the importing file, then in the environment.

    Args:
        roots: Directories of the environment that an import searches, in order.
        installed: Those of them that hold installed packages.
        shadowed: A package that is not looked for among the installed ones, unless by one
            of them: its classes are known without its files.
        disk: Where to look.
    """

    def __init__(
        self,
        roots: Iterable[Path],
        installed: Iterable[Path],
        shadowed: str | None = None,
        disk: Disk | None = None,
    ) -> None:
        self.disk = disk or Disk()
        self._roots = [str(root) for root in roots]
        self._installed = {str(root) for root in installed}
        self._shadowed = shadowed
        self._modules: dict[str, Path | None] = {}
        self._found: dict[tuple[str, str], Path | None] = {}
        self._project_roots: dict[str, tuple[str, ...]] = {}
        self._inside: dict[str, bool] = {}
        self._directories: dict[Path, str] = {}
        self._tops: dict[tuple[str, str], bool] = {}
        self._own: dict[tuple[str, str], bool] = {}
        self._outermost: dict[str, str] = {}
        self._upwards: dict[str, tuple[str, ...] | None] = {}

    def locate(self, dotted: str, origin: Path) -> Path | None:
        """The file of a module as the file ``origin`` would import it; leading dots count."""
        module = dotted.lstrip(".")
        level = len(dotted) - len(module)
        if not level:
            return self.search(module, origin)
        directory = origin.parents[level - 1] if level <= len(origin.parents) else origin.parent
        return self.module_at(os.path.join(directory, *filter(None, module.split("."))))

    def search(self, dotted: str, origin: Path) -> Path | None:
        """The file of a module by its absolute name."""
        directory = self._directory(origin)
        key = (dotted, directory)
        if key not in self._found:
            relative = dotted.replace(".", os.sep)
            top = dotted.partition(".")[0]
            places = (p for p in self._places(top, directory) if self._has_top(p, top))
            hits = (self.module_at(os.path.join(place, relative)) for place in places)
            self._found[key] = next((hit for hit in hits if hit is not None), None)
        return self._found[key]

    def _directory(self, path: Path) -> str:
        if path not in self._directories:
            self._directories[path] = str(path.parent)
        return self._directories[path]

    def _has_top(self, place: str, top: str) -> bool:
        key = (place, top)
        if key not in self._tops:
            stem = os.path.join(place, top)
            self._tops[key] = self.disk.is_directory(stem) or self.disk.is_file(f"{stem}.py")
        return self._tops[key]

    def _places(self, top: str, directory: str) -> list[str]:
        parts = directory.split(os.sep)
        outer = [
            os.sep.join(parts[:n]) or os.sep
            for n in range(len(parts) - 1, 0, -1)
            if parts[n] == top
        ]
        places = [*self._directory_roots(directory), *outer, *self._roots]
        if top == self._shadowed and not self.is_inside(directory):
            places = [place for place in places if place not in self._installed]
        return list(dict.fromkeys(places))

    def is_own(self, top: str, origin: Path) -> bool:
        """Whether the project of a file has a package of that name itself."""
        directory = self._directory(origin)
        key = (top, directory)
        if key not in self._own:
            roots = self._directory_roots(directory)
            own = (root for root in roots if root not in self._installed)
            self._own[key] = any(self._has_top(root, top) for root in own)
        return self._own[key]

    def is_inside(self, directory: str) -> bool:
        """Whether a directory stands below one of installed packages."""
        if directory not in self._inside:
            above = f"{directory}{os.sep}"
            self._inside[directory] = any(above.startswith(f"{i}{os.sep}") for i in self._installed)
        return self._inside[directory]

    def module_at(self, stem: str) -> Path | None:
        """The package or module of which ``stem`` is the path without its suffix."""
        if stem not in self._modules:
            candidates = (os.path.join(stem, "__init__.py"), f"{stem}.py")
            found = next((c for c in candidates if self.disk.is_file(c)), None)
            self._modules[stem] = None if found is None else Path(found)
        return self._modules[stem]

    def module_name(self, path: Path) -> str:
        """The dotted name of a file, by the packages (``__init__.py``) it stands in."""
        parts = [] if path.name == "__init__.py" else [path.stem]
        directory = path.parent
        while self._is_package(str(directory)) and directory != directory.parent:
            parts.insert(0, directory.name)
            directory = directory.parent
        return ".".join(parts)

    def project_roots(self, path: Path) -> tuple[str, ...]:
        """Directories from which the project of a file may import, nearest first.

        Those are the parent of its outermost package, the directories from there up to the
        project's root (namespace packages), that root's ``src``, and the file's own directory
        (scripts).
        """
        return self._directory_roots(str(path.parent))

    def _directory_roots(self, directory: str) -> tuple[str, ...]:
        if directory not in self._project_roots:
            top = self._package_top(directory)
            roots = dict.fromkeys((*(self._up_to_mark(top) or (top,)), directory))
            self._project_roots[directory] = tuple(roots)
        return self._project_roots[directory]

    def _package_top(self, directory: str) -> str:
        """The first directory upwards that is no package."""
        if directory not in self._outermost:
            above = os.path.dirname(directory)
            inside = self._is_package(directory) and above != directory
            self._outermost[directory] = self._package_top(above) if inside else directory
        return self._outermost[directory]

    def _up_to_mark(self, directory: str) -> tuple[str, ...] | None:
        """The directories up to the project's root, and its ``src``; None without a project."""
        if directory not in self._upwards:
            above = os.path.dirname(directory)
            found: tuple[str, ...] | None = None
            if self._is_marked(directory):
                found = directory, os.path.join(directory, "src")
            elif above != directory:
                more = self._up_to_mark(above)
                found = None if more is None else (directory, *more)
            self._upwards[directory] = found
        return self._upwards[directory]

    def _is_marked(self, directory: str) -> bool:
        return any(self.disk.exists(os.path.join(directory, m)) for m in _PROJECT_MARKS)

    def _is_package(self, directory: str) -> bool:
        return self.disk.is_file(os.path.join(directory, "__init__.py"))


def project_root(directory: Path) -> Path | None:
    """The nearest directory upwards that looks like the root of a project."""
    for ancestor in (directory, *directory.parents):
        if any((ancestor / mark).exists() for mark in _PROJECT_MARKS):
            return ancestor
    return None
