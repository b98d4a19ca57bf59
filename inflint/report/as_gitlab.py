"""GitLab's Code Quality report: the fields of "Code Quality report format" in its documentation."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from inflint.checks.fingerprint import fingerprints
from inflint.report.paths import in_repository
from inflint.report.wording import distinct, sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from inflint.checks.pages import Rule
    from inflint.engine.run import Checked

_SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}


def findings_gitlab(checked: Checked, rules: Mapping[str, Rule]) -> Iterator[str]:
    """The findings, as one list; GitLab asks for fingerprints that are unique in it."""
    marks = distinct(fingerprints(checked.findings, checked.contents))
    entries = [
        {
            "description": f"{finding.code} {rules[finding.code].name}: {sentence(finding)}",
            "check_name": finding.code,
            "fingerprint": mark,
            "severity": _SEVERITIES[finding.severity],
            "location": {
                "path": in_repository(finding.path),
                "lines": {"begin": finding.span.line, "end": finding.span.end_line},
            },
        }
        for finding, mark in zip(checked.findings, marks, strict=True)
    ]
    yield json.dumps(entries, indent=2, ensure_ascii=False)
