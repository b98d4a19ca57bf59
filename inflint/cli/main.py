"""``inflint``: the group of all commands."""

from __future__ import annotations

import importlib
import io
import os
import sys
from typing import NoReturn

import click

from inflint import __version__
from inflint.start import collect_seldom

_COMMANDS = {
    "check": "Report where the inference-only override is missing, wrong or dangerous.",
    "fix": "Write the override, repair the list: a diff, or with --write the files.",
    "inspect": "Show each RLModule's components, and which of them inference touches.",
    "verify": "Build a module, strip it, sync and run it: prove that its list is right.",
    "clean": "Delete the cache of a project.",
    "config": "Show the settings in force for a path, and where each was set.",
    "explain": "Explain a rule.",
    "snapshot": "Record the facts of RLlib's own classes, for where Ray is not installed.",
    "rules": "List all rules.",
}


class _Lazy(click.Group):
    """Imports a command's module when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"inflint.cli.{cmd_name}")
        command = module.command
        assert isinstance(command, click.Command)  # noqa: S101 - each module defines one
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; a fault of inflint's own ends with exit code 2, as usage errors do."""
        try:
            return super().invoke(ctx)
        except (click.exceptions.Exit, click.Abort, click.ClickException, BrokenPipeError):
            raise  # click ends quietly where nobody reads on
        except Exception:  # noqa: BLE001 - whatever it is, the user must not take it for findings
            import traceback

            click.echo(traceback.format_exc(), err=True)
            fail("this is a fault in inflint; please report it with the lines above")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="inflint")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Find what RLlib's EnvRunners carry but never use, from source alone."""
    ctx.color = _colour()
    collect_seldom()
    if isinstance(sys.stdout, io.TextIOWrapper):  # file names that are no text go out as they are
        sys.stdout.reconfigure(errors="surrogateescape")


def _colour() -> bool | None:
    """``NO_COLOR`` and ``FORCE_COLOR``; otherwise a terminal decides."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return None


def fail(message: str) -> NoReturn:
    """End with a usage error: exit code 2."""
    click.echo(f"inflint: {message}", err=True)
    sys.exit(2)
