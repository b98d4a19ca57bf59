"""The cache on disk: small JSON files that anyone may delete, damage or write at any time.

What an entry is says :mod:`inflint.engine.entries`. Nothing in it is ever executed: it is no
pickle.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from inflint.engine import entries

LARGEST = 64 * 1024 * 1024
"""Bytes that a cache may take before those entries go that were not used for longest."""
_SUFFIXES = (".json", ".said", ".new")


class Store:
    """Entries by kind and key.

    Args:
        directory: Where they are; it need not exist, and may be read-only.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._place = entries.place(str(directory))
        self._writable = True
        self._wrote = 0

    def get(self, kind: str, key: str) -> Any:
        """An entry, or None."""
        data = entries.read(self._path(kind, key))
        if data is None:
            return None
        import json  # not where there is nothing to read, as for a file without modules

        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            return None

    def put(self, kind: str, key: str, value: object) -> None:
        """Write an entry, as far as that is possible."""
        if not self._writable:
            return
        import json

        try:
            data = json.dumps(value, separators=(",", ":")).encode("ascii")
        except (TypeError, ValueError, RecursionError):
            return
        try:
            entries.write(str(self.directory), self._path(kind, key), data)
        except OSError:
            self._writable = False
        else:
            self._wrote += len(data)

    def close(self) -> None:
        """Keep the cache within its bounds. Entries that other versions wrote count, too."""
        if not self._wrote or not self._writable:
            return
        found, total = [], 0
        for directory, _, names in os.walk(self.directory):
            for name in names:
                path = os.path.join(directory, name)  # noqa: PTH118
                try:
                    status = os.stat(path)  # noqa: PTH116
                except OSError:
                    continue
                if name.endswith(_SUFFIXES):
                    found.append((status.st_mtime_ns, status.st_size, path))
                    total += status.st_size
        for _, size, path in sorted(found) if total > LARGEST else ():
            Path(path).unlink(missing_ok=True)
            total -= size
            if total <= LARGEST * 3 // 4:
                break

    def _path(self, kind: str, key: str) -> str:
        return os.path.join(self._place, kind, f"{key}.json")  # noqa: PTH118


def find_store(directory: Path | None, start: Path) -> Store:
    """The cache of a project; see :func:`inflint.engine.entries.cache_directory`.

    Args:
        directory: The command line's choice.
        start: A directory of the project.
    """
    chosen = None if directory is None else str(directory)
    return Store(Path(entries.cache_directory(chosen, str(start))))
