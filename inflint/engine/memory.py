"""Facts of source that was lowered in an earlier run.

They are kept by source file, and in it by the text they were made of, so that an edit of one
function costs only that function, and a wrong answer is impossible: equal texts have equal
facts.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from inflint.digest import digest
from inflint.syntax.errors import LoweringError
from inflint.syntax.serial import FORMAT, decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from inflint.engine.store import Store

_KIND = "facts"
_MOST = 2048
"""Texts of one file that are kept, those of earlier versions included."""


class FileMemory:
    """What is known of one file's texts."""

    def __init__(self, store: Store, key: str) -> None:
        self._store = store
        self._key = key
        self._known: dict[str, Any] = _entries(store, key)
        self._new: dict[str, Any] = {}

    def recall(self, kind: str, text: str, owner: str | None, make: Callable[[], Any]) -> Any:
        """What ``make`` returns or raises; it is not called where that is known."""
        key = digest(f"{FORMAT} {kind} {owner} {text}".encode("utf-8", "surrogatepass"))
        if key in self._known:
            try:
                return _decoded(self._known[key])
            except LoweringError:
                raise
            except Exception:  # noqa: BLE001 - whatever stands there, it is no fact
                del self._known[key]
        try:
            made = make()
        except LoweringError as error:
            self._new[key] = {"error": [str(error), error.line]}
            raise
        self._new[key] = encode(made)
        return made

    def save(self) -> None:
        """Write what is new, beside what others have written meanwhile."""
        if self._new:
            known = {**_entries(self._store, self._key), **self._new}
            self._store.put(_KIND, self._key, dict(list(known.items())[-_MOST:]))
            self._new = {}


class Memories:
    """The memories of all files of a run."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._files: dict[Path, FileMemory] = {}

    def of(self, path: Path) -> FileMemory:
        """The memory of one file."""
        if path not in self._files:
            self._files[path] = FileMemory(self._store, digest(os.fsencode(path)))
        return self._files[path]

    def save(self) -> None:
        """Write all that is new."""
        for memory in self._files.values():
            memory.save()


def _entries(store: Store, key: str) -> dict[str, Any]:
    found = store.get(_KIND, key)
    return found if isinstance(found, dict) else {}


def _decoded(entry: Any) -> Any:
    if isinstance(entry, dict):
        message, line = entry["error"]
        raise LoweringError(str(message), int(line))
    return decode(entry)
