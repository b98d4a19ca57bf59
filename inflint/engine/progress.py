"""Who is told how far a run has come."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

Progress: TypeAlias = "Callable[[str, int, int], object]"
"""Is told of each step: what is done, how often it has been, and how often it will be."""


def unheard(what: str, done: int, total: int) -> None:
    """Nobody is."""
