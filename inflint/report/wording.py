"""What several formats say of a finding, in the same words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inflint.checks.finding import Finding


def sentence(finding: Finding) -> str:
    """The class, the message, and the releases that it holds for if these are not all."""
    owner = f"{finding.cls}: " if finding.cls else ""
    only = f" (in {', '.join(finding.releases)} only)" if finding.releases else ""
    return f"{owner}{finding.message}{only}"


def distinct(fingerprints: Iterable[str]) -> Iterator[str]:
    """The same fingerprints, those that were there before with a number behind them."""
    met: Counter[str] = Counter()
    for fingerprint in fingerprints:
        met[fingerprint] += 1
        count = met[fingerprint]
        yield fingerprint if count == 1 else f"{fingerprint}-{count}"
