"""``inflint config``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from inflint.cli.main import fail
from inflint.cli.options import config_options, lookup, rule_options


@click.command("config")
@click.argument("path", type=click.Path(path_type=Path), default=Path())
@click.option(
    "--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@rule_options
@config_options
def command(path: Path, output: str, **given: Any) -> None:
    """Show the settings in force for PATH, and where each was set.

    PATH is a file or directory; the current directory by default.
    """
    from inflint.checks.selection import select
    from inflint.report.settings import settings_json, settings_text

    place = Path(os.path.abspath(path))  # noqa: PTH100 - keeps links
    if not place.exists():
        fail(f"{path}: no such file or directory")
    try:
        settings = lookup(given).at(place if place.is_dir() else place.parent)
        rules = select(settings).of(place)
    except ValueError as error:
        fail(str(error))
    if output == "json":
        click.echo(settings_json(settings, rules))
        return
    for line in settings_text(settings, rules):
        click.echo(line)
