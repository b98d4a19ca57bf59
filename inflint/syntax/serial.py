"""Facts and headers as plain JSON.

A fact is an array that begins with the number of its kind, a plain tuple one that begins
with -1.
"""

from __future__ import annotations

from typing import Any

from inflint.syntax import facts, headers

_KINDS: tuple[Any, ...] = (
    facts.Const, facts.Name, facts.Attr, facts.Item, facts.Call, facts.Sequence, facts.Mapping,
    facts.Text, facts.Binary, facts.Logic, facts.Not, facts.Compare, facts.Choice, facts.Lambda,
    facts.Clause, facts.Comprehension, facts.Walrus, facts.Star, facts.Yield, facts.Opaque,
    facts.Assign, facts.Augment, facts.Evaluate, facts.Branch, facts.Loop, facts.Return,
    facts.Raise, facts.Delete, facts.Handler, facts.Attempt, facts.With, facts.Case, facts.Match,
    facts.Define, facts.DefineClass, facts.Import, facts.Declare, facts.Jump, facts.Param,
    facts.Function, facts.Span, headers.Imported, headers.Assigned, headers.Inner, headers.Scope,
)  # fmt: skip
_NUMBERS = {kind: number for number, kind in enumerate(_KINDS)}
_TUPLE = -1
_NESTED = (list, dict)
FORMAT = 1
"""Raised whenever facts change their form."""


def encode(value: object) -> object:
    """A fact, or a tuple or dict of them, as plain JSON."""
    if isinstance(value, tuple):
        number = _NUMBERS.get(type(value), _TUPLE)
        return [number, *(encode(v) for v in value)]
    if isinstance(value, dict):
        return {k: encode(v) for k, v in value.items()}
    return value


def decode(value: Any) -> Any:
    """What :func:`encode` was given."""
    if isinstance(value, list):
        parts = [decode(v) if type(v) in _NESTED else v for v in value[1:]]
        return tuple(parts) if value[0] == _TUPLE else _KINDS[value[0]](*parts)
    if isinstance(value, dict):
        return {k: decode(v) for k, v in value.items()}
    return value
