"""JSON for programs: the fields of :class:`inflint.runtime.report.Report`, and the verdict."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inflint.runtime.report import Report


def reports_json(reports: Sequence[Report], failures: Sequence[tuple[str, str]] = ()) -> str:
    """All modules' results, and the targets that could not be run with the reason."""
    document = {
        "modules": [_report(report) for report in reports],
        "failures": [{"target": target, "reason": reason} for target, reason in failures],
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def _report(report: Report) -> dict[str, Any]:
    fields = dataclasses.asdict(report)
    savings = report.savings
    if savings is not None:
        fields["savings"] |= {"per_runner": savings.per_runner, "per_sync": savings.per_sync}
    return {"proven": report.proven, **fields}
