"""Reads the suppressions of files, and takes out the findings that they hide."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inflint.sources.decode import DecodeError, decode
from inflint.sources.suppressions import (
    Block,
    Reach,
    Suppression,
    may_suppress,
    parse_comment,
    reach,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from pathlib import Path

    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.checks.suppression import Placed, Suppressions
    from inflint.syntax.headers import Scope

    Pair = tuple[Finding, Subject | None]


class Sifted(NamedTuple):
    """Findings that nothing hides, and those that something does."""

    kept: list[Pair]
    hidden: list[Pair]


def sift(
    pairs: Iterable[Pair],
    *,
    contents: Mapping[Path, bytes],
    suppressing: Iterable[Path],
    runnable: Collection[tuple[Path, int]],
    active: Callable[[Path], frozenset[str]],
    open_names: Collection[str],
) -> Sifted:
    """Take out what suppressions hide, and add INF901 for those that hide nothing.

    Args:
        pairs: All findings, of all rules, with the classes behind them.
        contents: The files.
        suppressing: Those whose bytes do not rule out suppressions that name rules.
        runnable: Path and line of ``class`` of each module that could be built and run: all
            findings on what stands in it were made.
        active: The rules that are reported in a file.
        open_names: Methods by which a class that is not runnable may still matter to subclasses.
    """
    found = list(pairs)
    known = _Known(contents, runnable, open_names)
    kept: list[Pair] = []
    hidden: list[Pair] = []
    for finding, subject in found:
        heads: dict[Path, int | None] = {finding.path: None}
        if subject is not None:
            heads[subject.cls.file.path] = subject.cls.scope.head.line
        hits = [known.of(p).hide(finding, head) for p, head in heads.items() if p in contents]
        (hidden if any(hits) else kept).append((finding, subject))
    broken = {finding.path for finding, _ in found if finding.code == "INF900"}
    for path in suppressing:
        codes = active(path)
        if path not in broken and "INF901" in codes:
            suppressions = known.of(path)
            for finding in suppressions.unused(codes):
                is_hidden = suppressions.hide(finding, None)
                (hidden if is_hidden else kept).append((finding, None))
    return Sifted(kept, hidden)


class _Known:
    """The suppressions of files, each read once."""

    def __init__(
        self,
        contents: Mapping[Path, bytes],
        runnable: Collection[tuple[Path, int]],
        open_names: Collection[str],
    ) -> None:
        self._contents = contents
        self._runnable = runnable
        self._open_names = open_names
        self._files: dict[Path, Suppressions] = {}

    def of(self, path: Path) -> Suppressions:
        if path not in self._files:
            self._files[path] = self._read(path)
        return self._files[path]

    def _read(self, path: Path) -> Suppressions:
        from inflint.checks.suppression import Suppressions
        from inflint.syntax.comments import read_layout

        try:
            data = self._contents[path]
            text = decode(data) if may_suppress(data) else ""
        except (KeyError, DecodeError):  # it has a finding that says so
            return Suppressions(path, ())
        layout = read_layout(text)
        made = [
            suppression
            for comment in layout.comments
            for suppression in parse_comment(
                comment.line, comment.column, comment.text, alone=comment.alone
            )
        ]
        if not made:
            return Suppressions(path, ())
        scopes = _scopes(text)
        blocks = [Block(s.span.line, s.head.line, s.span.end_line) for _, s in scopes]
        alone = [comment.line for comment in layout.comments if comment.alone]
        placed = []
        for one in made:
            where = None if one.file else reach(one, layout.statements, alone, blocks)
            placed.append(self._place(one, where, scopes, path))
        return Suppressions(path, tuple(placed))

    def _place(
        self,
        made: Suppression,
        where: Reach | None,
        scopes: list[tuple[str, Scope]],
        path: Path,
    ) -> Placed:
        from inflint.checks.suppression import Placed

        if where is None:
            closed = not any(self._is_open(scope, path) for _, scope in scopes)
            return Placed(made, None, None, closed)
        around = [
            (name, s)
            for name, s in scopes
            if s.head.line == where.head or s.span.line <= made.line <= s.span.end_line
        ]
        if not around:
            return Placed(made, where, None, closed=True)
        name, inner = around[-1]
        return Placed(made, where, name, not self._is_open(inner, path))

    def _is_open(self, scope: Scope, path: Path) -> bool:
        """Whether findings in a class may be made for a subclass elsewhere."""
        if (path, scope.head.line) in self._runnable:
            return False
        return any(name in scope.bindings for name in self._open_names)


def _scopes(text: str) -> list[tuple[str, Scope]]:
    """The classes of a file with their qualified names, outer ones first."""
    from inflint.syntax.headers import HeaderError, qualified, read_header

    try:
        header = read_header(text)
    except HeaderError:
        return []
    return [(qualified(chain), chain[-1]) for chain in header.walk() if chain[-1].kind == "class"]
