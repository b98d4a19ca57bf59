"""What the code of a generated class may mention, and how a choice is drawn."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.differential import catalogue

T = TypeVar("T")
LOGITS = "Columns.ACTION_DIST_INPUTS"
PARTS = ("enc", "pi", "vf", "critic", "aux", "q", "trunk", "mem", "_target", "value_head")
FORWARDS = ("_forward_inference", "_forward_exploration", "_forward_train", "_forward")
RANKS = (
    ("_forward_inference", "_forward_exploration", "_forward_train", "_forward"),
    ("_forward_exploration", "_forward_inference", "_forward", "_forward_train"),
    ("_forward_train", "_forward_exploration", "_forward_inference", "_forward"),
    ("_forward", "_forward_inference", "_forward_exploration", "_forward_train"),
)
"""Orders in which forwards may call each other."""
HELPERS = {"_embed": "inference", "_head": "inference", "_value": "learner", "_loss": "learner"}
TAKEN = {"PPO": ("pi", "vf"), "DQN": ("vf",), "SAC": ("pi",)}
"""Names that RLlib's default modules use themselves."""


@cache
def below(count: int) -> st.SearchStrategy[int]:
    """The numbers from zero up to a bound."""
    return st.integers(0, count - 1)


def pick(draw: st.DrawFn, options: Sequence[T]) -> T:
    """One of some options; the first is the simplest."""
    return options[draw(below(len(options)))] if len(options) > 1 else options[0]


def chance(draw: st.DrawFn, percent: int) -> bool:
    """True with a probability; false is simpler."""
    return draw(below(100)) >= 100 - percent


@dataclass(frozen=True)
class Part:
    """A part that a class has, and when it has it.

    Attributes:
        phase: ``inference`` if inference methods use it, ``learner`` if others do.
        condition: Under which it exists; empty for always.
        flag: The config key in the condition, if any.
    """

    name: str
    kind: catalogue.Kind
    phase: str = "inference"
    condition: str = ""
    flag: str = ""


@dataclass
class Scope:
    """What the code of one class may mention."""

    flags: tuple[str, ...]
    ranks: tuple[str, ...]
    parts: dict[str, Part] = field(default_factory=dict)
    helpers: set[str] = field(default_factory=set)
    forwards: set[str] = field(default_factory=set)
    values: bool = False
    api: bool = False
    listed: bool = False
    tuples: bool = False
    state: bool = False
    framework: str = ""
    net: bool = False

    def copy(self) -> Scope:
        """For a subclass."""
        return replace(
            self,
            parts=dict(self.parts),
            helpers=set(self.helpers),
            forwards=set(self.forwards),
        )

    def usable(self, phase: str) -> list[Part]:
        """Parts that are always there, those of the phase first."""
        there = [p for p in self.parts.values() if not p.condition]
        mine = [p for p in there if p.phase == phase]
        return mine + [p for p in there if p.phase != phase] if phase == "learner" else mine


@dataclass(frozen=True)
class Site:
    """Where statements stand.

    Attributes:
        phase: ``inference`` or ``learner``.
        leave: The statement that returns early.
        name: The method's name.
        batch: Whether ``batch`` is in reach.
    """

    phase: str
    leave: str
    name: str
    batch: bool = False
