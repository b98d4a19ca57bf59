"""Where the knowledge in ``rules/`` is: inside an installed package, or beside a checkout."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

INDEX = "index.txt"


class Index(NamedTuple):
    """What the profile and the snapshots say of names, for a first look at a file.

    ``rules/index.txt`` holds it, so that a run that finds no module in question need not
    read them, nor import what reads them; ``inflint snapshot --index`` makes it anew.

    Attributes:
        roots: Dotted names of the framework's base classes and APIs.
        opaque: Modules whose sources are never followed.
        recorded: The modules of the framework that some snapshot holds.
        marks: What a file mentions that builds specs of several policies.
    """

    roots: tuple[str, ...]
    opaque: tuple[str, ...]
    recorded: tuple[str, ...]
    marks: tuple[str, ...]


@lru_cache(maxsize=1)
def read_index() -> Index:
    """The index that ships with inflint."""
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in (rules_directory() / INDEX).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            lines = sections[line[1:-1]] = []
        else:
            lines.append(line)
    return Index(*(tuple(sections[name]) for name in Index._fields))


def rules_directory() -> Path:
    """The directory with the rule pages and the framework profile.

    Raises:
        FileNotFoundError: The installation is incomplete.
    """
    package = Path(__file__).parent
    for candidate in (package / "rules", package.parent / "rules"):
        if (candidate / "rllib.toml").is_file():
            return candidate
    raise FileNotFoundError(f"inflint's rules are missing beside {package}; reinstall inflint")
