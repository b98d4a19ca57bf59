"""Where the program begins: what is known from before is said again, all else takes click."""

from __future__ import annotations

import sys

from inflint.engine.again import Again


def main() -> None:
    """Run the command line of this process."""
    again = Again(sys.argv[1:])
    code = again.say()
    if code is not None:
        sys.exit(code)
    from inflint.cli import main as command

    command(obj=again)
