"""The table ``[tool.inflint.verify]`` of the configuration."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from inflint.config.discover import Lookup
from inflint.config.schema import nearest
from inflint.config.settings import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from inflint.config.settings import Origin


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
    """The table of the configuration that holds for a directory; without one, the defaults.

    Raises:
        ConfigError: The configuration is wrong: a key is unknown or has a value of the wrong
            type, or a target has none.
    """
    found = Lookup().at(start)
    origin = found.origin("verify")
    if origin.path is None:
        return Settings()
    table, root = found.verify, origin.path.parent
    common = replace(_common(table, origin, "targets"), root=root)
    entries = table.get("targets", [])
    if not isinstance(entries, list):
        raise ConfigError(f"{origin.below('targets')}: targets must be a list, not {entries!r}")
    targets = []
    for entry in entries:
        own = {"target": entry} if isinstance(entry, str) else entry
        if not isinstance(own, dict) or not isinstance(own.get("target"), str):
            where = origin.below("targets")
            raise ConfigError(f"{where}: {entry!r} is neither a target nor a table with one")
        merged = {**{k: v for k, v in table.items() if k != "targets"}, **own}
        single = replace(_common(merged, origin.below("targets"), "target"), root=root)
        targets.append((own["target"], single))
    return replace(common, targets=tuple(targets))


def _common(table: Mapping[str, Any], origin: Origin, besides: str) -> Settings:
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key == besides:
            continue
        where = origin.below(key)
        if key not in _TYPES:
            hint = nearest(key, [*_TYPES, besides])
            raise ConfigError(f"{where}: [tool.inflint.verify] has no key {key!r}{hint}")
        if not isinstance(value, _TYPES[key]) or isinstance(value, bool):
            raise ConfigError(f"{where}: {key} must be a {_TYPES[key].__name__}, not {value!r}")
        values[key.replace("-", "_")] = value
    return Settings(**values)
