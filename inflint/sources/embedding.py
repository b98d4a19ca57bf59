"""Python inside another document, such as the cells of a notebook.

The rest of the pipeline sees one Python text, in which each chunk stands below a line that
marks it. Chunks keep their lines, so that a place leads back to the document, and the marks
survive edits, so that an edited text can be taken apart again.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from inflint.sources.magics import mask, unmask

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_CODE = re.compile(r"^([ \t\f]*)[^\s#]", re.MULTILINE)


class DocumentError(ValueError):
    """The document cannot be read; ``line`` and ``column`` are 1-based."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class RestoreError(ValueError):
    """An edited text does not fit the document that it came from."""


class Place(NamedTuple):
    """A place in a document: the notebook's cell or None, line from 1, column from 0."""

    cell: int | None
    line: int
    column: int


class Fault(NamedTuple):
    """What cannot be read, at a 1-based line and column of the Python text.

    Where there is no Python text at all, they are those of the document.
    """

    message: str
    line: int
    column: int


@dataclass(frozen=True)
class Chunk:
    """A stretch of Python in a document.

    Attributes:
        source: Its text, as the document has it.
        cell: The notebook's cell, counted from 1; None elsewhere.
        line: The document's line on which it begins, or 1 in a cell.
        columns: How many characters stand before each of its lines; empty for none.
        broken: Why it is no Python; empty where it is. It is then left out.
    """

    source: str
    cell: int | None = None
    line: int = 1
    columns: tuple[int, ...] = ()
    broken: str = ""

    @cached_property
    def lines(self) -> list[str]:
        """Its lines, with their ends."""
        return _LINE.findall(self.source)

    @property
    def end(self) -> str:
        """The line end that is put behind it."""
        found = re.search(r"\r\n|\r|\n", self.lines[-1] if self.lines else "")
        before = re.search(r"(\r\n|\r|\n)[^\r\n]*\Z", self.source)
        return found[0] if found else before[1] if before else "\n"


@dataclass(frozen=True)
class Embedding:
    """A document's Python.

    Attributes:
        data: The document.
        chunks: Its Python, in order.
        faults: What could not be read.
        tolerant: Whether chunks that do not parse are passed over: prose shows what is no
            whole program.
        rebuild: Makes the document with other sources, by index of their chunks; None where
            the document is never edited.
    """

    data: bytes
    chunks: tuple[Chunk, ...] = ()
    faults: tuple[Fault, ...] = ()
    tolerant: bool = False
    rebuild: Callable[[Mapping[int, str]], bytes] | None = field(default=None, compare=False)

    @cached_property
    def _word(self) -> str:
        """What occurs in no chunk."""
        word = "%% inflint"
        while any(word in chunk.source for chunk in self.chunks):
            word += "%"
        return word

    @cached_property
    def _bodies(self) -> list[str]:
        """The chunks as lines of Python."""
        bodies = []
        for index, chunk in enumerate(self.chunks):
            if chunk.broken:  # a comment for each line
                bodies.append(re.sub(r"[^\r\n]+", "#", chunk.source) or "#")
            else:
                bodies.append(mask(chunk.source, f"{self._word} {index}"))
        return bodies

    def _mark(self, index: int) -> str:
        """The lines above a chunk.

        Two above the first one, since an encoding may be declared in the first two lines of
        a file, not of a cell. Where all of a cell is indented, which IPython permits, it
        stands below an ``if``.
        """
        lines = f"# {self._word}\n" * (1 if index else 2)
        chunk = self.chunks[index]
        code = _CODE.search(chunk.source)
        if code is None or not code[1]:
            return lines
        return f"{lines}{'' if chunk.broken else 'if True:  '}# {self._word}\n"

    @cached_property
    def _pieces(self) -> list[tuple[str, str, str]]:
        """For each chunk the mark, the body and the line end behind it."""
        return [
            (self._mark(index), body, chunk.end)
            for index, (chunk, body) in enumerate(zip(self.chunks, self._bodies, strict=True))
        ]

    @cached_property
    def text(self) -> str:
        """All chunks as one Python text."""
        return "".join(part for piece in self._pieces for part in piece)

    @cached_property
    def python(self) -> bytes:
        """The text in UTF-8."""
        return self.text.encode()

    @cached_property
    def starts(self) -> list[int]:
        """The text's 1-based line on which each chunk begins."""
        starts, line = [], 1
        for mark, body, end in self._pieces:
            starts.append(line + mark.count("\n"))
            line = starts[-1] + len(_LINE.findall(body + end))
        return starts

    @cached_property
    def sections(self) -> list[int]:
        """The text's 1-based line on which each chunk's mark begins."""
        marks = [mark.count("\n") for mark, _, _ in self._pieces]
        return [start - above for start, above in zip(self.starts, marks, strict=True)]

    def alone(self, index: int) -> tuple[str, int]:
        """One chunk as a Python text, and how many lines stand above it."""
        mark, body, end = self._pieces[index]
        return mark + body + end, mark.count("\n")

    def without(self, broken: Mapping[int, str]) -> Embedding:
        """The same document, some chunks left out for a reason."""
        chunks = tuple(
            replace(chunk, broken=broken.get(index, chunk.broken))
            for index, chunk in enumerate(self.chunks)
        )
        return replace(self, chunks=chunks)

    # Back to the document

    def place(self, line: int, column: int) -> Place:
        """Where a place in the text, 1-based line and 0-based column, is in the document."""
        if not self.chunks:
            return Place(None, line, column)
        chunk, inner = self._chunk_at(line)
        shift = chunk.columns[inner] if inner < len(chunk.columns) else 0
        return Place(chunk.cell, chunk.line + inner, column + shift)

    def excerpt(self, line: int) -> str:
        """The document's line, or the cell's, at a line of the text; without its end."""
        place = self.place(line, 0)
        if place.cell is None:
            lines, inner = self._document_lines, place.line - 1
        else:
            chunk, inner = self._chunk_at(line)
            lines = chunk.lines
        return lines[inner].rstrip("\r\n") if inner < len(lines) else ""

    @cached_property
    def _document_lines(self) -> list[str]:
        return _LINE.findall(self.data.decode("utf-8-sig", "replace"))

    def _chunk_at(self, line: int) -> tuple[Chunk, int]:
        index = max(0, bisect_right(self.starts, line) - 1)
        chunk = self.chunks[index]
        return chunk, min(max(0, line - self.starts[index]), max(0, len(chunk.lines) - 1))

    def restored(self, python: bytes) -> bytes:
        """The document, with what an edited text makes of its chunks.

        Raises:
            RestoreError: The text has lost a mark or a line that it must keep, or the
                document takes no edits.
        """
        if self.rebuild is None:
            raise RestoreError("documents of this kind are not edited")
        bodies = self._split(python.decode())
        changed: dict[int, str] = {}
        for index, (chunk, body) in enumerate(zip(self.chunks, bodies, strict=True)):
            if body == self._bodies[index]:
                continue
            if chunk.broken:
                raise RestoreError("the edit is in a cell that does not parse")
            source = unmask(body, chunk.source, f"{self._word} {index}")
            if source is None:
                raise RestoreError("the edit touches a magic command")
            changed[index] = source
        return self.rebuild(changed) if changed else self.data

    def _split(self, text: str) -> list[str]:
        bodies = []
        for index, (mark, _, end) in enumerate(self._pieces):
            following = self._pieces[index + 1][0] if index + 1 < len(self.chunks) else None
            if not text.startswith(mark):
                raise RestoreError("the edit spans cells")
            stop = len(text) if following is None else text.find(following, len(mark))
            body = text[len(mark) : stop]
            if stop < 0 or not body.endswith(end):
                raise RestoreError("the edit spans cells")
            bodies.append(body[: len(body) - len(end)])
            text = text[stop:]
        return bodies


def broken(data: bytes, error: DocumentError) -> Embedding:
    """A document that cannot be read at all."""
    return Embedding(data, faults=(Fault(str(error), error.line, error.column),))
