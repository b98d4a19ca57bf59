"""Which files: what the arguments name, minus what ignore files and habit leave out."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pathspec import GitIgnoreSpec

SKIPPED = frozenset(
    (
        ".bzr", ".direnv", ".eggs", ".git", ".hg", ".inflint_cache", ".ipynb_checkpoints",
        ".mypy_cache", ".nox", ".pyenv", ".pytest_cache", ".ruff_cache", ".svn", ".tox", ".venv",
        "__pypackages__", "__pycache__", "buck-out", "dist", "node_modules", "site-packages",
        "venv",
    )
)  # fmt: skip
"""Directories that are entered only when an argument names them or something in them."""


class MissingPathError(ValueError):
    """An argument names nothing."""


def discover(arguments: Iterable[Path]) -> list[Path]:
    """The Python files that the arguments name, each once, in a stable order.

    A file that is named is taken whatever its suffix; a directory gives its ``*.py``,
    without what ``.gitignore`` files leave out.

    Raises:
        MissingPathError: An argument does not exist.
    """
    found: dict[str, None] = {}
    for argument in arguments:
        path = os.path.abspath(argument)  # noqa: PTH100 - resolve() would follow links
        if os.path.isdir(path):  # noqa: PTH112 - a string, as all paths here
            found.update(dict.fromkeys(_walk(path)))
        elif os.path.exists(path):  # noqa: PTH110
            found[path] = None
        else:
            raise MissingPathError(f"{argument}: no such file or directory")
    return [Path(name) for name in sorted(found)]


def _walk(top: str) -> Iterator[str]:
    """Plain text instead of Path objects: this runs for each file of a tree."""
    stack = [(top, _inherited_rules(Path(top)))]
    seen: set[tuple[int, int]] = set()
    while stack:
        directory, rules = stack.pop()
        try:
            status = os.stat(directory)  # noqa: PTH116
            with os.scandir(directory) as entries:
                inside = list(entries)
        except OSError:
            continue
        if (status.st_dev, status.st_ino) in seen:
            continue  # a link back up
        seen.add((status.st_dev, status.st_ino))
        if any(entry.name == ".gitignore" for entry in inside):
            rules = [*rules, *_rules(Path(directory))]
        for entry in inside:
            name = entry.name
            if name.endswith(".py") and entry.is_file():
                if not (rules and _ignored(Path(entry.path), rules)):
                    yield entry.path
            elif (
                name not in SKIPPED
                and entry.is_dir()
                and not (rules and _ignored(Path(entry.path), rules, directory=True))
            ):
                stack.append((entry.path, rules))


def _inherited_rules(top: Path) -> list[tuple[Path, GitIgnoreSpec]]:
    """Rules from the repository's root down to ``top``, unless they ignore ``top`` itself."""
    parents = [*top.parents]
    root = next((p for p in [top, *parents] if (p / ".git").exists()), None)
    if root is None or root == top:
        return []
    between = parents[: parents.index(root) + 1]
    rules = [rule for parent in reversed(between) for rule in _rules(parent)]
    for path in [top, *between[:-1]]:
        if _ignored(path, rules, directory=True):
            return []
    return rules


def _rules(directory: Path) -> list[tuple[Path, GitIgnoreSpec]]:
    try:
        lines = (directory / ".gitignore").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    from pathspec import GitIgnoreSpec

    return [(directory, GitIgnoreSpec.from_lines(lines.splitlines()))]


def _ignored(
    path: Path, rules: list[tuple[Path, GitIgnoreSpec]], *, directory: bool = False
) -> bool:
    suffix = "/" if directory else ""
    for base, spec in reversed(rules):
        if base in path.parents:
            answer = spec.check_file(f"{path.relative_to(base).as_posix()}{suffix}").include
            if answer is not None:
                return bool(answer)
    return False
