"""``inflint explain``."""

from __future__ import annotations

import click

from inflint.cli.complete import complete_rule
from inflint.cli.main import fail


@click.command("explain")
@click.argument("rule", shell_complete=complete_rule)
def command(rule: str) -> None:
    """Explain RULE, given by code or name: what it does, why, and examples."""
    from inflint.checks.pages import resolve, rules

    try:
        codes = resolve(rule)
    except KeyError:
        fail(f"no rule matches {rule!r}; 'inflint rules' lists them")
    for code in codes:
        click.echo(rules()[code].text)
