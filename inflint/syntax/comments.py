"""The comments of a file and the extents of its statements, without parsing where possible."""

from __future__ import annotations

import io
import tokenize
from typing import TYPE_CHECKING, NamedTuple, cast

from inflint.syntax.headers import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from libcst import CSTNode
    from libcst.metadata import CodeRange

_BLANK = frozenset(
    (
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    )
)


class Comment(NamedTuple):
    """A comment: 1-based line, 0-based column, text with the ``#``; ``alone`` on its line."""

    line: int
    column: int
    text: str
    alone: bool


class Layout(NamedTuple):
    """Comments, and statements as their first and last lines, of compound ones the header.

    ``strings`` are the lines on which no comment can be put: a string or a backslash goes on.
    """

    comments: tuple[Comment, ...]
    statements: tuple[tuple[int, int], ...]
    strings: frozenset[int] = frozenset()


def read_layout(text: str) -> Layout:
    """The layout of a file.

    What the running Python cannot tokenize is parsed instead; then no statements are known. Of
    a file that nothing can read, it is what stands before the fault.
    """
    lines = [line.rstrip("\r\n") for line in split_lines(text)]
    comments: list[Comment] = []
    statements: list[tuple[int, int]] = []
    strings: set[int] = {n for n, line in enumerate(lines, 1) if line.endswith("\\")}
    start: int | None = None
    try:
        for token in tokenize.generate_tokens(io.StringIO("\n".join([*lines, ""])).readline):
            first, last = token.start[0], token.end[0]
            if token.type == tokenize.COMMENT:
                alone = not lines[first - 1][: token.start[1]].strip()
                comments.append(Comment(first, token.start[1], token.string, alone))
            elif token.type == tokenize.NEWLINE and start is not None:
                statements.append((start, first))
                start = None
            elif token.type not in _BLANK:
                start = first if start is None else start
                strings.update(range(first, last))
    except (tokenize.TokenError, SyntaxError, RecursionError):
        parsed = _parsed(text)
        if parsed is not None:
            return Layout(tuple(parsed), ())
    return Layout(tuple(comments), tuple(statements), frozenset(strings))


def _parsed(text: str) -> list[Comment] | None:
    """The comments as LibCST finds them; None where it cannot read the file either."""
    import libcst
    from libcst.metadata import MetadataWrapper, PositionProvider

    try:
        wrapper = MetadataWrapper(libcst.parse_module(text), unsafe_skip_copy=True)
        places = cast("Mapping[CSTNode, CodeRange]", wrapper.resolve(PositionProvider))
    except (libcst.ParserSyntaxError, RecursionError):
        return None
    lines = split_lines(text)
    return sorted(_comments(places, lines))


def _comments(places: Mapping[CSTNode, CodeRange], lines: list[str]) -> Iterator[Comment]:
    import libcst

    for node, place in places.items():
        if isinstance(node, libcst.Comment):
            line, column = place.start.line, place.start.column
            alone = not lines[line - 1][:column].strip()
            yield Comment(line, column, node.value, alone)
