"""What the file system was like for a run, in a form that is quickly compared.

Most of what a run asks is whether there is a file, and mostly there is none. A directory that
has the times it had holds the names that it held; so it is enough to look at the directories
in which files were listed, at the files that were read, and at the few places of which
nothing is known that way.
"""

# Imported before anything is known of a run: so neither pathlib nor typing, and plain text.
# ruff: noqa: PTH112, PTH113, PTH116, PTH120, PTH208
from __future__ import annotations

import os

from inflint.digest import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from inflint.sources.disk import Answer, Disk, Question

_PARTS, _NAMES, _LIST = b"\0\0", "\0", "/"


def record(disks: Iterable[Disk], began: int, settled: int) -> bytes | None:
    """The state that some disks have seen.

    Args:
        disks: What a run has asked.
        began: When it began, in nanoseconds.
        settled: Nanoseconds after a change within which another one may leave the same time.

    Returns:
        What :func:`holds` takes; None where something has changed since shortly before the
        run, or was not to be read.
    """
    stamped: dict[str, None] = {}
    asked: dict[Question, Answer] = {}
    for disk in disks:
        if disk.torn:
            return None
        asked.update(disk.answers)
        stamped.update(dict.fromkeys(disk.listed))
        for path, seen in disk.seen.items():
            if seen.digest:
                stamped[path] = None
            else:
                asked["exists", path, ""] = False
    places = _Places(stamped)
    try:
        if not all(places.add(*question, answer) for question, answer in asked.items()):
            return None
        stamp, newest = _stamp(stamped)
    except OSError:
        return None
    if newest > began - settled:
        return None
    names = (stamped, places.absent, places.present, places.directories, places.lists)
    return _PARTS.join((stamp, *(os.fsencode(_NAMES.join(some)) for some in names)))


def holds(state: bytes) -> bool:
    """Whether all is as it was.

    Raises:
        OSError, ValueError: Something is gone, or this is no state.
    """
    stamp, *parts = state.split(_PARTS)
    stamped, absent, present, directories, lists = (
        os.fsdecode(part).split(_NAMES) if part else [] for part in parts
    )
    return (
        not any(map(_exists, absent))
        and all(map(_exists, present))
        and all(map(os.path.isdir, directories))
        and all(map(_is_list, lists[::3], lists[1::3], lists[2::3]))
        and _stamp(stamped)[0] == stamp
    )


class _Places:
    """Answers that the times of files and directories do not give.

    Args:
        stamped: Files and directories whose times are compared, to which files are added.

    Attributes:
        absent: Where there is nothing.
        present: Where there is something.
        directories: Where there is a directory.
        lists: Directories, patterns of names and the names there: three texts each, none empty.
    """

    def __init__(self, stamped: dict[str, None]) -> None:
        self._stamped = stamped
        self._known: dict[str, bool] = {}
        self.absent: list[str] = []
        self.present: list[str] = []
        self.directories: list[str] = []
        self.lists: list[str] = []

    def add(self, kind: str, path: str, pattern: str, answer: Answer) -> bool:
        """Add an answer; whether it is still the right one."""
        if isinstance(answer, list):
            names = _LIST + _LIST.join(answer)
            self.lists += (path, pattern, names)
            return _is_list(path, pattern, names)
        if answer is False and self._is_known_absent(path):
            return True
        there, directory, file = _exists(path), os.path.isdir(path), os.path.isfile(path)
        if {"exists": there, "is_directory": directory, "is_file": file}[kind] != answer:
            return False
        if not there:
            self.absent.append(path)
        elif kind == "exists":
            self.present.append(path)
        elif directory:
            self.directories.append(path)
        else:
            self._stamped[path] = None
        return True

    def _is_known_absent(self, path: str) -> bool:
        """Whether a path is absent as long as a directory above it stays as it is."""
        if path not in self._known:
            above = os.path.dirname(path)
            if os.path.lexists(path):
                self._known[path] = False
            else:
                self._known[path] = above in self._stamped or (
                    above != path and self._is_known_absent(above)
                )
        return self._known[path]


def _is_list(directory: str, pattern: str, names: str) -> bool:
    """Whether those names in a directory that match a pattern with one star are still these."""
    first, _, last = pattern.partition("*")
    try:
        found = os.listdir(directory)
    except OSError:
        found = []
    matching = (name for name in found if name.startswith(first) and name.endswith(last))
    return _LIST + _LIST.join(sorted(matching)) == names


def _exists(path: str) -> bool:
    return os.access(path, os.F_OK)


def _stamp(paths: Iterable[str]) -> tuple[bytes, int]:
    """The times, sizes and inodes of files and directories in short, and the newest time.

    It is the time of the last change to the inode, which nobody can set: an edit of the
    content, or of the names in a directory, always shows.
    """
    found: list[int] = []
    for path in paths:
        status = os.stat(path)
        found += (status.st_ctime_ns, status.st_size, status.st_ino, status.st_dev)
    return digest(repr(found).encode()).encode(), max(found[::4], default=0)
