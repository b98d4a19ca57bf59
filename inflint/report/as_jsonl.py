"""JSON Lines: one object a finding, as in the JSON report, for streams and logs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from inflint.report.as_json import finding_entry

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from inflint.checks.pages import Rule
    from inflint.engine.run import Checked


def findings_jsonl(checked: Checked, rules: Mapping[str, Rule]) -> Iterator[str]:  # noqa: ARG001
    """The findings."""
    for finding in checked.findings:
        entry = finding_entry(finding, checked.target_of(finding.path).versions)
        yield json.dumps(entry, ensure_ascii=False)
