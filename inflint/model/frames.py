"""Activation records and closures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from inflint.model.heap import Writes
    from inflint.model.hierarchy import Class
    from inflint.model.units import Site, SourceFile, Unit
    from inflint.model.values import Value
    from inflint.syntax import facts
    from inflint.syntax.headers import Scope


@dataclass(eq=False)
class Closure:
    """A function with the scopes and variables around it.

    Attributes:
        function: Its facts.
        unit: The piece of source that its sites refer to.
        chain: The scopes in which its free names resolve.
        owner: The class whose body defines it.
        outer: The frame that it was made in, for nested functions and lambdas.
        label: Its name as a reader would say it, such as ``Module._forward``.
        defaults: Its parameters' defaults, where they were evaluated with the definition.
    """

    function: facts.Function
    unit: Unit
    chain: tuple[Scope, ...]
    owner: Class | None
    outer: Frame | None
    label: str
    defaults: dict[str, Value] = field(default_factory=dict)

    @property
    def file(self) -> SourceFile:
        """The file that it is written in."""
        return self.unit.file


State: TypeAlias = "tuple[dict[str, Value], Writes]"
"""Local variables, and what was written since some point."""


@dataclass(eq=False)
class Frame:
    """One call in progress.

    Attributes:
        env: Local variables.
        receiver: What its first parameter is bound to, for ``super()``.
        called_at: Where it was called.
        returns: Values returned so far.
        exits: What the heap looked like at early returns, as writes since ``mark``.
        yields: Values yielded so far.
        breaks, continues: Variables and writes at the jumps of the innermost loop.
        loop: Where in the heap's journal the innermost round and its loop began.
        outside: Names that are ``global`` or ``nonlocal`` here, and which.
    """

    closure: Closure
    env: dict[str, Value]
    receiver: Value
    called_at: Site | None
    caller: Frame | None
    mark: int
    returns: list[Value] = field(default_factory=list)
    exits: list[Writes] = field(default_factory=list)
    yields: list[Value] = field(default_factory=list)
    breaks: list[State] = field(default_factory=list)
    continues: list[State] = field(default_factory=list)
    outside: dict[str, str] = field(default_factory=dict)
    loop: tuple[int, int] | None = None

    @property
    def file(self) -> SourceFile:
        """The file of the running code."""
        return self.closure.file

    @property
    def chain(self) -> tuple[Scope, ...]:
        """The scopes of the running code."""
        return self.closure.chain
