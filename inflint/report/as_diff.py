"""A unified diff of two versions of a file, as ``patch`` reads it."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from inflint.report.paths import shown
from inflint.sources.decode import decode
from inflint.syntax.headers import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def file_diff(path: Path, before: bytes, after: bytes) -> Iterator[str]:
    """The diff's lines, with their ends."""
    name = shown(path)
    old, new = split_lines(decode(before)), split_lines(decode(after))
    for line in difflib.unified_diff(old, new, f"a/{name}", f"b/{name}"):
        if line.endswith(("\n", "\r")):
            yield line
        else:
            yield f"{line}\n\\ No newline at end of file\n"
