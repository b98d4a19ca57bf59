"""``inflint check``."""

from __future__ import annotations

import os
import sys
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from inflint.cli.baseline import baseline_options, narrowed, refuse_contradictions, write_baseline
from inflint.cli.main import fail
from inflint.cli.options import (
    config_options,
    lookup,
    paths_argument,
    read_input,
    rule_options,
    stdin_option,
)
from inflint.cli.progress import Progress
from inflint.cli.reports import plan_reports, report_options, write_reports
from inflint.cli.running import run_options, settings_of
from inflint.cli.watching import FLAG, Repeatable, repeat
from inflint.engine.again import Again
from inflint.report.paths import shown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from inflint.config.discover import Lookup
    from inflint.engine.run import Checked, Request


@click.command("check", cls=Repeatable)
@paths_argument
@rule_options
@stdin_option
@report_options
@config_options
@run_options
@click.option(
    "--fail-on",
    type=click.Choice(["info", "warning", "error"]),
    help="The lowest severity that makes the exit code 1.  [default: info]",
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 although there are findings.")
@click.option("--ignore-noqa", is_flag=True, help="Show what comments hide, too.")
@click.option("--add-noqa", is_flag=True, help="Hide all findings by comments in the files.")
@baseline_options
@click.option("--show-files", is_flag=True, help="List the files that would be checked.")
@click.option(FLAG, is_flag=True, help="Check again after each change, until Ctrl-C.")
def command(paths: Sequence[Path], **given: Any) -> None:
    """Report where the inference-only override is missing, wrong or dangerous.

    PATHS are files and directories; the current directory by default. With - standard input
    is read. A directory gives its Python files and notebooks; Markdown has to be named.
    Exit code: 0 clean, 1 findings, 2 usage or internal error.
    """
    from inflint.engine.checking import check_cached
    from inflint.engine.run import Request

    refuse_contradictions(given)
    started = time.perf_counter()
    found = lookup(given)
    paths, overlay = read_input(paths, given["stdin_filename"])
    request = Request(paths, found, overlay=overlay, suppressions=not given["ignore_noqa"])
    try:
        reports = plan_reports(given)
        if given["watch"]:
            repeat(paths, (path for path, _ in reports.where.files))
        if given["show_files"]:
            _show_files(request)
        with closing(Progress(quiet=reports.quiet)) as progress:
            checked = check_cached(request, settings_of(given)._replace(progress=progress))
        if not checked.files:
            click.echo("inflint: warning: no files to check under the given paths", err=True)
        if given["write_baseline"] is not None:
            write_baseline(checked, given["write_baseline"])
        everything, checked = checked, narrowed(checked, request, given)
        whole = checked is everything
        if given["add_noqa"]:
            _add_noqa(checked)
        if checked.findings:
            from inflint.engine.places import located

            checked = located(checked)
    except ValueError as error:
        fail(str(error))
    said = write_reports(checked, reports, time.perf_counter() - started)
    for path, how in checked.faults:
        click.echo(f"inflint: {shown(path)}: not checked, by a fault in inflint: {how}", err=True)
    if said is None or checked.faults:
        sys.exit(2)
    code = 0 if given["exit_zero"] else int(_fails(checked, found))
    if checked.paths and whole and reports.repeatable:
        _remember(checked, said, code)
    sys.exit(code)


def _remember(checked: Checked, said: bytes, code: int) -> None:
    """Keep what was said for the same command line, where this is the program's own."""
    again = click.get_current_context().find_object(Again)
    if again is not None:
        again.remember(checked.cache, checked.consulted, said, code)


def _fails(checked: Checked, found: Lookup) -> bool:
    """Whether a finding is as severe as its file's settings ask for."""
    from inflint.config.schema import SEVERITIES

    return any(
        SEVERITIES.index(finding.severity) >= SEVERITIES.index(found.of(finding.path).fail_on)
        for finding in checked.findings
    )


def _show_files(request: Request) -> None:
    from inflint.engine.run import files

    for path in files(request):
        click.echo(os.fsencode(shown(path)))
    sys.exit(0)


def _add_noqa(checked: Checked) -> None:
    from inflint.engine.fixing import noqa
    from inflint.fix.writing import replace_file

    hidden = failed = 0
    for path, after in noqa(checked).items():
        try:
            replace_file(path, checked.whole(path), after.data)
            hidden += after.findings
        except OSError as error:  # noqa: PERF203 - one file's failure is not another's
            failed += 1
            reason = error.strerror or str(error)
            click.echo(f"inflint: {shown(path)}: not written: {reason}", err=True)
    click.echo(f"Wrote noqa comments for {hidden} of {len(checked.findings)} findings.", err=True)
    sys.exit(2 if failed else 0)
