"""``--output FORMAT=FILE``: what goes where, checked before the run, written after it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from inflint.report.formats import FOR_PEOPLE, FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterable

STDOUT = "-"


class DestinationError(ValueError):
    """A report cannot go where it should."""


class Destinations(NamedTuple):
    """Where the reports go.

    Attributes:
        stdout: The format for standard output.
        files: Files, each with its format.
    """

    stdout: str
    files: tuple[tuple[Path, str], ...] = ()


def destinations(form: str | None, outputs: Iterable[str]) -> Destinations:
    """Understand ``--format`` and all ``--output``.

    Args:
        form: The format for standard output; None for that of ``--output FORMAT=-``, or text.
        outputs: Texts of the form ``FORMAT=FILE``.

    Raises:
        DestinationError: An unknown format, no file, a place that is taken, or that cannot be
            written to.
    """
    files: dict[Path, str] = {}
    for text in outputs:
        name, equals, file = text.partition("=")
        if not equals or not file:
            raise DestinationError(f"--output {text}: it has the form FORMAT=FILE")
        if name not in FORMATS:
            raise DestinationError(f"--output {text}: the formats are {', '.join(FORMATS)}")
        if file == STDOUT:
            if form is not None:
                raise DestinationError(f"--output {text}: {form} goes to standard output already")
            form = name
            continue
        path = Path(os.path.abspath(file))  # noqa: PTH100 - keeps links
        if path in files:
            raise DestinationError(f"--output {text}: {files[path]} goes to that file already")
        _check(path, text)
        files[path] = name
    return Destinations(form or "text", tuple(files.items()))


def _check(path: Path, text: str) -> None:
    if path.is_dir():
        raise DestinationError(f"--output {text}: it is a directory")
    if not path.parent.is_dir():
        raise DestinationError(f"--output {text}: there is no directory {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise DestinationError(f"--output {text}: no permission to write there")


def encoded(text: str) -> bytes:
    """UTF-8; bytes of file names that are none stay visible, as an escape that JSON reads, too."""
    return text.encode("utf-8", "backslashreplace")


def printable(line: str, form: str) -> str | bytes:
    """A line as standard output takes it: UTF-8, or for people what it has letters for.

    Names of files that are no text stay the bytes that they are, where there are letters for
    all the rest.
    """
    if form not in FOR_PEOPLE:
        return encoded(line)
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        line.encode(encoding, "surrogateescape")
    except UnicodeEncodeError:
        return line.encode(encoding, "backslashreplace").decode(encoding)
    return line
