"""``inflint explain``."""

from __future__ import annotations

import click

from inflint.cli.complete import complete_rule
from inflint.cli.main import fail


@click.command("explain")
@click.argument("rule", shell_complete=complete_rule)
def command(rule: str) -> None:
    """Explain RULE, given by code or name: what it does, why, and examples."""
    from inflint.checks.pages import UnknownRuleError, resolve, rules

    try:
        codes = resolve(rule)
    except UnknownRuleError as error:
        fail(str(error))
    for code in codes:
        click.echo(rules()[code].text)
