"""``inflint check``."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from inflint.cli.complete import complete_rules
from inflint.cli.main import choose, fail
from inflint.cli.reports import plan_reports, report_options, write_reports
from inflint.cli.watching import FLAG, Repeatable, repeat

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
        "--select",
        multiple=True,
        metavar="RULES",
        help="Only these codes or names.",
        shell_complete=complete_rules,
    )
    ignore = click.option(
        "--ignore",
        multiple=True,
        metavar="RULES",
        help="All but these codes or names.",
        shell_complete=complete_rules,
    )
    return select(ignore(command))


@click.command("check", cls=Repeatable)
@paths_argument
@rule_options
@report_options
@click.option(FLAG, is_flag=True, help="Check again after each change, until Ctrl-C.")
@python_option
@target_option
def command(
    paths: Sequence[Path],
    select: Sequence[str],
    ignore: Sequence[str],
    python: str | None,
    target: str | None,
    *,
    watch: bool,
    **reporting: Any,
) -> None:
    """Report where the inference-only override is missing, wrong or dangerous.

    PATHS are files and directories; the current directory by default.
    Exit code: 0 clean, 1 findings, 2 usage or internal error.
    """
    from inflint.engine.run import Request, check

    started = time.perf_counter()
    request = Request(tuple(paths) or (Path(),), python, target, choose(select, ignore))
    try:
        reports = plan_reports(reporting)
        if watch:
            repeat(paths, (path for path, _ in reports.where.files))
        checked = check(request)
        if checked.findings:  # the codemod is no part of the way to a clean result
            from inflint.engine.fixing import graded

            checked = graded(checked)
    except ValueError as error:
        fail(str(error))
    complete = write_reports(checked, reports, time.perf_counter() - started)
    sys.exit(1 if checked.findings and complete else 0 if complete else 2)
