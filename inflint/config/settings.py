"""What is in force for a file, and who said so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from inflint.config.schema import KEYS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from inflint.sources.globs import Glob


class ConfigError(ValueError):
    """A configuration file, or an option that stands for one, is wrong; the message says where."""


class Origin(NamedTuple):
    """Where a value was written.

    Attributes:
        path: The file; None for the command line and for defaults.
        keys: The way to it in the file, such as ``("tool", "inflint", "select")``.
        text: What the file holds.
        option: What it is called where it comes from no file.
    """

    path: Path | None = None
    keys: tuple[str, ...] = ()
    text: str = ""
    option: str = "default"

    @property
    def line(self) -> int | None:
        """The 1-based line of the key; None outside of files."""
        if self.path is None:
            return None
        from inflint.config.lines import line_of

        return line_of(self.text, self.keys)

    def __repr__(self) -> str:  # how the rest of the file is written does not matter
        return f"Origin({self.path!r}, {self.keys!r}, {self.option!r})"

    def __str__(self) -> str:
        return self.option if self.path is None else f"{self.path}:{self.line}"

    def below(self, *keys: str) -> Origin:
        """The origin of what stands below this key."""
        return Origin(self.path, (*self.keys, *keys), self.text, self.option)

    def at(self, item: str) -> str:
        """Where an item of this key's list stands, for an error message."""
        if self.path is None:
            return self.option
        from inflint.config.lines import line_of

        return f"{self.path}:{line_of(self.text, self.keys, item)}"


DEFAULT = Origin()


class Selectors(NamedTuple):
    """What one file, or the command line, says about which rules to report.

    ``select`` is None where it does not say; each list comes with its origin.
    """

    select: tuple[str, ...] | None
    extend: tuple[str, ...]
    ignore: tuple[str, ...]
    origins: Mapping[str, Origin]


class FileIgnore(NamedTuple):
    """Rules that are not reported in files that a pattern matches, or with ``other`` does not."""

    glob: Glob
    other: bool
    rules: tuple[str, ...]
    origin: Origin


class Severity(NamedTuple):
    """Another severity for the rules of a selector."""

    rule: str
    severity: str
    origin: Origin


class Analysis(NamedTuple):
    """The settings that change what is found, rather than what is reported."""

    python: str | None
    target: str | None
    module_bases: tuple[str, ...]
    entry_points: tuple[str, ...]
    factories: tuple[str, ...]


class Settings(NamedTuple):
    """All settings of a file; see the keys in :mod:`inflint.config.schema`.

    Attributes:
        root: The directory of the nearest configuration file; None without one.
        files: The configuration files, nearest first.
        selectors: Which rules to report; later entries stand over earlier ones.
        origins: By key, where each value comes from.
        given: By key, the values as they were written.
    """

    root: Path | None
    files: tuple[Path, ...]
    selectors: tuple[Selectors, ...]
    severity: tuple[Severity, ...]
    per_file_ignores: tuple[FileIgnore, ...]
    include: tuple[Glob, ...]
    exclude: tuple[Glob, ...]
    respect_gitignore: bool
    force_exclude: bool
    analysis: Analysis
    baseline: Path | None
    fail_on: str
    verify: Mapping[str, Any]
    origins: Mapping[str, Origin]
    given: Mapping[str, Any]

    def origin(self, key: str) -> Origin:
        """Where the value of a key comes from."""
        return self.origins.get(key, DEFAULT)

    def value(self, key: str) -> Any:
        """The value of a key as it was written, or its default."""
        return self.given.get(key, KEYS[key].default)
