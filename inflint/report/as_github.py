"""Workflow commands, from which GitHub makes annotations on the lines of a pull request.

The form and its escapes: "Workflow commands for GitHub Actions" in GitHub's documentation,
and ``toolkit/packages/core/src/command.ts`` of GitHub's own actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inflint.report.paths import in_repository
from inflint.report.wording import sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from inflint.checks.finding import Finding
    from inflint.checks.pages import Rule
    from inflint.engine.run import Checked

_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def findings_github(checked: Checked, rules: Mapping[str, Rule]) -> Iterator[str]:
    """The findings, one command each."""
    for finding in checked.findings:
        properties = _properties(finding, rules[finding.code].name)
        listed = ",".join(f"{key}={value.translate(_PROPERTY)}" for key, value in properties)
        message = sentence(finding).translate(_DATA)
        yield f"::{_COMMANDS[finding.severity]} {listed}::{message}"


def _properties(finding: Finding, name: str) -> Iterator[tuple[str, str]]:
    span = finding.span
    yield "title", f"{finding.code} {name}"
    yield "file", in_repository(finding.path)
    yield "line", str(span.line)
    yield "endLine", str(span.end_line)
    if span.end_line == span.line:  # columns over several lines are not understood
        yield "col", str(span.column + 1)
        yield "endColumn", str(span.end_column + 1)
