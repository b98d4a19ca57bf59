"""``inflint rules``."""

from __future__ import annotations

import click


@click.command("rules")
def command() -> None:
    """List all rules: code, name, usual severity and whether a fix is safe."""
    from inflint.checks.pages import rules

    known = list(rules().values())
    width = max(len(rule.name) for rule in known)
    for rule in known:
        click.echo(f"{rule.code}  {rule.name:<{width}}  {rule.severity:<7}  fix: {rule.fix}")
