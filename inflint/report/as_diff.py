"""A unified diff of two versions of a file, as ``patch`` reads it."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from inflint.report.paths import shown
from inflint.syntax.headers import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def file_diff(path: Path, before: bytes, after: bytes) -> Iterator[bytes]:
    """The diff's lines, with their ends, in the file's own encoding."""
    name = shown(path).encode("utf-8", "surrogateescape")
    old, new = _lines(before), _lines(after)
    names = (b"a/" + name, b"b/" + name)
    for line in difflib.diff_bytes(difflib.unified_diff, old, new, *names):
        yield line if line.endswith((b"\n", b"\r")) else line + b"\n\\ No newline at end of file\n"


def _lines(data: bytes) -> list[bytes]:
    return [line.encode("latin-1") for line in split_lines(data.decode("latin-1"))]
