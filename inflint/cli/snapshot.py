"""``inflint snapshot``."""

from __future__ import annotations

from pathlib import Path

import click

from inflint.cli.main import fail
from inflint.cli.options import python_option


@click.command("snapshot")
@click.option("--package", default="ray", show_default=True, help="The framework's package.")
@click.option(
    "--wheel",
    type=click.Path(path_type=Path),
    help="A wheel of the package; otherwise the installed one is read.",
)
@click.option("--index", is_flag=True, help="Make the index of all snapshots instead.")
@click.option("--out", type=click.Path(path_type=Path), help="File or directory to write.")
@python_option
def command(
    package: str, wheel: Path | None, out: Path | None, python: str | None, *, index: bool
) -> None:
    """Record the facts of the framework's own classes, for where it is not installed.

    A directory as --out gets a file named after package and release.
    """
    from inflint.data import INDEX, rules_directory
    from inflint.engine.snapshot import index as make_index
    from inflint.engine.snapshot import snapshot_of
    from inflint.model.environment import find_environment

    if index:
        data = make_index()
        target = out or rules_directory() / INDEX
        target.write_bytes(data)
        click.echo(f"{target}: {len(data):,} bytes")
        return
    if out is None:
        fail("--out is missing: where should the snapshot go?")
    try:
        version, data = snapshot_of(package, wheel, find_environment(python, Path.cwd()))
        target = out / f"{package}-{version}.json.gz" if out.is_dir() else out
        target.write_bytes(data)
    except (ValueError, OSError) as error:
        fail(str(error))
    click.echo(f"{target}: {package} {version}, {len(data):,} bytes")
