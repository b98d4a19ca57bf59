"""The file system as it was answered for elsewhere: for work on a machine without the files."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inflint.sources.disk import Answer, Disk, Question

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class Cargo(NamedTuple):
    """What is known of a file system.

    Attributes:
        contents: Files; None for one that cannot be read.
        answers: To all other questions.
    """

    contents: dict[str, bytes | None]
    answers: dict[Question, Answer]

    def load(self, questions: Iterable[Question], disk: Disk) -> None:
        """Answer more questions from a disk."""
        for kind, path, more in questions:
            if kind == "read":
                try:
                    self.contents[path] = disk.read(path)
                except OSError:
                    self.contents[path] = None
            elif kind == "names":
                self.answers[kind, path, more] = disk.names(path, more)
            else:
                self.answers[kind, path, more] = getattr(disk, kind)(path)


class ShippedDisk(Disk):
    """Answers from a cargo.

    What that does not know is noted, and answered as if there were nothing: whatever comes of
    it then must not be used.

    Attributes:
        missing: Questions without an answer.
    """

    def __init__(self, cargo: Cargo) -> None:
        super().__init__()
        self.cargo = cargo
        self.missing: set[Question] = set()

    def read(self, path: str | Path) -> bytes:
        """A file's content. Raises OSError."""
        name = str(path)
        if name not in self.cargo.contents:
            self.missing.add(("read", name, ""))
        data = self.cargo.contents.get(name)
        if data is None:
            raise FileNotFoundError(2, "No such file or directory", name)
        return data

    def is_file(self, path: str) -> bool:
        """Whether there is a file."""
        return bool(self._ask(("is_file", path, "")))

    def is_directory(self, path: str) -> bool:
        """Whether there is a directory."""
        return bool(self._ask(("is_directory", path, "")))

    def exists(self, path: str) -> bool:
        """Whether there is anything."""
        return bool(self._ask(("exists", path, "")))

    def names(self, directory: str, pattern: str) -> list[str]:
        """The entries of a directory whose names match a shell pattern, sorted."""
        found = self._ask(("names", directory, pattern))
        return found if isinstance(found, list) else []

    def _ask(self, question: Question) -> Answer:
        if question not in self.cargo.answers:
            self.missing.add(question)
        return self.cargo.answers.get(question, False)
