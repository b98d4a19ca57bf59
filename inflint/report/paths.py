"""How paths are shown: to people from where they stand, to servers from the repository's root."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

_MARKS = (".git", ".hg")
_CONTROLS = {code: repr(chr(code))[1:-1] for code in (*range(32), 127, 0x85, 0x2028, 0x2029)}


def shown(path: Path) -> str:
    """The path as a user would type it, with forward slashes."""
    return _below(path, Path.cwd())


def one_line(text: str) -> str:
    """The text with its line ends and other control characters as escapes."""
    return text.translate(_CONTROLS)


def in_repository(path: Path) -> str:
    """The path from the root of the repository around the current directory.

    Without a repository, from the current directory; absolute where the file is not below.
    """
    return _below(path, _root(Path.cwd()))


def _below(path: Path, directory: Path) -> str:
    try:
        return path.relative_to(directory).as_posix()
    except ValueError:
        return path.as_posix()


@lru_cache(maxsize=64)
def _root(start: Path) -> Path:
    for directory in (start, *start.parents):
        if any((directory / mark).exists() for mark in _MARKS):
            return directory
    return start


def place(path: Path, cell: int | None, *numbers: int) -> str:
    """A place as editors and people read it: ``path:line:column``, ``path:cell 3:line``."""
    parts = [one_line(shown(path)), *([] if cell is None else [f"cell {cell}"]), *map(str, numbers)]
    return ":".join(parts)
