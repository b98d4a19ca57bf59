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
    """One step of the evidence: file, 1-based line, and what happens there."""

    path: Path
    line: int
    text: str


@dataclass(frozen=True)
class Finding:
    """A finding.

    Attributes:
        code: The rule, such as ``INF202``.
        severity: ``info``, ``warning`` or ``error``.
        path: The file.
        span: Where in it.
        cls: Qualified name of the class; None where there is none.
        message: One sentence that names the consequence.
        attribute: The names it is about, comma-separated; None where there are none.
        fix: ``safe``, ``unsafe`` or ``none``.
        evidence: Why, step by step.
        releases: The releases it holds for; empty where it holds for all that were checked.
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

    @property
    def key(self) -> tuple[str, int, int, str, str]:
        """Orders findings by place; equal for what is the same finding."""
        return (str(self.path), self.span.line, self.span.column, self.code, self.attribute or "")

    def stands_at(self, path: Path, span: Span) -> bool:
        """Whether it is reported at a place."""
        return self.path == path and self.span == span
