"""Which settings hold where: the nearest configuration file, as ruff looks for its own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inflint.config.load import NAMES, Layer, build, inline_layer, read_layers
from inflint.config.settings import ConfigError, Origin
from inflint.sources.disk import Disk

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inflint.config.settings import Settings

COMMAND_LINE = Origin(option="")


class Lookup:
    """Finds the settings of directories, each once.

    Args:
        given: What the command line says, by key; it stands over all files.
        config: What ``--config`` says: at most one file that stands for all that would be
            found, and ``key = value`` pairs that stand over it.
        isolated: Look for no files.

    Attributes:
        disk: Where files are looked for, those to check and what excludes them as well.

    Raises:
        ConfigError: ``config`` is wrong, or contradicts ``isolated``.
    """

    def __init__(
        self,
        given: Mapping[str, Any] | None = None,
        config: Sequence[str] = (),
        *,
        isolated: bool = False,
    ) -> None:
        here = Path.cwd()
        self.disk = Disk(recording=True)
        files = [text for text in config if not self._is_inline(here, text)]
        if len(files) > 1:
            raise ConfigError(f"--config: one file at most, not {len(files)}")
        if files and isolated:
            raise ConfigError(f"--isolated reads no file, but --config names {files[0]}")
        top = [inline_layer(text, here) for text in config if text not in files]
        if given:
            top.append(Layer(given, COMMAND_LINE, here))
        self._top = tuple(top)
        self._fixed: Settings | None = None
        if files:
            self._fixed = self._from(self._named(here, files[0]))
        elif isolated:
            self._fixed = build(self._top)
        self._by_directory: dict[str, Settings] = {}
        self._nowhere: Settings | None = None

    def at(self, directory: Path) -> Settings:
        """The settings of what stands in a directory, given by its absolute path.

        Raises:
            ConfigError: A file is wrong.
        """
        if self._fixed is not None:
            return self._fixed
        return self._find(str(directory))

    def of(self, path: Path) -> Settings:
        """The settings of a file, given by its absolute path. Raises as :meth:`at`."""
        return self.at(path.parent)

    def _find(self, start: str) -> Settings:
        passed: list[str] = []
        directory = start
        while directory not in self._by_directory:
            passed.append(directory)
            found = self._here(directory)
            if found is not None:
                break
            parent = os.path.dirname(directory)  # noqa: PTH120 - this runs for each directory
            if parent == directory:
                found = self._default()
                break
            directory = parent
        else:
            found = self._by_directory[directory]
        for step in passed:
            self._by_directory[step] = found
        return found

    def _here(self, directory: str) -> Settings | None:
        for name in NAMES:
            path = os.path.join(directory, name)  # noqa: PTH118
            if self.disk.is_file(path):
                layers = read_layers(Path(path), self.disk)
                if layers:
                    return build((*layers, *self._top))
        return None

    def _from(self, path: Path) -> Settings:
        layers = read_layers(path, self.disk)
        if not layers:
            raise ConfigError(f"--config: {path} has no table [tool.inflint]")
        return build((*layers, *self._top))

    def _is_inline(self, here: Path, text: str) -> bool:
        return "=" in text and not self.disk.exists(os.path.join(here, text))  # noqa: PTH118

    def _named(self, here: Path, text: str) -> Path:
        path = Path(os.path.abspath(here / Path(text).expanduser()))  # noqa: PTH100 - keeps links
        if not self.disk.is_file(str(path)):
            raise ConfigError(f"--config: {text}: no such file")
        return path

    def _default(self) -> Settings:
        if self._nowhere is None:
            self._nowhere = build(self._top)
        return self._nowhere
