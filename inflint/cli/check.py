"""``inflint check``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from inflint.cli.main import choose, fail
from inflint.cli.running import run_options, settings_of
from inflint.report.paths import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_Command = TypeVar("_Command", bound="Callable[..., Any]")

python_option = click.option(
    "--python",
    metavar="PATH",
    help="Interpreter or virtual environment that the code imports from.",
)
target_option = click.option(
    "--target-ray",
    "target",
    metavar="RELEASE",
    help="Ray's release, or a range such as '>=2.40,<2.53'; otherwise it is found out.",
)
paths_argument = click.argument("paths", nargs=-1, type=click.Path(path_type=Path))


def rule_options(command: _Command) -> _Command:
    """``--select`` and ``--ignore``."""
    select = click.option(
        "--select", multiple=True, metavar="RULES", help="Only these codes or names."
    )
    ignore = click.option(
        "--ignore", multiple=True, metavar="RULES", help="All but these codes or names."
    )
    return select(ignore(command))


@click.command("check")
@paths_argument
@click.option(
    "--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@rule_options
@python_option
@target_option
@run_options
def command(
    paths: Sequence[Path],
    output: str,
    select: Sequence[str],
    ignore: Sequence[str],
    python: str | None,
    target: str | None,
    **running: Any,
) -> None:
    """Report where the inference-only override is missing, wrong or dangerous.

    PATHS are files and directories; the current directory by default.
    Exit code: 0 clean, 1 findings, 2 usage or internal error.
    """
    from inflint.engine.checking import check_cached
    from inflint.engine.run import Request

    request = Request(tuple(paths) or (Path(),), python, target, choose(select, ignore))
    try:
        checked = check_cached(request, settings_of(**running))
    except ValueError as error:
        fail(str(error))
    if output == "json":
        from inflint.report.as_json import findings_json

        click.echo(findings_json(checked))
    else:
        from inflint.report.as_text import findings_text

        for line in findings_text(checked):
            click.echo(line)
    for path, how in checked.faults:
        click.echo(f"inflint: {shown(path)}: not checked, by a fault in inflint: {how}", err=True)
    sys.exit(2 if checked.faults else 1 if checked.findings else 0)
