"""Where the cache is, and how an entry of it is read and written.

An entry is one file: a line with the digest of the rest, then the rest. It appears whole or
not at all, as it is written beside its place and moved there; so several runs may share a
cache, and one that is killed leaves at most a stray file behind. What cannot be read is
taken to be absent.
"""

# Imported before anything is known of a run: so neither pathlib nor typing, and plain text.
# ruff: noqa: PTH100, PTH103, PTH105, PTH110, PTH111, PTH112, PTH118, PTH120, PTH123
from __future__ import annotations

import os
import sys
import time

from inflint import __version__
from inflint.digest import digest

NAME = ".inflint_cache"
TAG = "CACHEDIR.TAG"
VARIABLE = "INFLINT_CACHE_DIR"
_README = "# Made by inflint; 'inflint clean' deletes it.\n*\n"
_TAGGED = (
    "Signature: 8a477f597d28d172789f06886806bc55\n# This is a cache directory made by inflint.\n"
)
_MARKS = (".git", ".hg", "pyproject.toml", "setup.py", "setup.cfg")
_USED = 24 * 3600 * 10**9
"""Nanoseconds after which an entry that is read is marked as used."""


def cache_directory(chosen: str | None, start: str) -> str:
    """The cache of a project.

    ``chosen``, then ``INFLINT_CACHE_DIR``, then ``.inflint_cache`` in the project's root;
    where there is no project, or it cannot be written to, the platform's place for caches.

    Args:
        chosen: The command line's choice.
        start: The absolute path of a directory of the project.
    """
    chosen = chosen or os.environ.get(VARIABLE)
    if chosen:
        return os.path.abspath(chosen)
    above, below = start, ""
    while above != below:
        if any(os.path.exists(os.path.join(above, mark)) for mark in _MARKS):
            if os.access(above, os.W_OK):
                return os.path.join(above, NAME)
            break
        above, below = os.path.dirname(above), above
    return os.path.join(_platform_directory(), digest(os.fsencode(start))[:16])


def _platform_directory() -> str:
    """Where this platform keeps caches."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~/AppData/Local")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "inflint")


def place(directory: str) -> str:
    """The part of a cache that holds what this inflint, on this Python, has written."""
    return os.path.join(directory, f"{__version__}-{_maker()}")


def read(path: str) -> bytes | None:
    """The content of an entry, which is marked as used; None where there is none."""
    try:
        with open(path, "rb") as file:
            claimed = file.readline().strip()
            data = file.read()
            status = os.fstat(file.fileno())
    except OSError:
        return None
    if claimed != digest(data).encode("ascii"):
        return None
    if time.time_ns() - status.st_mtime_ns > _USED:
        try:
            os.utime(path)
        except OSError:
            return data  # a cache that may only be read
    return data


def write(directory: str, path: str, data: bytes) -> None:
    """Write an entry.

    Args:
        directory: The cache; it need not exist.
        path: The entry's place in it.
        data: The content.

    Raises:
        OSError: It cannot be written.
    """
    draft = f"{path}.{os.getpid()}.new"
    _prepare(directory, os.path.dirname(path))
    with open(draft, "wb") as file:
        file.write(digest(data).encode("ascii") + b"\n")
        file.write(data)
    os.replace(draft, path)


def _prepare(top: str, directory: str) -> None:
    if os.path.isdir(directory):
        return
    os.makedirs(directory, exist_ok=True)
    for name, text in ((".gitignore", _README), (TAG, _TAGGED)):
        path = os.path.join(top, name)
        if not os.path.exists(path):
            with open(path, "w", encoding="ascii") as file:
                file.write(text)


def _maker() -> str:
    """What made an entry, besides the version: the Python, and a checkout's own state."""
    parts = [sys.implementation.cache_tag or "", _libcst()]
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if not os.path.isdir(os.path.join(package, "rules")):  # a checkout changes without its version
        for top in (package, os.path.join(os.path.dirname(package), "rules")):
            parts += _stamps(top)
    return digest("|".join(parts).encode())[:12]


def _stamps(top: str) -> list[str]:
    """Names, times and sizes of code and data below a directory."""
    found, stack = [], [top]
    while stack:
        try:
            entries = list(os.scandir(stack.pop()))
        except OSError:
            continue
        for entry in entries:
            if entry.name.endswith((".py", ".toml", ".txt", ".gz")):
                status = entry.stat()
                found.append(f"{entry.path} {status.st_mtime_ns} {status.st_size}")
            elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                stack.append(entry.path)
    return sorted(found)


def _libcst() -> str:
    """Which LibCST is installed, without importing it."""
    for directory in sys.path:
        try:
            with open(os.path.join(directory or ".", "libcst", "_version.py"), "rb") as file:
                return file.read().decode("utf-8", "replace")
        except OSError:  # noqa: PERF203 - most often it is the last place
            continue
    return ""
