"""The options for what a check reports, how and where."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from inflint.cli.complete import complete_output
from inflint.report.formats import COUNTED, FOR_PEOPLE, FORMATS, FROM_HERE, SUMMARISED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from inflint.checks.pages import Rule
    from inflint.engine.run import Checked
    from inflint.report.destinations import Destinations

_Command = TypeVar("_Command", bound="Callable[..., Any]")

_OPTIONS = (
    click.option(
        "--format",
        type=click.Choice(FORMATS),
        help="What goes to standard output.  [default: text]",
    ),
    click.option(
        "--output",
        multiple=True,
        metavar="FORMAT=FILE",
        help="A report in a file; - is standard output. May be given several times.",
        shell_complete=complete_output,
    ),
    click.option("--statistics", is_flag=True, help="Counts per rule instead of the findings."),
    click.option("-q", "--quiet", is_flag=True, help="Findings only, without the summary."),
    click.option("-v", "--verbose", is_flag=True, help="Say on standard error what was done."),
)


def report_options(command: _Command) -> _Command:
    """All options that :func:`plan_reports` takes."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


class Reports(NamedTuple):
    """What to report, and where.

    Attributes:
        where: Formats and files.
        statistics: Standard output gets counts.
        quiet: It gets no summary.
        verbose: Standard error gets an account of the run.
    """

    where: Destinations
    statistics: bool
    quiet: bool
    verbose: bool

    @property
    def repeatable(self) -> bool:
        """Whether it all goes to standard output, and depends on nothing but the check."""
        where = self.where
        return not (where.files or self.verbose) and where.stdout in FROM_HERE


def plan_reports(given: dict[str, Any]) -> Reports:
    """Understand the options, before anything is checked.

    Raises:
        ValueError: They contradict each other, or a report cannot go where it should.
    """
    from inflint.report.destinations import destinations

    where = destinations(given["format"], given["output"])
    if given["statistics"] and where.stdout not in COUNTED:
        raise ValueError(f"--statistics has the formats {' and '.join(COUNTED)} only")
    return Reports(where, given["statistics"], given["quiet"], given["verbose"])


def write_reports(checked: Checked, reports: Reports, seconds: float) -> bytes | None:
    """Print and write everything.

    Returns:
        What standard output got; None where not all could be written.
    """
    from inflint.report.paths import shown

    failed: dict[str, OSError] = {}
    said = b""
    try:
        said = _print(checked, reports)
    except BrokenPipeError:
        raise
    except OSError as problem:
        failed["standard output"] = problem
    for path, form in reports.where.files:
        try:
            _write(checked, path, form)
        except OSError as problem:  # noqa: PERF203 - one file's failure is not another's
            failed[shown(path)] = problem
    for name, reason in failed.items():
        click.echo(f"inflint: {name}: not written: {reason.strerror or reason}", err=True)
    if reports.verbose:
        from inflint.report.verbose import account

        for line in account(checked, seconds):
            click.echo(line, err=True)
    return None if failed else said


def _print(checked: Checked, reports: Reports) -> bytes:
    from inflint.report.destinations import printable
    from inflint.report.formats import counter, renderer

    form = reports.where.stdout
    render = counter(form) if reports.statistics else renderer(form)
    pages = {} if form in FOR_PEOPLE and not checked.findings else _pages()
    said = [_echo(printable(line, form)) for line in render(checked, pages)]
    if form in SUMMARISED and not (reports.quiet or reports.statistics):
        from inflint.report.as_text import summary

        said.append(_echo(summary(checked)))
    return b"".join(said)


def _echo(line: str | bytes) -> bytes:
    """Print a line; the bytes that standard output gets."""
    click.echo(line)
    if isinstance(line, bytes):
        return line + b"\n"
    colour = click.get_current_context().color
    text = line if colour or (colour is None and sys.stdout.isatty()) else click.unstyle(line)
    return f"{text}\n".encode(sys.stdout.encoding, "surrogateescape")


def _write(checked: Checked, path: Path, form: str) -> None:
    from inflint.atomic import write  # with tempfile, which is slow to import
    from inflint.report.destinations import encoded
    from inflint.report.formats import renderer

    lines = renderer(form)(checked, _pages())
    write(path, encoded("".join(f"{click.unstyle(line)}\n" for line in lines)))


def _pages() -> Mapping[str, Rule]:
    from inflint.checks.pages import rules  # some thirty files to read

    return rules()
