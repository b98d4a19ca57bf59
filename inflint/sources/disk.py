"""What a run asks of the file system, and what it is told.

Whoever looks for a module, a lock file or an environment asks here, so that two things are
known at the end: every file that was read, and every place where one was missed. A later
run that gets the same answers to the same questions must come to the same result.
"""

# Plain text instead of Path objects: this runs thousands of times.
# ruff: noqa: PTH110, PTH112, PTH113, PTH116, PTH123, PTH208
from __future__ import annotations

import os
import time
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from inflint.digest import digest
from inflint.sources.documents import embedding_of, is_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from inflint.sources.embedding import Embedding

Question: TypeAlias = "tuple[str, str, str]"
Answer: TypeAlias = "bool | list[str]"

SETTLED = 2 * 10**9
"""Nanoseconds after a change within which another one may leave the same time behind."""


class Seen(NamedTuple):
    """A file as it was when it was read.

    Attributes:
        digest: Of its content; empty where it could not be read.
        stamp: Its times, size and inode, which change with it; empty where a change at the
            same moment could have left them as they were.
    """

    digest: str
    stamp: str


class Disk:
    """The file system, with some files replaced.

    Args:
        overlay: Contents that stand for those on disk, by absolute path; such a file need
            not exist.
        recording: Whether to keep digests of what is read.

    Attributes:
        answers: All questions so far, apart from reading: what was asked, the path, and a
            pattern for names.
        listed: Directories all of whose entries were looked at.
        seen: All files that were read while recording.
        torn: Some file changed meanwhile, so that not all of a result goes with one state.
    """

    def __init__(
        self, overlay: Mapping[Path, bytes] | None = None, *, recording: bool = False
    ) -> None:
        self._overlay = {str(path): data for path, data in (overlay or {}).items()}
        self.recording = recording
        self.answers: dict[Question, Answer] = {}
        self.listed: set[str] = set()
        self.seen: dict[str, Seen] = {}
        self.torn = False

    def read(self, path: str | Path) -> bytes:
        """A file's content.

        Raises:
            OSError: It cannot be read.
        """
        name = str(path)
        data = self._overlay.get(name)
        if data is not None:
            return data
        if not self.recording:
            with open(name, "rb") as file:
                return file.read()
        found = Seen("", "")
        try:
            with open(name, "rb") as file:
                stamp = _stamp(os.fstat(file.fileno()))  # before reading: a later change shows
                data = file.read()
            found = Seen(digest(data), stamp)
        finally:
            self.torn |= self.seen.setdefault(name, found).digest != found.digest
        return data

    def document(self, path: str | Path) -> Embedding | None:
        """The Python inside of a document such as a notebook; None for Python itself.

        Raises:
            OSError: It cannot be read.
        """
        name = str(path)
        return embedding_of(name, self.read(name)) if is_document(name) else None

    def python(self, path: str | Path) -> bytes:
        """A file's Python: all of it, or what a document holds. Raises as :meth:`read`."""
        document = self.document(path)
        return self.read(path) if document is None else document.python

    def text(self, path: str | Path) -> str | None:
        """A small file as text, whatever its bytes; None if it cannot be read."""
        try:
            return self.read(path).decode("utf-8", errors="replace")
        except OSError:
            return None

    def is_file(self, path: str) -> bool:
        """Whether there is a file."""
        question = ("is_file", path, "")
        known = self.answers.get(question)
        if known is None:
            known = self.answers[question] = path in self._overlay or os.path.isfile(path)
        return bool(known)

    def is_directory(self, path: str) -> bool:
        """Whether there is a directory."""
        question = ("is_directory", path, "")
        known = self.answers.get(question)
        if known is None:
            known = self.answers[question] = os.path.isdir(path)
        return bool(known)

    def exists(self, path: str) -> bool:
        """Whether there is anything."""
        question = ("exists", path, "")
        known = self.answers.get(question)
        if known is None:
            known = self.answers[question] = path in self._overlay or os.path.exists(path)
        return bool(known)

    def names(self, directory: str, pattern: str) -> list[str]:
        """The entries of a directory whose names match a shell pattern, sorted."""
        question = ("names", directory, pattern)
        known = self.answers.get(question)
        if not isinstance(known, list):
            try:
                found = os.listdir(directory)
            except OSError:
                found = []
            known = sorted(name for name in found if fnmatchcase(name, pattern))
            self.answers[question] = known
        return known

    # What was known before

    def still(self, asked: Iterable[tuple[Question, Answer]]) -> bool:
        """Whether all questions still have the same answers."""
        ask = {
            "is_file": lambda path, _: self.is_file(path),
            "is_directory": lambda path, _: self.is_directory(path),
            "exists": lambda path, _: self.exists(path),
            "names": self.names,
        }
        return all(ask[kind](path, more) == answer for (kind, path, more), answer in asked)

    def recall(self, path: str, seen: Seen) -> bool:
        """Whether a file is as it was; it is read again only where its stamp has changed."""
        try:
            if seen.stamp and _stamp(os.stat(path)) == seen.stamp:
                self.seen[path] = seen
                return True
            self.read(path)
        except OSError:
            self.seen[path] = Seen("", "")
        return self.seen[path].digest == seen.digest


def _stamp(status: os.stat_result) -> str:
    changed = max(status.st_mtime_ns, status.st_ctime_ns)
    if changed > time.time_ns() - SETTLED:
        return ""
    return f"{status.st_mtime_ns}.{status.st_ctime_ns}.{status.st_size}.{status.st_ino}"
