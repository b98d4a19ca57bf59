"""``inflint fix``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inflint.cli.main import fail
from inflint.cli.options import config_options, lookup, paths_argument, rule_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inflint.fix.passes import Outcome

_STDIN = Path("-")


@click.command("fix")
@paths_argument
@click.option("--write", is_flag=True, help="Change the files instead of printing a diff.")
@click.option("--unsafe-fixes", is_flag=True, help="Make the unsafe edits, too.")
@rule_options
@click.option(
    "--stdin-filename",
    type=click.Path(path_type=Path),
    help="What the text on standard input is called, where PATHS is -.",
)
@config_options
def command(
    paths: Sequence[Path],
    stdin_filename: Path | None,
    *,
    write: bool,
    unsafe_fixes: bool,
    **given: Any,
) -> None:
    """Write what check found: the diff, or with --write the files.

    PATHS are files and directories; the current directory by default. With - standard input
    is read, and standard output gets the result. The summary goes to standard error.
    Exit code: 0 nothing to change, or done; 1 there is a diff; 2 usage or internal error, or
    a file that could not be written.
    """
    from inflint.engine.fixing import fix
    from inflint.engine.run import Request

    overlay: dict[Path, bytes] = {}
    if _STDIN in paths:
        if len(paths) > 1:
            fail("- stands alone: standard input is one file")
        name = Path(os.path.abspath(stdin_filename or "stdin.py"))  # noqa: PTH100 - keeps links
        overlay[name] = sys.stdin.buffer.read()
        paths = [name]
    request = Request(tuple(paths) or (Path(),), lookup(given), overlay=overlay)
    try:
        outcome = fix(request, unsafe=unsafe_fixes)
    except ValueError as error:
        fail(str(error))
    if overlay:
        sys.stdout.buffer.write(next(iter({**overlay, **outcome.after}.values())))
        sys.stdout.buffer.flush()
        _summarise(outcome, set(), done=True)
        return
    failed = _write(outcome) if write else set()
    if not write:
        _print_diff(outcome)
    _summarise(outcome, failed, done=write)
    sys.exit(2 if failed else 1 if outcome.after and not write else 0)


def _write(outcome: Outcome) -> set[Path]:
    """Write all files that can be written; those that cannot are named and returned."""
    from inflint.fix.writing import replace_file
    from inflint.report.paths import shown

    failed = set()
    for path, after in outcome.after.items():
        try:
            replace_file(path, outcome.before[path], after)
        except OSError as error:  # noqa: PERF203 - one file's failure is not another's
            failed.add(path)
            reason = error.strerror or str(error)
            click.echo(f"inflint: {shown(path)}: not written: {reason}", err=True)
    return failed


def _print_diff(outcome: Outcome) -> None:
    from inflint.report.as_diff import file_diff

    for path, after in outcome.after.items():
        for line in file_diff(path, outcome.before[path], after):
            sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


def _summarise(outcome: Outcome, failed: set[Path], *, done: bool) -> None:
    from inflint.report.fixes import summary

    for line in summary(outcome, failed, done=done):
        click.echo(line, err=True)
