"""``inflint``: the group of all commands."""

from __future__ import annotations

import importlib
import os
import sys
from typing import TYPE_CHECKING

import click

from inflint import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

_COMMANDS = {
    "check": "Report where the inference-only override is missing, wrong or dangerous.",
    "inspect": "Show each RLModule's components, and which of them inference touches.",
    "verify": "Build a module, strip it, sync and run it: prove that its list is right.",
    "explain": "Explain a rule.",
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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, package_name="inflint")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Find what RLlib's EnvRunners carry but never use, from source alone."""
    ctx.color = _colour()


def _colour() -> bool | None:
    """``NO_COLOR`` and ``FORCE_COLOR``; otherwise a terminal decides."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return None


def fail(message: str) -> None:
    """End with a usage error: exit code 2."""
    click.echo(f"inflint: {message}", err=True)
    sys.exit(2)


def choose(select: Sequence[str], ignore: Sequence[str]) -> frozenset[str] | None:
    """The rules that ``--select`` and ``--ignore`` leave."""
    if not select and not ignore:
        return None
    from inflint.checks.pages import resolve, rules

    def expand(texts: Sequence[str]) -> set[str]:
        found: set[str] = set()
        for text in texts:
            for part in filter(None, text.split(",")):
                try:
                    found.update(resolve(part))
                except KeyError:
                    fail(f"no rule matches {part.strip()!r}; 'inflint rules' lists them")
        return found

    return frozenset((expand(select) if select else set(rules())) - expand(ignore))
