"""Options that several commands share, and the settings that they make."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from inflint.cli.complete import complete_rules
from inflint.cli.main import fail

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inflint.config.discover import Lookup

_Command = TypeVar("_Command", bound="Callable[..., Any]")

python_option = click.option(
    "--python",
    metavar="PATH",
    help="Interpreter or virtual environment that the code imports from.",
)
paths_argument = click.argument("paths", nargs=-1, type=click.Path(path_type=Path))

_RULES = tuple(
    click.option(name, multiple=True, metavar="RULES", help=text, shell_complete=complete_rules)
    for name, text in (
        ("--select", "Only these codes or names."),
        ("--ignore", "All but these codes or names."),
        ("--extend-select", "These besides."),
    )
)
_CONFIG = (
    python_option,
    click.option(
        "--target-ray",
        metavar="RELEASE",
        help="Ray's release, or a range such as '>=2.40,<2.53'; otherwise it is found out.",
    ),
    click.option(
        "--config",
        multiple=True,
        metavar="FILE|KEY=VALUE",
        help="A configuration file instead of those beside the code, or one setting as TOML.",
    ),
    click.option("--isolated", is_flag=True, help="Read no configuration files."),
    click.option(
        "--exclude", multiple=True, metavar="GLOB", help="Leave out these files and directories."
    ),
    click.option("--extend-exclude", multiple=True, metavar="GLOB", help="Leave out these, too."),
    click.option(
        "--respect-gitignore/--no-respect-gitignore",
        default=None,
        help="Leave out what .gitignore files leave out.  [default: respect]",
    ),
    click.option(
        "--force-exclude/--no-force-exclude",
        default=None,
        help="Leave out excluded files even where PATHS name them.",
    ),
)
_LISTS = ("select", "ignore", "extend_select", "exclude", "extend_exclude")
_SINGLE = ("python", "target_ray", "respect_gitignore", "force_exclude", "fail_on", "baseline")


def rule_options(command: _Command) -> _Command:
    """Which rules: ``--select``, ``--ignore``, ``--extend-select``."""
    for option in reversed(_RULES):
        command = option(command)
    return command


def config_options(command: _Command) -> _Command:
    """What a configuration file could say as well, and which file is read."""
    for option in reversed(_CONFIG):
        command = option(command)
    return command


def lookup(given: Mapping[str, Any]) -> Lookup:
    """What finds the settings of each file, below what the command line says.

    Args:
        given: The values of the options above, by their Python names.
    """
    from inflint.config.discover import Lookup
    from inflint.config.settings import ConfigError

    values: dict[str, Any] = {}
    for name in _LISTS:
        parts = [p.strip() for text in given.get(name) or () for p in text.split(",") if p.strip()]
        if parts:
            values[name.replace("_", "-")] = parts
    for name in _SINGLE:
        if given.get(name) is not None:
            values[name.replace("_", "-")] = given[name]
    try:
        return Lookup(values, given.get("config") or (), isolated=bool(given.get("isolated")))
    except ConfigError as error:
        fail(str(error))
