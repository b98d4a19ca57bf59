"""Where the program begins: what is known from before is said again, all else takes click."""

from __future__ import annotations

import atexit
import gc
import sys

from inflint.engine.again import Again

_COLLECT = (250_000, 20, 100)


def main() -> None:
    """Run the command line of this process."""
    collect_seldom()
    again = Again(sys.argv[1:])
    code = again.say()
    if code is not None:
        sys.exit(code)
    from inflint.cli import main as command

    command(obj=again)


def collect_seldom() -> None:
    """Look for garbage less often than usual, and no more at the end.

    Modules and facts are many and live to the end: looking for garbage among them costs a
    third of a long run, and a tenth of a short one.
    """
    gc.set_threshold(*_COLLECT)
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)
