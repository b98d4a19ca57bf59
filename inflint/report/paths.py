"""How paths are shown: relative to where the user stands, if they are below it."""

from __future__ import annotations

from pathlib import Path


def shown(path: Path) -> str:
    """The path as a user would type it, with forward slashes."""
    try:
        return path.relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()
