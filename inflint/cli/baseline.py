"""What of a check's findings is news: not in a baseline, near to what has changed."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from inflint.cli.main import fail

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inflint.engine.baseline import Compared
    from inflint.engine.run import Checked, Request

_Command = TypeVar("_Command", bound="Callable[..., Any]")
_FILE = click.Path(path_type=Path, dir_okay=False)
_OPTIONS = (
    click.option("--baseline", metavar="FILE", help="Report only what this file does not know."),
    click.option(
        "--no-baseline", is_flag=True, help="Report what a configured baseline knows, too."
    ),
    click.option("--write-baseline", type=_FILE, metavar="FILE", help="Make all findings known."),
    click.option("--prune-baseline", is_flag=True, help="Drop what is stale from the baseline."),
    click.option(
        "--since",
        metavar="REV",
        help="Report only what touches lines changed since a git revision.",
    ),
)


def baseline_options(command: _Command) -> _Command:
    """All options that :func:`narrowed` takes."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def refuse_contradictions(given: Mapping[str, Any]) -> None:
    """End with a usage error where the options above exclude each other."""
    if given["no_baseline"] and (given["baseline"] is not None or given["prune_baseline"]):
        fail("--no-baseline goes with neither --baseline nor --prune-baseline")
    if given["write_baseline"] is not None and (given["since"] is not None or given["add_noqa"]):
        fail("--write-baseline takes all findings; it goes with neither --since nor --add-noqa")


def narrowed(checked: Checked, request: Request, given: Mapping[str, Any]) -> Checked:
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


def write_baseline(checked: Checked, path: Path) -> NoReturn:
    """Write what was found to a baseline, and end."""
    from inflint.atomic import write
    from inflint.engine.baseline import baseline_bytes, entries_of

    target = Path(os.path.abspath(path))  # noqa: PTH100 - keeps links
    data = baseline_bytes(entries_of(checked, target))
    try:
        write(target, data)
    except OSError as error:
        fail(f"{path}: not written: {error.strerror or error}")
    count = len(checked.findings)
    click.echo(f"Wrote {count} finding{'s' * (count != 1)} to {path}.", err=True)
    sys.exit(0)


def _compared(checked: Checked, request: Request) -> Compared | None:
    """What is left of the findings; None where no baseline is in use."""
    found = request.lookup
    from inflint.engine.run import directories_of

    used = {found.at(directory).baseline for directory in directories_of(checked.paths)}
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
    from inflint.atomic import write
    from inflint.engine.baseline import baseline_bytes
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
                write(path, baseline_bytes(kept))
            except OSError as error:
                fail(f"{shown(path)}: not written: {error.strerror or error}")
            click.echo(f"Dropped {entries} from {shown(path)}.", err=True)


def _directory(path: Path) -> Path:
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - keeps links
    return absolute if absolute.is_dir() else absolute.parent
