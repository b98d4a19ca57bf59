"""Settings, each with the place where it was set."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from inflint.config.schema import KEYS
from inflint.report.paths import shown

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from inflint.config.settings import Settings

_NOT_SHOWN = frozenset(("extend",))


def settings_text(settings: Settings, rules: Collection[str]) -> Iterator[str]:
    """One key a line, as it could be written in a file, with its origin behind.

    Args:
        settings: What is in force.
        rules: The codes that are reported.
    """
    if not settings.files:
        yield "# no configuration file"
    for path in settings.files:
        yield f"# {shown(path)}"
    entries = [(key, _toml(settings.value(key)), _origin(settings, key)) for key in _keys()]
    width = min(60, max(len(f"{key} = {value}") for key, value, _ in entries))
    for key, value, origin in entries:
        style = {"dim": True} if origin == "default" else {}
        yield click.style(f"{f'{key} = {value}':<{width}}  # {origin}", **style)
    yield f"# rules in force: {', '.join(sorted(rules)) or 'none'}"


def settings_json(settings: Settings, rules: Collection[str]) -> str:
    """The same as an object."""
    return json.dumps(
        {
            "files": [shown(path) for path in settings.files],
            "settings": {
                key: {"value": settings.value(key), "origin": _origin(settings, key)}
                for key in _keys()
            },
            "rules": sorted(rules),
        },
        indent=2,
        ensure_ascii=False,
    )


def _keys() -> list[str]:
    return [key for key in KEYS if key not in _NOT_SHOWN]


def _origin(settings: Settings, key: str) -> str:
    origin = settings.origin(key)
    if origin.path is None:
        return str(origin)
    return f"{shown(origin.path)}:{origin.line}"


def _toml(value: Any) -> str:
    """A value as TOML writes it."""
    if value is None:
        return "unset"
    if isinstance(value, dict):
        return (
            "{ " + ", ".join(f"{_key(k)} = {_toml(v)}" for k, v in value.items()) + " }"
            if value
            else "{}"
        )
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _key(name: str) -> str:
    bare = name.replace("-", "").replace("_", "").isalnum() and name.isascii()
    return name if bare else json.dumps(name, ensure_ascii=False)
