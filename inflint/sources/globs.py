"""Patterns of paths, with the meaning they have in ``.gitignore``."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pathspec import GitIgnoreSpec

INCLUDED = ("*.py", "*.ipynb")
"""What is looked at in a directory. Other documents have to be named, or included."""
SKIPPED = (
    ".bzr", ".direnv", ".eggs", ".git", ".hg", ".inflint_cache", ".ipynb_checkpoints",
    ".mypy_cache", ".nox", ".pyenv", ".pytest_cache", ".ruff_cache", ".svn", ".tox", ".venv",
    "__pypackages__", "__pycache__", "buck-out", "dist", "node_modules", "site-packages", "venv",
)  # fmt: skip
"""Directories that are entered only when an argument names them or something in them."""
_WILD = frozenset("*?[!\\/")


class Glob(NamedTuple):
    """A pattern, and the directory that it is relative to.

    A pattern without a slash inside holds for names at any depth, wherever they are.
    """

    base: Path
    text: str

    @property
    def is_name(self) -> bool:
        """Whether it is a plain name."""
        return not _WILD.intersection(self.text.rstrip("/"))

    @property
    def is_anchored(self) -> bool:
        """Whether it depends on the directory."""
        return "/" in self.text.rstrip("/")


class Globs:
    """A list of patterns; of several that match, the last one counts, and ``!`` lets in again."""

    def __init__(self, globs: Iterable[Glob]) -> None:
        self._globs = tuple(globs)
        negated = any(glob.text.startswith("!") for glob in self._globs)
        self._names = frozenset(
            g.text.rstrip("/") for g in self._globs if g.is_name and not negated
        )
        self._directories = self._names.difference(g.text for g in self._globs)
        self._suffixes = tuple(
            g.text[1:]
            for g in self._globs
            if g.text.startswith("*.") and not negated and not _WILD.intersection(g.text[1:])
        )
        self._rest = tuple(
            g
            for g in self._globs
            if negated
            or not (g.is_name or (g.text.startswith("*.") and g.text[1:] in self._suffixes))
        )

    def match(self, path: Path, *, directory: bool = False) -> bool:
        """Whether a file or directory itself matches; what lies below is asked on its own."""
        return self.match_in(path.parent, path.name, directory=directory)

    def match_in(self, parent: Path, name: str, *, directory: bool = False) -> bool:
        """The same, for an entry of a directory; few patterns need more than its name."""
        if name in self._names and (directory or name not in self._directories):
            return True
        if self._suffixes and name.endswith(self._suffixes):
            return True
        return bool(self._rest) and self._checked(parent / name, directory=directory)

    def match_within(self, path: Path) -> bool:
        """Whether a file matches, or a directory around it does, up to the patterns' own."""
        bases = {glob.base for glob in self._globs}
        around = [p for p in path.parents if not bases.isdisjoint(p.parents)]
        return self.match(path) or any(self.match(p, directory=True) for p in around)

    def without(self, top: Path) -> Globs:
        """The patterns that do not already match a directory that was asked for by name."""
        kept = tuple(g for g in self._globs if not Globs([g]).match(top, directory=True))
        return self if len(kept) == len(self._globs) else Globs(kept)

    def _checked(self, path: Path, *, directory: bool) -> bool:
        answer = False
        for base, spec in self._specs:
            if base is None:
                relative = path.relative_to(path.anchor).as_posix()
            elif base in path.parents:
                relative = path.relative_to(base).as_posix()
            else:
                continue
            found = spec.check_file(relative + "/" if directory else relative).include
            if found is not None:
                answer = bool(found)
        return answer

    @cached_property
    def _specs(self) -> list[tuple[Path | None, GitIgnoreSpec]]:
        from pathspec import GitIgnoreSpec

        return [
            (glob.base if glob.is_anchored else None, GitIgnoreSpec.from_lines([glob.text]))
            for glob in self._rest
        ]
