"""Which findings a file's suppressions hide, and INF901: those that hide nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from inflint.checks.finding import Finding
from inflint.checks.pages import UnknownRuleError, default_codes, names, resolve, rules
from inflint.syntax.facts import Span

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inflint.sources.suppressions import Reach, Suppression

UNUSED = "INF901"
UNREADABLE = "INF900"


class Placed(NamedTuple):
    """A suppression, what it is for, and whether only this file's classes can need it.

    ``reach`` is None for a whole file. ``owner`` is the class around it, for the report.
    ``closed`` is False where a subclass in another file may have a finding here.
    """

    suppression: Suppression
    reach: Reach | None
    owner: str | None
    closed: bool


@dataclass(frozen=True)
class Suppressions:
    """The suppressions of one file, and what they have hidden so far.

    Attributes:
        path: The file.
        placed: In order.
    """

    path: Path
    placed: tuple[Placed, ...]
    _used: dict[tuple[int, str], bool] = field(default_factory=dict)

    def hide(self, finding: Finding, head: int | None) -> bool:
        """Whether one of them is for a finding; they remember that it was needed.

        Args:
            finding: A finding in this file, or on a class of it.
            head: The line of ``class``, if the finding is on a class of this file.
        """
        hidden = False
        for index, placed in enumerate(self.placed):
            if not _reaches(placed.reach, finding, head, here=finding.path == self.path):
                continue
            words = placed.suppression.words
            if words is None:
                # What cannot be read, and what is no use, is only hidden by name.
                if finding.code not in {UNUSED, UNREADABLE}:
                    hidden = self._used[index, ""] = True
                continue
            for word in words:
                if finding.code in _meant(word.text):
                    hidden = self._used[index, word.text] = True
        return hidden

    def unused(self, active: frozenset[str]) -> Iterator[Finding]:
        """INF901 for what has hidden nothing, though its rules are active."""
        for index, placed in enumerate(self.placed):
            made = placed.suppression
            if made.words is None:
                if made.own and placed.closed and default_codes() <= active:
                    yield from self._bare(index, placed)
                continue
            if any(UNUSED in _meant(word.text) for word in made.words):
                continue
            idle = []
            for word in made.words:
                codes = _meant(word.text)
                if not codes:
                    yield from self._unknown(placed, word.text)
                    continue
                needed = self._used.get((index, word.text)) or not placed.closed
                if not needed and _are_active(codes, active):
                    idle.append(word.text)
            if idle:
                yield self._finding(placed, f"{', '.join(idle)} suppresses nothing", idle)
            elif not made.words:
                yield self._finding(placed, "the suppression names no rule", [])

    def _bare(self, index: int, placed: Placed) -> Iterator[Finding]:
        if not self._used.get((index, "")):
            yield self._finding(placed, "the suppression suppresses nothing", [])

    def _unknown(self, placed: Placed, word: str) -> Iterator[Finding]:
        if placed.suppression.own or word.upper().startswith("INF"):
            message = str(UnknownRuleError(word))
            yield self._finding(placed, message, [word], fix="none")

    def _finding(
        self, placed: Placed, message: str, words: list[str], fix: str | None = None
    ) -> Finding:
        rule = rules()[UNUSED]
        made = placed.suppression
        return Finding(
            code=rule.code,
            severity=rule.severity,
            path=self.path,
            span=Span(made.line, made.start, made.line, made.end),
            cls=placed.owner,
            message=message,
            attribute=", ".join(words) or None,
            fix=rule.fix if fix is None else fix,
        )


def _reaches(reach: Reach | None, finding: Finding, head: int | None, *, here: bool) -> bool:
    if reach is None:
        return here
    if head is not None and head == reach.head:
        return True
    first, last = finding.span.line, finding.span.end_line
    return here and (reach.first <= first <= reach.last or reach.first <= last <= reach.last)


def _meant(word: str) -> frozenset[str]:
    """The rules that a word means; none for the codes and names of other tools."""
    if word.upper().startswith("INF") or word.lower() in names().values():
        try:
            return frozenset(resolve(word))
        except UnknownRuleError:
            return frozenset()
    return frozenset()


def _are_active(codes: frozenset[str], active: frozenset[str]) -> bool:
    """Whether a suppression of these rules would have been needed by now, if ever."""
    if len(codes) == 1:
        return codes <= active
    usual = codes & default_codes()
    return bool(usual) and usual <= active
