"""Which rules are reported in each file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from inflint.checks.selection import Selection
    from inflint.config.discover import Lookup
    from inflint.config.settings import Settings


class Selections:
    """The rules that each file's settings ask for.

    Args:
        lookup: Finds the settings.
        codes: Rules instead of those; None for those.
    """

    def __init__(self, lookup: Lookup, codes: frozenset[str] | None = None) -> None:
        self._lookup = lookup
        self._codes = codes
        self._known: dict[int, tuple[Settings, Selection]] = {}
        self._active: dict[Path, frozenset[str]] = {}

    def at(self, directory: Path) -> Selection:
        """The selection of a directory.

        Raises:
            ConfigError: A selector in its settings matches no rule.
        """
        from inflint.checks.selection import select

        settings = self._lookup.at(directory)
        if id(settings) not in self._known:
            self._known[id(settings)] = settings, select(settings)
        return self._known[id(settings)][1]

    def validate(self, directory: Path) -> None:
        """Look for mistakes in the selectors of a directory. Raises as :meth:`at`."""
        settings = self._lookup.at(directory)
        if settings.selectors or settings.severity or settings.per_file_ignores:
            self.at(directory)

    def active(self, path: Path) -> frozenset[str]:
        """The codes that are reported in a file. Raises as :meth:`at`."""
        if path not in self._active:
            own = self.at(path.parent).of(path) if self._codes is None else self._codes
            self._active[path] = own
        return self._active[path]
