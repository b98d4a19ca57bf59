"""Comments that hide findings: ``# noqa: INF202`` and ``# inflint: ignore[INF202] reason``.

This knows how they are written, and which lines they are for. Which rules their words mean,
and whether there is anything to hide, is known elsewhere.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

OWN_MARK = b"inflint:"
_MARKS = (OWN_MARK, b"noqa", b"NOQA", b"NoQA")
_RARE = ((b"q", b"noqa"), (b"Q", b"NOQA"), (b"Q", b"NoQA"))
"""The marks of flake8, each with the byte in it that is seldom in Python."""
_WORD = r"(?:[A-Za-z]+[0-9]+|INF(?![A-Za-z0-9-])|[a-z]+(?:-[a-z]+)+)(?![\w-])"
_ITEM = r"[^\s,]+"
_OURS = rb"(?i:[ \t]*:[^\r\n]*?(?:INF|inf\d|[a-z]-[a-z]))"


class Word(NamedTuple):
    """A code, prefix or name in a suppression, and its columns."""

    text: str
    start: int
    end: int


class Suppression(NamedTuple):
    """A suppression, as it is written.

    Attributes:
        own: Whether it is written in inflint's own way rather than as ``noqa``.
        file: Whether it is for the whole file.
        words: Which rules; None for all of them.
        line: 1-based.
        start: 0-based column of its ``#``.
        end: Column of its end, with the reason of inflint's own.
        alone: Whether nothing but comment stands on its line.
    """

    own: bool
    file: bool
    words: tuple[Word, ...] | None
    line: int
    start: int
    end: int
    alone: bool

    @property
    def whole(self) -> bool:
        """Whether it may be meant for a whole class: a bare ``noqa`` is for its line only."""
        return self.own or self.words is not None


class Reach(NamedTuple):
    """Lines, ends included, that a suppression is for; with the class's line if it is for one."""

    first: int
    last: int
    head: int | None = None


class Block(NamedTuple):
    """A class: the line it begins on, with decorators; that of ``class``; its last line."""

    first: int
    head: int
    last: int


def may_suppress(data: bytes) -> bool:
    """Whether a file's bytes may hold a suppression of any kind."""
    return any(mark in data for mark in _MARKS)


def names_rules(data: bytes) -> bool:
    """Whether a file's bytes may hold a suppression that names rules of inflint."""
    if OWN_MARK in data:
        return True
    for rare, mark in _RARE:
        at = data.find(mark) if rare in data else -1  # a single byte is found at once
        while at >= 0:
            if _ours().match(data, at + len(mark)):
                return True
            at = data.find(mark, at + 1)
    return False


@cache
def _ours() -> re.Pattern[bytes]:
    """What follows the mark of flake8; compiled where there is one."""
    return re.compile(_OURS)


@cache
def _forms() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Inflint's own way, and that of flake8; compiled where there is a comment to read."""
    own = re.compile(
        r"#\s*inflint\s*:\s*ignore(?P<file>-file)?(?![\w-])"
        r"(?:\s*\[(?P<words>[^\]#]*)\])?(?P<reason>[^#]*)"
    )
    noqa = re.compile(
        rf"#\s*(?P<file>(?:ruff|flake8)\s*[:=]\s*)?noqa(?![\w-])"
        rf"(?P<colon>\s*:\s*(?P<words>{_WORD}(?:(?:\s*,\s*|\s+){_WORD})*)?)?",
        re.IGNORECASE,
    )
    return own, noqa


def parse_comment(line: int, column: int, text: str, *, alone: bool) -> Iterator[Suppression]:
    """The suppressions in a comment that begins at a line and column."""
    own, noqa = _forms()
    for found in own.finditer(text):
        listed = found["words"] is not None
        end = column + found.start() + len(found[0].rstrip())
        yield Suppression(
            own=True,
            file=found["file"] is not None,
            words=_words(found, column) if listed else None,
            line=line,
            start=column + found.start(),
            end=end,
            alone=alone,
        )
    for found in noqa.finditer(text):
        if found["colon"] is not None and found["words"] is None:
            continue  # words that are no codes: nobody's suppression
        if found["file"] is not None and not alone:
            continue
        yield Suppression(
            own=False,
            file=found["file"] is not None,
            words=_words(found, column) if found["words"] is not None else None,
            line=line,
            start=column + found.start(),
            end=column + found.end(),
            alone=alone,
        )


def _words(found: re.Match[str], column: int) -> tuple[Word, ...]:
    shift = column + found.start("words")
    return tuple(
        Word(item[0], shift + item.start(), shift + item.end())
        for item in re.finditer(_ITEM, found["words"])
    )


def reach(
    made: Suppression,
    statements: Iterable[tuple[int, int]],
    comments: Iterable[int],
    classes: Iterable[Block],
) -> Reach:
    """What a suppression that is not for the whole file is for.

    Behind a statement that is its first or last line: the whole statement. Behind the header of
    a class, or on a line of its own directly above it or above its decorators: the whole class.
    Inflint's own on any other line of its own: what follows.

    Args:
        made: The suppression.
        statements: First and last lines, in order.
        comments: Lines that hold nothing but a comment.
        classes: The file's classes.
    """
    line = made.line
    inside = next(((a, b) for a, b in statements if a <= line <= b), None)
    if not made.alone:
        first, last = inside if inside is not None and line in inside else (line, line)
        block = next((c for c in classes if first <= c.head <= last), None)
        if block is not None and made.whole:
            return Reach(block.first, block.last, block.head)
        return Reach(first, last)
    alone = set(comments)
    following = line + 1
    while following in alone:
        following += 1
    block = next((c for c in classes if c.first <= following <= c.head), None)
    if block is not None and made.whole and inside is None:
        return Reach(block.first, block.last, block.head)
    if not made.own:
        return Reach(line, line)
    if inside is not None:
        return Reach(line, following)
    extent = next(((a, b) for a, b in statements if a == following), (following, following))
    return Reach(line, extent[1])
