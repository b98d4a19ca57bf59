"""``inflint check``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inflint.cli.main import fail
from inflint.cli.options import config_options, lookup, paths_argument, rule_options

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inflint.config.discover import Lookup
    from inflint.engine.baseline import Compared
    from inflint.engine.run import Checked, Request

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("check")
@paths_argument
@click.option(
    "--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@rule_options
@config_options
@click.option(
    "--fail-on",
    type=click.Choice(["info", "warning", "error"]),
    help="The lowest severity that makes the exit code 1.  [default: info]",
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 although there are findings.")
@click.option("--ignore-noqa", is_flag=True, help="Show what comments hide, too.")
@click.option("--add-noqa", is_flag=True, help="Hide all findings by comments in the files.")
@click.option("--baseline", metavar="FILE", help="Report only what this file does not know.")
@click.option("--no-baseline", is_flag=True, help="Report what a configured baseline knows, too.")
@click.option("--write-baseline", type=_FILE, metavar="FILE", help="Make all findings known.")
@click.option("--prune-baseline", is_flag=True, help="Drop what is stale from the baseline.")
@click.option(
    "--since", metavar="REV", help="Report only what touches lines changed since a git revision."
)
@click.option("--show-files", is_flag=True, help="List the files that would be checked.")
def command(paths: Sequence[Path], output: str, **given: Any) -> None:
    """Report where the inference-only override is missing, wrong or dangerous.

    PATHS are files and directories; the current directory by default.
    Exit code: 0 clean, 1 findings, 2 usage or internal error.
    """
    from inflint.engine.run import Request, check

    _refuse_contradictions(given)
    found = lookup(given)
    request = Request(tuple(paths) or (Path(),), found, suppressions=not given["ignore_noqa"])
    try:
        if given["show_files"]:
            _show_files(request)
        checked = check(request)
        if not checked.files:
            click.echo("inflint: warning: no files to check under the given paths", err=True)
        if given["write_baseline"] is not None:
            _write_baseline(checked, given["write_baseline"])
        checked = _narrowed(checked, request, given)
        if given["add_noqa"]:
            _add_noqa(checked)
        if checked.findings:  # the codemod is no part of the way to a clean result
            from inflint.engine.fixing import graded

            checked = graded(checked)
    except ValueError as error:
        fail(str(error))
    if output == "json":
        from inflint.report.as_json import findings_json

        click.echo(findings_json(checked))
    else:
        from inflint.checks.pages import rules
        from inflint.report.as_text import findings_text

        for line in findings_text(checked, rules()):
            click.echo(line)
    sys.exit(0 if given["exit_zero"] else int(_fails(checked, found)))


def _refuse_contradictions(given: Mapping[str, Any]) -> None:
    if given["no_baseline"] and (given["baseline"] is not None or given["prune_baseline"]):
        fail("--no-baseline goes with neither --baseline nor --prune-baseline")
    if given["write_baseline"] is not None and (given["since"] is not None or given["add_noqa"]):
        fail("--write-baseline takes all findings; it goes with neither --since nor --add-noqa")


def _narrowed(checked: Checked, request: Request, given: Mapping[str, Any]) -> Checked:
    """What is left of a check: new by its baseline, and near to what has changed."""
    compared = None if given["no_baseline"] else _compared(checked, request)
    if compared is not None:
        checked = compared.checked
        _tell_stale(compared, prune=given["prune_baseline"])
    elif given["prune_baseline"]:
        fail("--prune-baseline needs a baseline: --baseline FILE, or the key in a file")
    if given["since"] is not None:
        from inflint.engine.since import Changes

        changes = Changes(given["since"], _directory(request.paths[0]))
        checked = checked.keeping(changes.touches)
    return checked


def _fails(checked: Checked, found: Lookup) -> bool:
    """Whether a finding is as severe as its file's settings ask for."""
    from inflint.checks.finding import SEVERITIES

    return any(
        SEVERITIES.index(finding.severity) >= SEVERITIES.index(found.of(finding.path).fail_on)
        for finding in checked.findings
    )


def _directory(path: Path) -> Path:
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - keeps links
    return absolute if absolute.is_dir() else absolute.parent


def _show_files(request: Request) -> None:
    from inflint.engine.run import files
    from inflint.report.paths import shown

    for path in files(request):
        click.echo(os.fsencode(shown(path)))
    sys.exit(0)


def _write_baseline(checked: Checked, path: Path) -> None:
    from inflint.engine.baseline import baseline_bytes, entries_of
    from inflint.fix.writing import write_file

    target = Path(os.path.abspath(path))  # noqa: PTH100 - keeps links
    data = baseline_bytes(entries_of(checked, target))
    try:
        write_file(target, data)
    except OSError as error:
        fail(f"{path}: not written: {error.strerror or error}")
    count = len(checked.findings)
    click.echo(f"Wrote {count} finding{'s' * (count != 1)} to {path}.", err=True)
    sys.exit(0)


def _compared(checked: Checked, request: Request) -> Compared | None:
    """What is left of the findings; None where no baseline is in use."""
    found = request.lookup
    used = {found.of(path).baseline for path in checked.paths}
    if not used - {None}:
        return None
    from inflint.engine.baseline import compare
    from inflint.engine.selections import Selections

    return compare(
        checked,
        lambda path: found.of(path).baseline,
        Selections(found).active,
        [_directory(path) for path in request.paths if path.is_dir()],
    )


def _tell_stale(compared: Compared, *, prune: bool) -> None:
    from inflint.engine.baseline import baseline_bytes
    from inflint.fix.writing import write_file
    from inflint.report.paths import shown

    for path, stale in compared.stale.items():
        if not stale:
            continue
        entries = f"{len(stale)} stale {'entry' if len(stale) == 1 else 'entries'}"
        if not prune:
            click.echo(
                f"inflint: warning: {shown(path)}: {entries}; --prune-baseline drops:", err=True
            )
        for entry in stale:
            words = " ".join(filter(None, (entry.code, entry.cls, entry.attribute)))
            click.echo(f"  {entry.path}: {words}", err=True)
        if prune:
            kept = [entry for entry in compared.entries[path] if entry not in set(stale)]
            try:
                write_file(path, baseline_bytes(kept))
            except OSError as error:
                fail(f"{shown(path)}: not written: {error.strerror or error}")
            click.echo(f"Dropped {entries} from {shown(path)}.", err=True)


def _add_noqa(checked: Checked) -> None:
    from inflint.engine.fixing import noqa
    from inflint.fix.writing import replace_file
    from inflint.report.paths import shown

    added = noqa(checked)
    failed = False
    for path, data in added.items():
        try:
            replace_file(path, checked.contents[path], data)
        except OSError as error:  # noqa: PERF203 - one file's failure is not another's
            failed = True
            reason = error.strerror or str(error)
            click.echo(f"inflint: {shown(path)}: not written: {reason}", err=True)
    hidden = sum(1 for f in checked.findings if f.path in added)
    click.echo(f"Wrote noqa comments for {hidden} of {len(checked.findings)} findings.", err=True)
    sys.exit(2 if failed else 0)
