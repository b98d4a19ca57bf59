"""The command line. Commands are imported when they are called."""

from inflint.cli.main import main

__all__ = ["main"]
