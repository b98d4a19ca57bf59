"""On which line of a TOML file a key stands. The standard library's reader does not tell."""

from __future__ import annotations

import re

_PART = re.compile(r"""\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*""")
_TABLE = re.compile(r"\s*\[\[?([^\[\]]+|(?:\"[^\"]*\"|'[^']*'|[^\"'\]])+)\]\]?\s*(?:#.*)?$")


def line_of(text: str, keys: tuple[str, ...], item: str | None = None) -> int:
    """The 1-based line of a key, or of an item of its list.

    Where the key is written inside a value, as in an inline table, it is the line of the
    innermost key around it; 1 where there is none.
    """
    table: tuple[str, ...] = ()
    best, depth = 1, 0
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        header = _TABLE.match(line)
        if header is not None:
            table = found = _parts(header[1])[0]
        else:
            inner, end = _parts(line)
            if not inner or line[end : end + 1] != "=":
                continue
            found = (*table, *inner)
        if len(found) > depth and found == keys[: len(found)]:
            best, depth = number, len(found)
            if found == keys:
                break
    if item is not None:
        for number, line in enumerate(lines[best - 1 :], best):
            if f'"{item}"' in line or f"'{item}'" in line:
                return number
    return best


def _parts(text: str) -> tuple[tuple[str, ...], int]:
    """The parts of a dotted key at the beginning of a text, and where it ends."""
    parts: list[str] = []
    at = 0
    while (found := _PART.match(text, at)) is not None:
        parts.append(next(group for group in found.groups() if group is not None))
        at = found.end()
        if text[at : at + 1] != ".":
            break
        at += 1
    return tuple(parts), at
