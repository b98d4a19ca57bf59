"""What a rule reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from inflint.config.schema import SEVERITIES

if TYPE_CHECKING:
    from pathlib import Path

    from inflint.syntax.facts import Span

__all__ = ["SEVERITIES", "Finding", "Note"]


class Note(NamedTuple):
    """One step of the evidence: file, 1-based line, and what happens there.

    In a notebook the line counts within the ``cell``.
    """

    path: Path
    line: int
    text: str
    cell: int | None = None


@dataclass(frozen=True)
class Finding:
    """A finding.

    Attributes:
        code: The rule, such as ``INF202``.
        severity: ``info``, ``warning`` or ``error``.
        path: The file.
        span: Where in it; in a notebook, where in the cell.
        cls: Qualified name of the class; None where there is none.
        message: One sentence that names the consequence.
        attribute: The names it is about, comma-separated; None where there are none.
        fix: ``safe``, ``unsafe`` or ``none``.
        evidence: Why, step by step.
        releases: The releases it holds for; empty where it holds for all that were checked.
        cell: The notebook's cell, counted from 1 over all kinds of cells; None elsewhere.
        given: The file whose check reports it, where that is not ``path``: what a class gets from
            a file that defines no module of its own is found with the class alone.
        excerpt: The line that it starts on, without its end; empty where there is none.
        analysed: Where in the Python that was taken from a notebook or another document, once
            ``span`` is where in that document; None elsewhere.
    """

    code: str
    severity: str
    path: Path
    span: Span
    cls: str | None
    message: str
    attribute: str | None = None
    fix: str = "none"
    evidence: tuple[Note, ...] = ()
    releases: tuple[str, ...] = ()
    cell: int | None = None
    given: Path | None = None
    excerpt: str = ""
    analysed: Span | None = None

    @property
    def python_span(self) -> Span:
        """Where in the Python that was analysed."""
        return self.analysed or self.span

    @property
    def key(self) -> tuple[str, int, int, str, str]:
        """Orders findings by place; equal for what is the same finding."""
        return (str(self.path), self.span.line, self.span.column, self.code, self.attribute or "")

    def stands_at(self, path: Path, span: Span) -> bool:
        """Whether it is reported at a place."""
        return self.path == path and self.span == span
