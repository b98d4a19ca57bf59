"""Files of a project that may derive from classes in others, found by their bytes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inflint.sources.discover import discover
from inflint.sources.summary import summarise

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

_MARKS = ("pyproject.toml", "setup.py", "setup.cfg", ".git", ".hg")
_WORD = re.compile(r"\w+")


def heirs(names: Iterable[str], files: Collection[Path]) -> tuple[Path, ...]:
    """Files around the given ones with classes that may derive from one of those names.

    They are looked for in the project of each file: the next directory upwards that says so
    by its ``pyproject.toml``, ``setup.py`` or repository. Without one, nothing is.

    Args:
        names: Bare names of classes.
        files: Files that are known already; they are left out.
    """
    roots = {root for root in map(_project, files) if root is not None}
    wanted = set(names)
    if not roots or not wanted:
        return ()
    known = frozenset(files)
    rest = {}
    for path in discover(roots):
        data = b"" if path in known else _read(path)
        if b"class" in data:
            rest[path] = summarise(data)
    found: dict[Path, None] = {}
    while True:
        before = len(found), len(wanted)
        for path, summary in rest.items():
            wanted.update(other for name, other in summary.aliases if name in wanted)
            for name, bases in summary.classes:
                if not wanted.isdisjoint(_WORD.findall(bases)):
                    found[path] = None
                    wanted.add(name)
        if before == (len(found), len(wanted)):
            return tuple(found)


def _project(path: Path) -> Path | None:
    for directory in path.parents:
        if any((directory / mark).exists() for mark in _MARKS):
            return directory
    return None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
