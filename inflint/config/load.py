"""From TOML to settings: one file with what it extends, and the command line above it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from inflint.config.schema import KEYS, fault, nearest
from inflint.config.settings import (
    Analysis,
    ConfigError,
    FileIgnore,
    Origin,
    Selectors,
    Settings,
    Severity,
)
from inflint.sources.globs import Glob

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from inflint.sources.disk import Disk

NAMES = (".inflint.toml", "inflint.toml", "pyproject.toml")
"""Configuration files; of several in one directory, the first counts."""
_SHARED = "pyproject.toml"
_TABLE = ("tool", "inflint")
_SELECTING = ("select", "extend-select", "ignore")
_ADDED = ("extend-exclude",)


class Layer(NamedTuple):
    """What one file, or the command line, says.

    Attributes:
        values: By key.
        origin: Of the whole.
        base: What its relative paths and patterns are relative to.
    """

    values: Mapping[str, Any]
    origin: Origin
    base: Path

    def origin_of(self, key: str) -> Origin:
        """Where a key of it stands."""
        if self.origin.path is None:
            return Origin(option=self.origin.option or f"--{key}")
        return self.origin.below(key)


def read_layers(path: Path, disk: Disk) -> tuple[Layer, ...]:
    """A configuration file and all that it extends, the outermost first.

    Empty for a shared file without inflint's table.

    Args:
        path: The file.
        disk: Where to read.

    Raises:
        ConfigError: A file cannot be read, is no TOML, has an unknown key or a value of the
            wrong type, or extends itself.
    """
    return _layers(path, (), disk)


def _layers(path: Path, above: tuple[Path, ...], disk: Disk) -> tuple[Layer, ...]:
    layer = _read(path, disk)
    if layer is None:
        return ()
    extended = layer.values.get("extend")
    if extended is None:
        return (layer,)
    origin = layer.origin_of("extend")
    other = _resolved(layer.base, extended)
    chain = (*above, path)
    if other in chain:
        circle = " → ".join(str(p) for p in (*chain[chain.index(other) :], other))
        raise ConfigError(f"{origin}: extend goes in a circle: {circle}")
    if not disk.is_file(str(other)):
        raise ConfigError(f"{origin}: extend names {extended!r}, but there is no file {other}")
    outer = _layers(other, chain, disk)
    if not outer:
        raise ConfigError(f"{origin}: {other} has no table [tool.inflint] to extend")
    return (*outer, layer)


def _read(path: Path, disk: Disk) -> Layer | None:
    try:
        data = disk.read(path)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from None
    shared = path.name == _SHARED
    if shared and b"inflint" not in data:
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}:{line}: TOML must be UTF-8; save the file as that") from None
    document = _parse(text, f"{path}")
    if not shared:
        return _checked(document, Origin(path, (), text), path.parent)
    tool = document.get("tool")
    if not isinstance(tool, dict) or "inflint" not in tool:
        return None
    return _checked(tool["inflint"], Origin(path, _TABLE, text), path.parent)


def _parse(text: str, where: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        import re

        message = str(error)
        place = re.search(r" \(at line (\d+), column \d+\)$", message)
        if place is not None:
            raise ConfigError(f"{where}:{place[1]}: {message[: place.start()]}") from None
        raise ConfigError(f"{where}:{text.count(chr(10)) + 1}: {message}") from None


def _checked(table: Any, origin: Origin, base: Path) -> Layer:
    if not isinstance(table, dict):
        raise ConfigError(f"{origin}: [tool.inflint] must be a table, not {table!r}")
    for name, value in table.items():
        key = KEYS.get(name)
        if key is None:
            hint = nearest(name, KEYS)
            if name == "tool" and not origin.keys:
                hint = "; in this file the keys stand at the top, without [tool.inflint]"
            raise ConfigError(f"{origin.below(name)}: no key {name!r}{hint}")
        found = fault(key, value)
        if found is not None:
            raise ConfigError(f"{origin.below(name, *found[0])}: {found[1]}")
    return Layer(table, origin, base)


def inline_layer(text: str, base: Path) -> Layer:
    """The layer of ``--config 'key = value'``.

    Raises:
        ConfigError: It is no TOML, or has a wrong key or value.
    """
    layer = _checked(_parse(text, "--config"), Origin(None, (), "", "--config"), base)
    if "extend" in layer.values:
        raise ConfigError("--config: extend needs a file to stand in")
    return layer


def build(layers: Iterable[Layer]) -> Settings:
    """The settings that layers add up to; later ones stand over earlier ones."""
    ordered = tuple(layers)
    merged: dict[str, Any] = {}
    origins: dict[str, Origin] = {}
    bases: dict[str, Path] = {}
    for layer in ordered:
        for key, value in layer.values.items():
            if key in _ADDED or (key == "extend-select" and "select" not in layer.values):
                merged[key] = [*merged.get(key, ()), *value]
            elif key == "severity":
                merged[key] = {**merged.get(key, {}), **value}
            else:
                merged[key] = value
            origins[key] = layer.origin_of(key)
            bases[key] = layer.base
    files = tuple(layer.origin.path for layer in reversed(ordered) if layer.origin.path is not None)
    default = Path(os.sep)

    def globs(key: str) -> tuple[Glob, ...]:
        return tuple(_glob(bases.get(key, default), t) for t in merged.get(key, KEYS[key].default))

    def path(key: str) -> Path | None:
        return _resolved(bases[key], merged[key]) if merged.get(key) is not None else None

    python = merged.get("python")
    return Settings(
        root=files[0].parent if files else None,
        files=files,
        selectors=tuple(_selectors(layer) for layer in ordered if _selects(layer)),
        severity=tuple(
            Severity(rule, severity, layer.origin_of("severity").below(rule))
            for layer in ordered
            for rule, severity in layer.values.get("severity", {}).items()
        ),
        per_file_ignores=_file_ignores(ordered),
        include=globs("include"),
        exclude=(
            *globs("exclude"),
            *(_glob(r.base, t) for r in ordered for t in r.values.get("extend-exclude", ())),
        ),
        respect_gitignore=merged.get("respect-gitignore", True),
        force_exclude=merged.get("force-exclude", False),
        analysis=Analysis(
            None if python is None else str(_resolved(bases["python"], python)),
            merged.get("target-ray"),
            tuple(merged.get("module-bases", ())),
            tuple(merged.get("inference-entry-points", ())),
            tuple(merged.get("component-factories", ())),
        ),
        baseline=path("baseline"),
        fail_on=merged.get("fail-on", KEYS["fail-on"].default),
        verify=merged.get("verify", {}),
        origins=origins,
        given=merged,
    )


def _selects(layer: Layer) -> bool:
    return any(key in layer.values for key in _SELECTING)


def _selectors(layer: Layer) -> Selectors:
    select = layer.values.get("select")
    return Selectors(
        None if select is None else tuple(select),
        tuple(layer.values.get("extend-select", ())),
        tuple(layer.values.get("ignore", ())),
        {key: layer.origin_of(key) for key in _SELECTING},
    )


def _file_ignores(layers: tuple[Layer, ...]) -> tuple[FileIgnore, ...]:
    """The table of the last layer that has one."""
    for layer in reversed(layers):
        table = layer.values.get("per-file-ignores")
        if table is not None:
            origin = layer.origin_of("per-file-ignores")
            return tuple(
                FileIgnore(
                    _glob(layer.base, pattern.removeprefix("!")),
                    pattern.startswith("!"),
                    tuple(rules),
                    origin.below(pattern),
                )
                for pattern, rules in table.items()
            )
    return ()


def _glob(base: Path, text: str) -> Glob:
    below = f"{base}{os.sep}"
    if text.startswith(below):
        text = f"/{Path(text).relative_to(base).as_posix()}"
    return Glob(base, text.removeprefix("./"))


def _resolved(base: Path, text: str) -> Path:
    return Path(os.path.abspath(base / Path(text).expanduser()))  # noqa: PTH100 - keeps links
