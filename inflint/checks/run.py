"""All rules on one class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inflint.checks import api, coverage, listing, removal, state
from inflint.checks.finding import Finding
from inflint.checks.pages import rules
from inflint.checks.specs import full_module_on_env_runners
from inflint.syntax.facts import Span

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inflint.checks.context import Subject, Verdicts
    from inflint.model.units import SourceFile

CHECKS = (*api.RULES, *coverage.RULES, *listing.RULES, *removal.RULES, *state.RULES)


def check_class(subject: Subject) -> Iterator[Finding]:
    """The findings on one of the framework's modules."""
    for check in CHECKS:
        yield from check(subject)


def check_file(file: SourceFile, verdicts: Verdicts) -> Iterator[Finding]:
    """The findings on what a file does with modules outside of their classes."""
    yield from full_module_on_env_runners(file, verdicts)


def unreadable_file(
    path: Path, message: str, line: int, column: int, what: str = "file"
) -> Finding:
    """INF900: nothing can be said about this file, or about one cell of a notebook."""
    rule = rules()["INF900"]
    return Finding(
        code=rule.code,
        severity=rule.severity,
        path=path,
        span=Span(line, column - 1, line, column),
        cls=None,
        message=f"the {what} cannot be read: {message}",
        fix=rule.fix,
    )
