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
        ".bzr", ".direnv", ".eggs", ".git", ".hg", ".ipynb_checkpoints", ".mypy_cache", ".nox",
        ".pyenv", ".pytest_cache", ".ruff_cache", ".svn", ".tox", ".venv", "__pypackages__",
        "__pycache__", "buck-out", "dist", "node_modules", "site-packages", "venv",
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
    found: dict[Path, None] = {}
    for argument in arguments:
        path = Path(os.path.abspath(argument))  # noqa: PTH100 - resolve() would follow links
        if path.is_dir():
            found.update(dict.fromkeys(_walk(path)))
        elif path.exists():
            found[path] = None
        else:
            raise MissingPathError(f"{argument}: no such file or directory")
    return sorted(found)


def _walk(top: Path) -> Iterator[Path]:
    rules = _inherited_rules(top)
    stack: list[tuple[Path, list[tuple[Path, GitIgnoreSpec]]]] = [(top, rules)]
    seen: set[tuple[int, int]] = set()
    while stack:
        directory, rules = stack.pop()
        try:
            status = directory.stat()
            entries = sorted(os.scandir(directory), key=lambda e: e.name)
        except OSError:
            continue
        if (status.st_dev, status.st_ino) in seen:
            continue  # a link back up
        seen.add((status.st_dev, status.st_ino))
        if any(e.name == ".gitignore" for e in entries):
            rules = [*rules, *_rules(directory)]
        for entry in entries:
            path = directory / entry.name
            if entry.is_dir():
                if entry.name not in SKIPPED and not _ignored(path, rules, directory=True):
                    stack.append((path, rules))
            elif entry.name.endswith(".py") and entry.is_file() and not _ignored(path, rules):
                yield path


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
