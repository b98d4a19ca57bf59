"""What a check did, for those who ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inflint.engine.run import Checked


def account(checked: Checked, seconds: float) -> Iterator[str]:
    """What was looked at, for which target, and how long it took, line by line."""
    skipped = checked.files - checked.opened
    for target in checked.targets:
        yield f"target: Ray {' and '.join(target.versions)} ({target.why})"
    yield (
        f"files: {checked.files}; {checked.opened} parsed, {skipped} skipped, "
        "since their bytes show that they hold no RLModule"
    )
    yield f"RLModule classes: {checked.classes}"
    yield f"time: {seconds:.2f} s"
