"""The result of a check as plain JSON, and back."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

_CLASSES = {
    "Finding": "inflint.checks.finding",
    "Note": "inflint.checks.finding",
    "Span": "inflint.syntax.facts",
    "Fix": "inflint.fix.edits",
    "Edit": "inflint.fix.edits",
    "Target": "inflint.model.release",
}
"""What a result is made of, and where to find it: nothing else is ever made from a file."""
_KIND = "="


class NoResultError(TypeError):
    """Something has no place in a stored result."""


def encode(value: Any) -> Any:
    """Values as JSON; a class is written with its name, as are tuples and paths.

    Raises:
        NoResultError: A class is not one of those that results are made of.
    """
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    if isinstance(value, Path):
        return {_KIND: "Path", "": str(value)}
    name = type(value).__name__
    if name in _CLASSES and (is_dataclass(value) or isinstance(value, tuple)):
        names = value._fields if isinstance(value, tuple) else [f.name for f in fields(value)]  # type: ignore[attr-defined]
        return {_KIND: name, **{n: encode(getattr(value, n)) for n in names}}
    if isinstance(value, (tuple, list)):
        return [encode(item) for item in value]
    raise NoResultError(f"a result holds no {name}")


def decode(value: Any) -> Any:
    """What :func:`encode` was given, with tuples for lists.

    Raises:
        KeyError, TypeError: It was not made by :func:`encode`.
    """
    if isinstance(value, list):
        return tuple(decode(item) for item in value)
    if not isinstance(value, dict):
        return value
    name = value[_KIND]
    if name == "Path":
        return Path(value[""])
    kind = getattr(import_module(_CLASSES[name]), name)
    return kind(**{key: decode(item) for key, item in value.items() if key != _KIND})
