"""A unified diff of two versions of a file, as ``patch`` reads it."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from inflint.report.paths import shown
from inflint.sources.documents import NOTEBOOKS
from inflint.syntax.headers import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def file_diff(path: Path, before: bytes, after: bytes) -> Iterator[bytes]:
    """The diff's lines, with their ends, in the file's own encoding.

    A notebook's is that of its cells' sources, cell by cell: it is for reading.
    """
    name = shown(path)
    if path.suffix.lower() not in NOTEBOOKS:
        yield from _diff(name, before, after)
        return
    from inflint.sources.notebook import read_notebook

    old, new = read_notebook(before).chunks, read_notebook(after).chunks
    for was, now in zip(old, new, strict=True):
        if was.source != now.source:
            yield from _diff(f"{name}:cell {was.cell}", _ended(was.source), _ended(now.source))


def _diff(name: str, before: bytes, after: bytes) -> Iterator[bytes]:
    title = name.encode("utf-8", "surrogateescape")
    old, new = _lines(before), _lines(after)
    names = (b"a/" + title, b"b/" + title)
    for line in difflib.diff_bytes(difflib.unified_diff, old, new, *names):
        yield line if line.endswith((b"\n", b"\r")) else line + b"\n\\ No newline at end of file\n"


def _ended(source: str) -> bytes:
    """A cell as lines: its last one tends to have no end."""
    return (source if source.endswith(("\n", "\r")) else f"{source}\n").encode()


def _lines(data: bytes) -> list[bytes]:
    return [line.encode("latin-1") for line in split_lines(data.decode("latin-1"))]
