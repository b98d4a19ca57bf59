"""``inflint clean``."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from inflint.cli.main import fail
from inflint.cli.running import cache_dir_option


@click.command("clean")
@click.argument("path", default=".", type=click.Path(path_type=Path))
@cache_dir_option
def command(path: Path, cache_dir: Path | None) -> None:
    """Delete the cache of the project that PATH is in."""
    from inflint.engine.entries import TAG
    from inflint.engine.store import find_store

    start = path.absolute()
    directory = find_store(cache_dir, start if start.is_dir() else start.parent).directory
    if not directory.exists():
        click.echo(f"no cache at {directory}")
        return
    if not (directory / TAG).is_file():
        fail(f"{directory} is no cache of inflint: there is no {TAG} in it")
    try:
        shutil.rmtree(directory)
    except OSError as error:
        fail(f"{directory}: {error.strerror or error}")
    click.echo(f"deleted {directory}")
