"""``--watch``: the same command again after each change."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from inflint.cli.main import fail

if TYPE_CHECKING:
    from collections.abc import Iterable

_INTERRUPTED = 130
_ARGUMENTS = "inflint.arguments"
FLAG = "--watch"


class Repeatable(click.Command):
    """Keeps its arguments as they were given."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse them, and keep them in the context."""
        ctx.meta[_ARGUMENTS] = tuple(args)
        return super().parse_args(ctx, args)


def repeat(paths: Iterable[Path], written: Iterable[Path]) -> NoReturn:
    """Run the current command without its flag, now and after each change, until Ctrl-C.

    Each run has a process of its own: it sees the files, the configuration and the environment
    as they are then.

    Args:
        paths: The command's paths.
        written: Files that it writes, which therefore are no reason to run it again.
    """
    import multiprocessing

    from inflint.engine.watch import changes
    from inflint.report.paths import one_line, shown

    context = click.get_current_context()
    arguments = [str(context.info_name), *(a for a in context.meta[_ARGUMENTS] if a != FLAG)]
    processes = multiprocessing.get_context("spawn")
    try:
        for changed in changes(tuple(paths) or (Path(),), frozenset(written)):
            if sys.stdout.isatty():
                click.clear()
            if changed:
                names = ", ".join(one_line(shown(path)) for path in sorted(changed))
                click.echo(f"changed: {names}", err=True)
            process = processes.Process(target=_run, args=(arguments,))
            process.start()
            process.join()
            click.echo("watching for changes; Ctrl-C ends", err=True)
    except ValueError as error:
        fail(str(error))
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    fail("nothing is left to watch")


def _run(arguments: list[str]) -> None:
    from inflint.cli import main

    main(arguments)
