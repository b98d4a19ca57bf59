"""The cache on disk: small JSON files that anyone may delete, damage or write at any time.

An entry is one file: a line with the digest of the rest, then the rest. It appears whole or
not at all, as it is written beside its place and moved there; so several runs may share a
cache, and one that is killed leaves at most a stray file behind. What cannot be read is
taken to be absent. Nothing in an entry is ever executed: it is no pickle.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from inflint import __version__
from inflint.data import rules_directory
from inflint.sources.disk import Disk, digest

NAME = ".inflint_cache"
TAG = "CACHEDIR.TAG"
VARIABLE = "INFLINT_CACHE_DIR"
LARGEST = 64 * 1024 * 1024
"""Bytes that a cache may take before those entries go that were not used for longest."""
_README = "# Made by inflint; 'inflint clean' deletes it.\n*\n"
_TAGGED = (
    "Signature: 8a477f597d28d172789f06886806bc55\n# This is a cache directory made by inflint.\n"
)
_MARKS = (".git", ".hg", "pyproject.toml", "setup.py", "setup.cfg")
_USED = 24 * 3600 * 10**9
"""Nanoseconds after which an entry that is read is marked as used."""


class Store:
    """Entries by kind and key.

    Args:
        directory: Where they are; it need not exist, and may be read-only.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._place = directory / f"{__version__}-{_maker()}"
        self._writable = True
        self._wrote = 0

    def get(self, kind: str, key: str) -> Any:
        """An entry, or None."""
        path = self._path(kind, key)
        try:
            with open(path, "rb") as file:  # noqa: PTH123 - on the way to each result
                claimed = file.readline().strip()
                data = file.read()
                status = os.fstat(file.fileno())
            if claimed != digest(data).encode("ascii"):
                return None
            found = json.loads(data)
        except (OSError, ValueError, RecursionError):
            return None
        self._mark_used(path, status)
        return found

    def put(self, kind: str, key: str, value: object) -> None:
        """Write an entry, as far as that is possible."""
        if not self._writable:
            return
        try:
            data = json.dumps(value, separators=(",", ":")).encode("ascii")
        except (TypeError, ValueError, RecursionError):
            return
        path = self._path(kind, key)
        draft = f"{path}.{os.getpid()}.new"
        try:
            self._prepare(os.path.dirname(path))  # noqa: PTH120 - plain text, as above
            with open(draft, "wb") as file:  # noqa: PTH123
                file.write(digest(data).encode("ascii") + b"\n")
                file.write(data)
            os.replace(draft, path)  # noqa: PTH105
        except OSError:
            self._writable = False
        else:
            self._wrote += len(data)

    def close(self) -> None:
        """Keep the cache within its bounds. Entries that other versions wrote count, too."""
        if not self._wrote or not self._writable:
            return
        entries, total = [], 0
        for directory, _, names in os.walk(self.directory):
            for name in names:
                path = os.path.join(directory, name)  # noqa: PTH118
                try:
                    status = os.stat(path)  # noqa: PTH116
                except OSError:
                    continue
                if name.endswith((".json", ".new")):
                    entries.append((status.st_mtime_ns, status.st_size, path))
                    total += status.st_size
        for _, size, path in sorted(entries) if total > LARGEST else ():
            Path(path).unlink(missing_ok=True)
            total -= size
            if total <= LARGEST * 3 // 4:
                break

    def _path(self, kind: str, key: str) -> str:
        return os.path.join(self._place, kind, f"{key}.json")  # noqa: PTH118

    def _prepare(self, directory: str) -> None:
        if os.path.isdir(directory):  # noqa: PTH112
            return
        os.makedirs(directory, exist_ok=True)  # noqa: PTH103
        for name, text in ((".gitignore", _README), (TAG, _TAGGED)):
            if not (self.directory / name).exists():
                (self.directory / name).write_text(text, encoding="ascii")

    def _mark_used(self, path: str, status: os.stat_result) -> None:
        import time

        if time.time_ns() - status.st_mtime_ns > _USED:
            try:
                os.utime(path)
            except OSError:
                self._writable = False


def find_store(directory: Path | None, start: Path) -> Store:
    """The cache of a project.

    ``directory``, then ``INFLINT_CACHE_DIR``, then ``.inflint_cache`` in the project's root;
    where there is no project, or it cannot be written to, the platform's place for caches.

    Args:
        directory: The command line's choice.
        start: A directory of the project.
    """
    chosen = directory or os.environ.get(VARIABLE)
    if chosen:
        return Store(Path(os.path.abspath(chosen)))  # noqa: PTH100 - resolve() follows links
    for above in (start, *start.parents):
        if any(os.path.exists(above / mark) for mark in _MARKS):  # noqa: PTH110 - never raises
            if os.access(above, os.W_OK):
                return Store(above / NAME)
            break
    return Store(platform_directory() / digest(os.fsencode(start))[:16])


def platform_directory() -> Path:
    """Where this platform keeps caches."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "inflint"


def _maker() -> str:
    """What made an entry, besides the version: the Python, and a checkout's own state."""
    parts = [sys.implementation.cache_tag or "", _libcst()]
    package, rules = Path(__file__).parents[1], rules_directory()
    if rules.parent != package:  # a checkout changes without its version
        for top in (package, rules):
            parts += _stamps(top)
    return digest("|".join(parts).encode())[:12]


def _stamps(top: Path) -> list[str]:
    """Names, times and sizes of code and data below a directory."""
    found, stack = [], [str(top)]
    while stack:
        with suppress(OSError), os.scandir(stack.pop()) as entries:
            for entry in entries:
                if entry.name.endswith((".py", ".toml", ".json", ".gz")):
                    status = entry.stat()
                    found.append(f"{entry.path} {status.st_mtime_ns} {status.st_size}")
                elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                    stack.append(entry.path)
    return sorted(found)


def _libcst() -> str:
    """Which LibCST is installed, without importing it."""
    disk = Disk()
    files = (Path(place or ".") / "libcst" / "_version.py" for place in sys.path)
    return next((text for text in map(disk.text, files) if text is not None), "")
