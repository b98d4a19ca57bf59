"""How far a long run has come: one line on a terminal's standard error."""

from __future__ import annotations

import sys
import time

import click

AFTER = 1.0
"""Seconds that a run takes before there is anything to see."""
_EACH = 0.1
"""Seconds from one state of the line to the next."""
_BLANK = "\r\x1b[K"


class Progress:
    """Shows steps until it is closed; then nothing is left of them.

    Args:
        quiet: Show nothing; as where standard error is no terminal.
    """

    def __init__(self, *, quiet: bool) -> None:
        self._due = time.perf_counter() + AFTER
        self._shows = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._shown = False

    def close(self) -> None:
        """Blank the line."""
        self._shows = False
        if self._shown:
            click.echo(_BLANK, err=True, nl=False, color=True)

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show a step, if it is time: what is done, how often it is, and how often it must be."""
        now = time.perf_counter()
        if self._shows and now >= self._due:
            self._due = now + _EACH
            self._shown = True
            click.echo(f"{_BLANK}{what}: {done} of {total}", err=True, nl=False, color=True)
