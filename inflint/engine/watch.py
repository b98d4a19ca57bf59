"""When to look again: what changes below the paths, and in the rest of their project."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from inflint.sources.globs import SKIPPED
from inflint.sources.locate import project_root

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

_PATTERNS = ("*.py", "*.ipynb", "*.md", "*.toml", "*.lock", "requirements*.txt", ".gitignore")
_PAUSE_MS = 100


class NoWatcherError(ValueError):
    """The library that watches files is not installed."""


def changes(paths: Iterable[Path], besides: Collection[Path] = ()) -> Iterator[frozenset[Path]]:
    """What has changed, each time that something has, first of all nothing.

    What changes while the caller is busy with one set is in the next. Bases in other files of
    a project count, and so do its configuration and the release that it asks for.

    Args:
        paths: Files and directories.
        besides: Files that do not count, by absolute path, such as reports.

    Raises:
        NoWatcherError: The extra ``watch`` is not installed.
        KeyboardInterrupt: The user ends it.
    """
    try:
        from watchfiles import watch  # type: ignore[import-not-found, unused-ignore] # an extra
    except ImportError:
        raise NoWatcherError("--watch needs watchfiles: pip install 'inflint[watch]'") from None
    tops = roots(paths)
    started = False
    for found in watch(
        *tops,
        watch_filter=lambda _, path: matters(Path(path), tops, besides),
        rust_timeout=_PAUSE_MS,
        yield_on_timeout=True,  # the watcher is at work when the first set is handed out
    ):
        if found or not started:
            started = True
            yield frozenset(Path(path) for _, path in found)


def roots(paths: Iterable[Path]) -> list[Path]:
    """The directories to watch: the projects around the paths, none of them inside another."""
    tops: set[Path] = set()
    for path in paths:
        absolute = Path(os.path.abspath(path))  # noqa: PTH100 - keeps links
        directory = absolute if absolute.is_dir() else absolute.parent
        tops.add(project_root(directory) or directory)
    return sorted(top for top in tops if not tops.intersection(top.parents))


def matters(path: Path, tops: Iterable[Path], besides: Collection[Path] = ()) -> bool:
    """Whether a change of a file may change what is found.

    Args:
        path: The file.
        tops: The directories that are watched; what they are called does not count.
        besides: Files that do not.
    """
    top = next((top for top in tops if top in path.parents), None)
    inside = () if top is None else path.relative_to(top).parts[:-1]
    known = any(fnmatchcase(path.name, pattern) for pattern in _PATTERNS)
    return known and path not in besides and not set(SKIPPED).intersection(inside)
