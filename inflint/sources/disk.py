"""What a run asks of the file system, and what it is told.

Whoever looks for a module, a lock file or an environment asks here, so that two things are
known at the end: every file that was read, and every place where one was missed. A later
run that gets the same answers to the same questions must come to the same result.
"""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, TypeAlias

try:
    from _blake2 import blake2b  # hashlib also loads OpenSSL
except ImportError:
    from hashlib import blake2b

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

Question: TypeAlias = "tuple[str, str, str]"
Answer: TypeAlias = "bool | str | list[str]"

MISSING = ""
"""The digest of a file that cannot be read."""


def digest(data: bytes) -> str:
    """A fingerprint of a file's content."""
    text: str = blake2b(data, digest_size=16).hexdigest()
    return text


class Disk:
    """The file system, with some files replaced.

    Args:
        overlay: Contents that stand for those on disk, by absolute path; such a file need
            not exist.

    Attributes:
        answers: All questions so far: what was asked, the path, and a pattern for names.
    """

    def __init__(self, overlay: Mapping[Path, bytes] | None = None) -> None:
        self._overlay = {str(path): data for path, data in (overlay or {}).items()}
        self.answers: dict[Question, Answer] = {}

    def read(self, path: str | Path) -> bytes:
        """A file's content.

        Raises:
            OSError: It cannot be read.
        """
        name = str(path)
        question = ("read", name, "")
        self.answers.setdefault(question, MISSING)
        data = self._overlay.get(name)
        if data is None:
            with open(name, "rb") as file:  # noqa: PTH123 - paths are plain text here
                data = file.read()
        self.answers[question] = digest(data)
        return data

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
            known = path in self._overlay or os.path.isfile(path)  # noqa: PTH113
            self.answers[question] = known
        return bool(known)

    def is_directory(self, path: str) -> bool:
        """Whether there is a directory."""
        question = ("is_directory", path, "")
        known = self.answers.get(question)
        if known is None:
            known = self.answers[question] = os.path.isdir(path)  # noqa: PTH112
        return bool(known)

    def exists(self, path: str) -> bool:
        """Whether there is anything."""
        question = ("exists", path, "")
        known = self.answers.get(question)
        if known is None:
            known = self.answers[question] = path in self._overlay or os.path.exists(path)  # noqa: PTH110
        return bool(known)

    def names(self, directory: str, pattern: str) -> list[str]:
        """The entries of a directory whose names match a shell pattern, sorted."""
        question = ("names", directory, pattern)
        known = self.answers.get(question)
        if not isinstance(known, list):
            try:
                found = os.listdir(directory)  # noqa: PTH208
            except OSError:
                found = []
            known = sorted(name for name in found if fnmatchcase(name, pattern))
            self.answers[question] = known
        return known

    def still(self, asked: Iterable[tuple[Question, Answer]]) -> bool:
        """Whether all questions still have the same answers."""
        return all(self._answer(question) == answer for question, answer in asked)

    def _answer(self, question: Question) -> Answer:
        kind, path, pattern = question
        if kind == "read":
            try:
                self.read(path)
            except OSError:
                return MISSING
            return self.answers[question]
        if kind == "names":
            return self.names(path, pattern)
        answer: bool = getattr(self, kind)(path)
        return answer
