"""Text of one line a finding, for other tools and for editors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from inflint.report.colours import COLOURS
from inflint.report.paths import one_line, shown
from inflint.report.wording import sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from inflint.checks.pages import Rule
    from inflint.engine.run import Checked


def findings_concise(checked: Checked, rules: Mapping[str, Rule]) -> Iterator[str]:
    """The findings: place, severity, code, name and message."""
    for finding in checked.findings:
        place = f"{one_line(shown(finding.path))}:{finding.span.line}:{finding.span.column + 1}"
        label = click.style(f"{finding.severity} {finding.code}", fg=COLOURS[finding.severity])
        name = rules[finding.code].name
        yield f"{click.style(place, bold=True)}: {label} {name}: {one_line(sentence(finding))}"
