"""Where among a class's bases the API can stand, by Python's own C3 linearisation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inflint.fix.edits import CannotFixError
from inflint.model.hierarchy import Class, merge, root_mro
from inflint.model.profile import Root

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inflint.model.hierarchy import Entry
    from inflint.model.profile import Profile

_ABSTRACT = "abc.ABC"
_OBJECT = "object"


def place_of_api(cls: Class, relatives: Iterable[Class], profile: Profile) -> int:
    """The index among the class's bases, as written, at which the API fits best.

    The last one that gives the class and its known subclasses a consistent order.

    Args:
        cls: The class that gets the base.
        relatives: Classes that may derive from it.
        profile: What the framework's classes are called.

    Raises:
        CannotFixError: No place does, or the bases are not all known.
    """
    if any(text.startswith("*") for text in cls.scope.bases):
        raise CannotFixError("its bases are unpacked from a sequence")
    entries = _written(cls)
    if len(entries) != len(cls.scope.bases):
        raise CannotFixError("its bases are not all known")
    api: Entry = profile.api_names[0]
    children = [c for c in relatives if c is not cls and cls in c.mro and not c.unknown]
    for index in range(len(entries), -1, -1):
        bases = [*entries[:index], api, *entries[index:]]
        order = _linear(bases, profile, {})
        if order is not None and all(
            _linear(_written(child), profile, {cls: [cls, *order]}) is not None
            for child in sorted(children, key=lambda c: len(c.mro))
        ):
            return index
    raise CannotFixError("no place for the base gives a consistent method resolution order")


def _written(cls: Class) -> list[Entry]:
    """The bases as they are written, ``object`` included."""
    known = iter(cls.bases)
    entries: list[Entry] = []
    for text in cls.scope.bases:
        entry: Entry | None = _OBJECT if text.rpartition(".")[2] == _OBJECT else next(known, None)
        if entry is not None:
            entries.append(entry)
    return entries


def _linear(
    bases: list[Entry], profile: Profile, changed: dict[Class, list[Entry]]
) -> list[Entry] | None:
    orders = [_order(base, profile, changed) for base in bases]
    if any(order is None for order in orders):
        return None
    return merge([*(order for order in orders if order is not None), bases])


def _order(entry: Entry, profile: Profile, changed: dict[Class, list[Entry]]) -> list[Entry] | None:
    if isinstance(entry, Class):
        if entry in changed:
            return changed[entry]
        if any(c in entry.mro for c in changed):
            order = _linear(_written(entry), profile, changed)
            return None if order is None else [entry, *order]
        return _topped([*entry.mro], profile)
    if isinstance(entry, Root):
        return _topped(root_mro(entry, profile), profile)
    return [_OBJECT] if entry == _OBJECT else _topped([entry], profile)


def _topped(order: list[Entry], profile: Profile) -> list[Entry]:
    """The order, with ``ABC`` and ``object`` where the framework's classes bring them."""
    found = [e for e in order if e != _OBJECT]
    if _ABSTRACT not in found:
        last = max((i for i, e in enumerate(found) if _is_abstract(e, profile)), default=-1)
        if last >= 0:
            found.insert(last + 1, _ABSTRACT)
    return [*found, _OBJECT]


def _is_abstract(entry: Entry, profile: Profile) -> bool:
    """Whether a class of the framework derives from ``ABC``."""
    if isinstance(entry, Root):
        return entry.module
    return isinstance(entry, str) and (entry in profile.api_names or profile.is_inert_base(entry))
