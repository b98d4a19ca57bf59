"""Markdown: the Python of its fenced blocks.

Fences of backticks or tildes, also within quotes and lists, whose language is Python:
``python``, ``py``, ``{python}``, or a directive of MyST such as ``{code-block} python``. All
blocks of a document are read as one module, since they tend to build on one another. A block
that does not parse is passed over: prose shows prompts, gaps and things that do not work.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from inflint.sources.embedding import Chunk, Embedding

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_OPENING = re.compile(
    r"(?P<lead>(?:[ ]{0,3}>[ \t]?)*(?:[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+)*[ \t]*)"
    r"(?P<fence>`{3,}|~{3,}|:{3,})[ \t]*(?P<info>[^\r\n]*)"
)
_PYTHON = re.compile(
    r"(?:\{(?:code|code-block|code-cell|sourcecode|testcode)\}[ \t]*)?"
    r"(?:\{[ \t]*\.?)?(?:python|py|i?python3|ipython|py3)(?=[\s,;:{}]|\Z)",
    re.IGNORECASE,
)
_OPTION = re.compile(r":[\w-]+:[^\r\n]*")


class _Fence(NamedTuple):
    """An open block: what stands before its lines, and what closes it."""

    quotes: int
    indent: int
    mark: str
    python: bool


def read_markdown(data: bytes) -> Embedding:
    """The Python blocks of a Markdown document. Bytes that are no UTF-8 are replaced."""
    text = data.decode("utf-8-sig", "replace").replace("\0", "\ufffd")
    chunks: list[Chunk] = []
    fence: _Fence | None = None
    lines: list[tuple[str, int]] = []
    start = 0
    for number, line in enumerate(_LINE.findall(text), 1):
        if fence is None:
            fence = _opened(line)
            lines, start = [], number + 1
            continue
        inner = _stripped(line, fence)
        if inner is not None and not _closes(inner[0], fence):
            lines.append(inner)
            continue
        if fence.python:
            chunks += _chunk(lines, start)
        fence = None if inner is not None else _opened(line)
        lines, start = [], number + 1
    if fence is not None and fence.python:
        chunks += _chunk(lines, start)
    return Embedding(data, tuple(chunks), tolerant=True)


def _opened(line: str) -> _Fence | None:
    found = _OPENING.match(line)
    if found is None:
        return None
    mark, info, lead = found["fence"], found["info"].strip(), found["lead"]
    if (mark[0] == "`" and "`" in info) or (mark[0] == ":" and "{code" not in info):
        return None
    indent = len(lead) - (lead.rindex(">") + 1 if ">" in lead else 0)
    return _Fence(lead.count(">"), indent, mark, _PYTHON.match(info) is not None)


def _stripped(line: str, fence: _Fence) -> tuple[str, int] | None:
    """A line without what its block's container puts before it; None where that has ended."""
    position = 0
    if fence.quotes:
        found = re.match(rf"(?:[ ]{{0,3}}>){{{fence.quotes}}}", line)
        if found is None:
            return None
        position = found.end()
    most = position + fence.indent
    while position < most and line[position : position + 1] in (" ", "\t"):
        position += 1
    return line[position:], position


def _closes(line: str, fence: _Fence) -> bool:
    text = line.strip()
    return len(text) >= len(fence.mark) and not text.strip(fence.mark[0])


def _chunk(lines: list[tuple[str, int]], start: int) -> list[Chunk]:
    """A block as a chunk; the options of a directive become comments."""
    texts = [text for text, _ in lines]
    for index, text in enumerate(texts):
        option = _OPTION.match(text)
        if option is None:
            break
        texts[index] = "#" + text[option.end() :]
    source = "".join(texts)
    if not source.strip():
        return []
    return [Chunk(source, line=start, columns=tuple(column for _, column in lines))]
