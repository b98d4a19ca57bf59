"""Text edits, and the bytes of a file that they are spliced into."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from inflint.sources.decode import decode, encoding_of
from inflint.syntax.headers import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class CannotFixError(Exception):
    """There is no edit for a finding; the message says why."""


class Edit(NamedTuple):
    """Replace the characters from ``start`` up to ``end`` of a file's text by ``text``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Fix:
    """Edits of one file that belong together.

    Attributes:
        path: The file.
        edits: In order, without overlaps.
        what: What they do, for the summary.
        unsafe: Why they are only applied on request; empty where they are safe.
    """

    path: Path
    edits: tuple[Edit, ...]
    what: str
    unsafe: str = ""


class Document:
    """A file's bytes and text, and the way from one to the other.

    Raises on construction:
        DecodeError: The bytes are no Python text.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.text = decode(data)
        self.lines = split_lines(self.text)
        self._encoding = encoding_of(data).removesuffix("-sig")
        self._bom = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line))
        return starts

    def offset(self, line: int, column: int) -> int:
        """The index into the text of a 1-based line and a 0-based column of characters."""
        return self._starts[line - 1] + column

    def line_of(self, offset: int) -> int:
        """The 1-based line that an index into the text stands on."""
        from bisect import bisect_right

        return max(1, min(bisect_right(self._starts, offset), len(self.lines)))

    def line_start(self, offset: int) -> int:
        """Where the line around an index begins."""
        return self._starts[self.line_of(offset) - 1]

    def line_end(self, offset: int) -> int:
        """Where the line around an index ends, before its line end."""
        line = self.line_of(offset)
        return self._starts[line - 1] + len(self.lines[line - 1].rstrip("\r\n"))

    def next_line(self, offset: int) -> int:
        """Where the line after the one around an index begins."""
        return self._starts[self.line_of(offset)]

    def newline(self, line: int) -> str:
        """The line end in use around a line: its own, else that of the nearest one before."""
        for text in reversed(self.lines[:line]):
            for ending in ("\r\n", "\n", "\r"):
                if text.endswith(ending):
                    return ending
        return "\n"

    def indent(self, line: int) -> str:
        """The white space that a line begins with."""
        text = self.lines[line - 1]
        return text[: len(text) - len(text.lstrip(" \t\f"))]

    def spliced(self, edits: Iterable[Edit]) -> bytes:
        """The file's bytes with the edits made; all other bytes stay as they are.

        Raises:
            CannotFixError: The file's encoding has no bytes for the result.
        """
        pieces: list[bytes] = [self._bom]
        texts: list[str] = []
        done = 0
        byte = len(self._bom)
        for edit in ordered(edits):
            kept = self.text[done : edit.start]
            gone = self.text[edit.start : edit.end]
            size = len(self._encode(kept))
            pieces += [self.data[byte : byte + size], self._encode(edit.text)]
            texts += [kept, edit.text]
            byte += size + len(self._encode(gone))
            done = edit.end
        pieces.append(self.data[byte:])
        texts.append(self.text[done:])
        result = b"".join(pieces)
        if decode(result) != "".join(texts):  # an encoding that shifts its state
            raise CannotFixError(f"the encoding {self._encoding} cannot be edited in place")
        return result

    def _encode(self, text: str) -> bytes:
        try:
            return text.encode(self._encoding)
        except UnicodeEncodeError as error:
            letter = error.object[error.start : error.end]
            raise CannotFixError(f"the encoding {self._encoding} has no {letter!r}") from None


def ordered(edits: Iterable[Edit]) -> list[Edit]:
    """Edits by place, each once; insertions at one place stay in the given order."""
    return sorted(dict.fromkeys(edits), key=lambda edit: (edit.start, edit.end))


def collide(edits: Iterable[Edit], others: Iterable[Edit]) -> bool:
    """Whether two sets of edits touch the same place, other than by making the same edit."""
    taken = list(others)
    return any(
        edit != other and edit.start <= other.end and other.start <= edit.end
        for edit in edits
        for other in taken
    )


def merged(sets: Iterable[Iterable[Edit]]) -> list[Edit]:
    """All edits of several sets, each once, in order."""
    return ordered(edit for edits in sets for edit in edits)
