"""IPython's own syntax: what is no Python is masked, line for line, and comes back as it was.

``%magic``, ``!shell``, ``?help``, ``help?``, ``/call a``, ``x = %magic`` and ``x = !shell``
become calls that, for all anyone knows, do anything; ``%%time`` and its like become comments.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

PYTHON_CELLS = frozenset(
    ("capture", "debug", "heat", "ipytest", "memit", "mprun", "prun", "snakeviz", "time", "timeit")
)
"""Magics whose cell is Python that runs among the other cells."""

_CELL = re.compile(r"(?:[ \t]*(?:\r\n|\r|\n))*(%%(\w*)[^\r\n]*)")
_HINT = re.compile(r"^[ \t]*[%!?,;/]|=[ \t]*[%!]|\?", re.MULTILINE)
_INDENT = re.compile(r"[ \t\f]*")
_REST = re.compile(r"(?:[^\r\n]*\\(?:\r\n|\r|\n))*[^\r\n]*")
_NEWLINE = re.compile(r"\r\n|\r|\n")
_TOKEN = re.compile(
    r"(?P<comment>#[^\r\n]*)"
    r"|(?P<quote>\"{3}|'{3}|\"|')"
    r"|(?P<open>[([{])|(?P<close>[)\]}])"
    r"|(?P<joined>\\(?:\r\n|\r|\n))|(?P<end>\r\n|\r|\n)"
    r"|(?P<help>\?)|(?P<assign>=[ \t]*(?=[%!]))"
)
_STRING_ENDS = {
    quote: re.compile(
        rf"(?:[^\\]|\\.)*?{quote}" if len(quote) == 3 else rf"(?:[^\\\r\n]|\\(?:\r\n|.))*?{quote}",
        re.DOTALL,
    )
    for quote in ('"""', "'''", '"', "'")
}


class _Magic(NamedTuple):
    """A stretch of a cell, and how it is masked: a template with a place for its name."""

    start: int
    end: int
    template: str


def cell_magic(source: str) -> str | None:
    """The name of the magic that takes a whole cell; None where there is none."""
    found = _CELL.match(source)
    return None if found is None else found[2]


def mask(source: str, word: str) -> str:
    """The cell as Python with the same lines.

    Args:
        source: The cell.
        word: What does not occur in it, for the masks.
    """
    return "".join(_pieces(source, word))


def unmask(text: str, source: str, word: str) -> str | None:
    """An edited cell with its magics back; None where it lost one.

    Args:
        text: What became of the masked cell.
        source: The cell that was masked.
        word: The word that it was masked with.
    """
    for number, magic in enumerate(_magics(source)):
        masked = _masked(source, magic, f"{word} {number}")
        if text.count(masked) != 1:
            return None
        text = text.replace(masked, source[magic.start : magic.end])
    return text


def _pieces(source: str, word: str) -> Iterator[str]:
    done = 0
    for number, magic in enumerate(_magics(source)):
        yield source[done : magic.start]
        yield _masked(source, magic, f"{word} {number}")
        done = magic.end
    yield source[done:]


def _masked(source: str, magic: _Magic, name: str) -> str:
    ends = "".join(_NEWLINE.findall(source[magic.start : magic.end]))
    return magic.template.format(name=f'"{name}"{ends}')


def _magics(source: str) -> Iterator[_Magic]:
    position = 0
    whole = _CELL.match(source)
    if whole is not None:
        yield _Magic(whole.start(1), whole.end(1), "# {name}")
        position = whole.end()
    if _HINT.search(source, position) is None:
        return
    while position < len(source):
        first = position + len(_INDENT.match(source, position)[0])  # type: ignore[index]
        magic, position = _logical_line(source, first)
        if magic is not None:
            yield magic


def _logical_line(source: str, first: int) -> tuple[_Magic | None, int]:
    """The magic of the logical line that begins at ``first``, and where the next one begins."""
    if source[first : first + 1] in ("%", "!", "?", ",", ";", "/"):
        magic = _to_line_end(source, first, "exec(get_ipython({name}))")
        return magic, _after(source, magic.end)
    depth, position, helps = 0, first, False
    while True:
        token = _TOKEN.search(source, position)
        if token is None:
            return _help(first, len(source)) if helps else None, len(source)
        position = token.end()
        kind = token.lastgroup
        if kind == "quote":
            string = _STRING_ENDS[token[0]].match(source, position)
            stop = _REST.match(source, position) if string is None else string
            position = stop.end() if stop else len(source)
        elif kind == "open":
            depth += 1
        elif kind == "close":
            depth = max(0, depth - 1)
        elif kind == "assign" and not depth:
            magic = _to_line_end(source, position, "eval(get_ipython({name}))")
            return magic, _after(source, magic.end)
        elif kind == "help":
            helps = helps or not depth
        elif kind == "end" and not depth:
            return _help(first, token.start()) if helps else None, position


def _help(start: int, end: int) -> _Magic:
    return _Magic(start, end, "get_ipython({name})")


def _to_line_end(source: str, start: int, template: str) -> _Magic:
    found = _REST.match(source, start)
    return _Magic(start, found.end() if found else len(source), template)


def _after(source: str, position: int) -> int:
    end = _NEWLINE.match(source, position)
    return end.end() if end else len(source)
