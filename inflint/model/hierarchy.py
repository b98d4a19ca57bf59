"""Classes and their method resolution order, across files and into the framework."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from inflint.model.profile import Root
from inflint.model.universe import Definition
from inflint.syntax.headers import Imported, qualified

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inflint.model.profile import Profile
    from inflint.model.units import SourceFile
    from inflint.syntax.headers import Scope


@dataclass(eq=False)
class Class:
    """A class whose source is known.

    Attributes:
        file: Where it is defined.
        chain: The scopes that lead to it, its own last.
        bases: What its bases are, once resolved.
        unknown: Why its hierarchy is not fully known; empty where it is.
    """

    file: SourceFile
    chain: tuple[Scope, ...]
    bases: tuple[Entry, ...] = ()
    unknown: list[str] = field(default_factory=list)
    mro: tuple[Entry, ...] = ()
    _own: dict[str, tuple[Definition, ...]] = field(default_factory=dict, repr=False)

    @property
    def scope(self) -> Scope:
        """The class's own scope."""
        return self.chain[-1]

    @property
    def name(self) -> str:
        """The bare name."""
        return self.scope.name

    @property
    def qualname(self) -> str:
        """The name as Python's ``__qualname__`` gives it."""
        return qualified(self.chain)

    @property
    def dotted(self) -> str:
        """Module and qualified name."""
        return f"{self.file.module}.{self.qualname}"

    def own(self, name: str) -> tuple[Definition, ...]:
        """What the class body binds to ``name``, other than imports."""
        found = self._own.get(name)
        if found is None:
            found = self._own[name] = tuple(
                Definition(self.file, self.chain, name, binding)
                for binding in self.scope.bindings.get(name, ())
                if not isinstance(binding, Imported)
            )
        return found

    def classes(self) -> Iterator[Class]:
        """The classes of the MRO whose source is known, this one first."""
        return (entry for entry in self.mro if isinstance(entry, Class))

    def roots(self) -> Iterator[Root]:
        """The framework's base classes in the MRO."""
        return (entry for entry in self.mro if isinstance(entry, Root))

    def has_api(self, profile: Profile) -> bool | None:
        """Whether the API is in the MRO; None where an unknown base may bring it."""
        if any(entry in profile.api_names for entry in self.mro if isinstance(entry, str)):
            return True
        return None if self.unknown else False

    def is_module(self) -> bool:
        """Whether it is one of the framework's modules."""
        return any(root.module for root in self.roots())

    def is_torch(self) -> bool:
        """Whether it registers modules, parameters and buffers."""
        return any(root.torch_module for root in self.roots())


Entry: TypeAlias = Class | Root | str
"""A known class, a framework base, or the dotted name of anything else."""


def root_mro(root: Root, profile: Profile) -> list[Entry]:
    """A framework base with its own bases, in order."""
    tails = [root_mro(profile.root_by_name[b], profile) for b in root.bases]
    merged = merge([*tails, [profile.root_by_name[b] for b in root.bases]])
    return [root, *(merged or [])]


def merge(sequences: list[list[Entry]]) -> list[Entry] | None:
    """C3 linearisation; None where no consistent order exists."""
    rest = [list(s) for s in sequences if s]
    result: list[Entry] = []
    while rest:
        for sequence in rest:
            head = sequence[0]
            if not any(_same(head, other) for s in rest for other in s[1:]):
                break
        else:
            return None
        result.append(head)
        rest = [[e for e in s if not _same(e, head)] if _same(s[0], head) else s for s in rest]
        rest = [s for s in rest if s]
    return result


def _same(one: Entry, other: Entry) -> bool:
    return one is other or (isinstance(one, str) and one == other)
