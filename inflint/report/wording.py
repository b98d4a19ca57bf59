"""What several formats say of a finding, in the same words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inflint.checks.finding import Finding
    from inflint.syntax.facts import Span


def sentence(finding: Finding) -> str:
    """The class, the message, and the releases that it holds for if these are not all."""
    owner = f"{finding.cls}: " if finding.cls else ""
    only = f" (in {', '.join(finding.releases)} only)" if finding.releases else ""
    return f"{owner}{finding.message}{only}"


def file_span(finding: Finding) -> Span:
    """Where a program is to look that knows files and no cells: a notebook's first line."""
    return (
        finding.span
        if finding.cell is None
        else finding.span._replace(line=1, column=0, end_line=1, end_column=0)
    )


def file_sentence(finding: Finding) -> str:
    """The sentence for such a program: it names the cell and its line."""
    if finding.cell is None:
        return sentence(finding)
    return f"cell {finding.cell}, line {finding.span.line}: {sentence(finding)}"


def distinct(fingerprints: Iterable[str]) -> Iterator[str]:
    """The same fingerprints, those that were there before with a number behind them."""
    met: Counter[str] = Counter()
    for fingerprint in fingerprints:
        met[fingerprint] += 1
        count = met[fingerprint]
        yield fingerprint if count == 1 else f"{fingerprint}-{count}"
