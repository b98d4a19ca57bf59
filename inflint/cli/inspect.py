"""``inflint inspect``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inflint.cli.main import fail
from inflint.cli.options import config_options, lookup, paths_argument

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.command("inspect")
@paths_argument
@click.option(
    "--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@config_options
def command(paths: Sequence[Path], output: str, **given: Any) -> None:
    """Show each RLModule's components, and which of them inference touches.

    PATHS are files and directories; the current directory by default.
    """
    from inflint.engine.run import Request, inspect

    try:
        inspected = inspect(Request(tuple(paths) or (Path(),), lookup(given)))
    except ValueError as error:
        fail(str(error))
    if output == "json":
        from inflint.report.as_json import classes_json

        click.echo(classes_json(inspected))
        return
    from inflint.report.as_text import classes_text

    for line in classes_text(inspected):
        click.echo(line)
