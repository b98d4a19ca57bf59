"""The table ``[tool.inflint.verify]`` of a ``pyproject.toml``."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from pathlib import Path


class SettingsError(ValueError):
    """The table has a key or a value that it must not have."""


@dataclass(frozen=True)
class Settings:
    """What to verify, and how; as the table says it, or the command line.

    Attributes:
        targets: Each as a string, with its own settings.
        env: See :class:`~inflint.runtime.options.Options`; likewise the next ones.
        observation_space: As text.
        action_space: As text.
        model_config: By key.
        seed: Any integer.
        num_env_runners: At least 1.
        root: The directory that file targets are relative to.
    """

    targets: tuple[tuple[str, Settings], ...] = ()
    env: str | None = None
    observation_space: str | None = None
    action_space: str | None = None
    model_config: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    num_env_runners: int = 1
    root: Path | None = None

    def over(self, **given: Any) -> Settings:
        """With all that is given and not None in its place."""
        return replace(self, **{key: value for key, value in given.items() if value is not None})


_TYPES: dict[str, type] = {
    "env": str,
    "observation-space": str,
    "action-space": str,
    "model-config": dict,
    "seed": int,
    "num-env-runners": int,
}


def load_settings(start: Path) -> Settings:
    """The table of the nearest ``pyproject.toml`` that has it, from a directory upwards.

    Without one, the defaults.

    Raises:
        SettingsError: A key is unknown or has a value of the wrong type; a target has none.
    """
    for directory in (start, *start.parents):
        path = directory / "pyproject.toml"
        if not path.is_file():
            continue
        try:
            document = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SettingsError(f"{path}: {error}") from error
        table = document.get("tool", {}).get("inflint", {}).get("verify")
        if table is not None:
            return _settings(table, path)
    return Settings()


def _settings(table: Any, path: Path) -> Settings:
    where = f"{path}: [tool.inflint.verify]"
    if not isinstance(table, dict):
        raise SettingsError(f"{where} is no table")
    common = replace(_common(table, where, "targets"), root=path.parent)
    targets = []
    for entry in table.get("targets", []):
        own = {"target": entry} if isinstance(entry, str) else entry
        if not isinstance(own, dict) or not isinstance(own.get("target"), str):
            raise SettingsError(f"{where}: {entry!r} is neither a target nor a table with one")
        merged = {**{k: v for k, v in table.items() if k != "targets"}, **own}
        single = replace(_common(merged, where, "target"), root=path.parent)
        targets.append((own["target"], single))
    return replace(common, targets=tuple(targets))


def _common(table: dict[str, Any], where: str, besides: str) -> Settings:
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key == besides:
            continue
        if key not in _TYPES:
            known = ", ".join(_TYPES)
            raise SettingsError(f"{where} has no key {key!r}; it may have {besides}, {known}")
        if not isinstance(value, _TYPES[key]) or isinstance(value, bool):
            raise SettingsError(f"{where}: {key} must be a {_TYPES[key].__name__}, not {value!r}")
        values[key.replace("-", "_")] = value
    return Settings(**values)
