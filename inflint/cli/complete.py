"""What the shell offers for arguments: rules and formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem


def complete_rule(
    ctx: click.Context,  # noqa: ARG001 - click's signature
    param: click.Parameter,  # noqa: ARG001
    incomplete: str,
) -> list[CompletionItem]:
    """Codes and names of rules that begin so."""
    return _rules(incomplete, "")


def complete_rules(
    ctx: click.Context,  # noqa: ARG001 - click's signature
    param: click.Parameter,  # noqa: ARG001
    incomplete: str,
) -> list[CompletionItem]:
    """The same after the last comma of a list."""
    done, comma, last = incomplete.rpartition(",")
    return _rules(last, done + comma)


def complete_output(
    ctx: click.Context,  # noqa: ARG001 - click's signature
    param: click.Parameter,  # noqa: ARG001
    incomplete: str,
) -> list[CompletionItem]:
    """Formats with the equals sign; behind it, the shell's own completion of files."""
    from click.shell_completion import CompletionItem

    from inflint.report.formats import FORMATS

    if "=" in incomplete:
        return [CompletionItem(incomplete, type="file")]
    return [CompletionItem(f"{form}=") for form in FORMATS if form.startswith(incomplete)]


def _rules(incomplete: str, before: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    from inflint.checks.pages import rules

    items = []
    for rule in rules().values():
        if rule.code.startswith(incomplete.upper()):
            items.append(CompletionItem(before + rule.code, help=rule.name))
        if incomplete and rule.name.startswith(incomplete.lower()):
            items.append(CompletionItem(before + rule.name, help=rule.code))
    return items
