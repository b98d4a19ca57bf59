"""How a run is carried out: options that change how long it takes, never what it finds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inflint.engine.checking import Settings

_Command = TypeVar("_Command", bound="Callable[..., Any]")

cache_dir_option = click.option(
    "--cache-dir",
    type=click.Path(path_type=Path),
    help="Where the cache is; otherwise .inflint_cache in the project, or INFLINT_CACHE_DIR.",
)


def run_options(command: _Command) -> _Command:
    """``--no-cache``, ``--cache-dir``, ``--jobs``, ``--engine`` and ``--ray-address``."""
    options = (
        click.option("--no-cache", is_flag=True, help="Neither read nor write the cache."),
        cache_dir_option,
        click.option(
            "--jobs",
            default="auto",
            show_default=True,
            metavar="N",
            callback=lambda _context, _option, text: _jobs(text),
            help="Processes that share the work, or 'auto' for as many as pay.",
        ),
        click.option(
            "--engine",
            type=click.Choice(["local", "ray"]),
            default="local",
            show_default=True,
            help="Where to look at files; ray is an existing cluster (extra 'ray').",
        ),
        click.option(
            "--ray-address", metavar="ADDRESS", help="The cluster; otherwise Ray looks for one."
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def settings_of(given: Mapping[str, Any]) -> Settings:
    """What the options say."""
    from inflint.engine.checking import Settings

    return Settings(
        cache=not given["no_cache"],
        cache_directory=given["cache_dir"],
        jobs=given["jobs"],
        ray=given["engine"] == "ray",
        ray_address=given["ray_address"],
        replay=given["since"] is None,  # that asks for classes
    )


def _jobs(text: str) -> int | None:
    """A number of processes; None for ``auto``."""
    if text == "auto":
        return None
    if not text.isdecimal() or int(text) < 1:
        raise click.BadParameter(f"{text!r} is neither a number of processes nor 'auto'")
    return int(text)
