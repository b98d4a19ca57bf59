"""What a codemod run did, and what it left, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inflint.report.paths import place

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from inflint.checks.finding import Finding
    from inflint.fix.passes import Left, Outcome


def summary(outcome: Outcome, failed: Collection[Path], *, done: bool) -> Iterator[str]:
    """One line a finding, fixed ones first, and a count.

    Args:
        outcome: The run.
        failed: Files that could not be written; nothing in them counts as fixed.
        done: Whether the edits were made, rather than shown.
    """
    applied = [p for p in outcome.applied if p.fix.path not in failed]
    verb = "fixed" if done else "would fix"
    for proposal in applied:
        extra = f" (unsafe: {proposal.fix.unsafe})" if proposal.fix.unsafe else ""
        yield f"{_place(proposal.finding)}: {verb}: {proposal.fix.what}{extra}"
    for left in outcome.left:
        yield f"{_place(left.finding)}: left: {_reason(left)}"
    total = f"{'Fixed' if done else 'Would fix'} {len(applied)}, left {len(outcome.left)}"
    unsafe = sum(1 for left in outcome.left if left.unsafe)
    more = f" ({unsafe} more with --unsafe-fixes)" if unsafe else ""
    yield f"{total}{more}."


def _place(finding: Finding) -> str:
    owner = f" {finding.cls}" if finding.cls else ""
    return f"{place(finding.path, finding.cell, finding.span.line)}: {finding.code}{owner}"


def _reason(left: Left) -> str:
    if left.bug:
        return f"{left.reason}; this is a bug in inflint, please report it"
    return f"unsafe, {left.reason}" if left.unsafe else left.reason
