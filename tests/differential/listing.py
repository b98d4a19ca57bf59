"""Draws the method that lists the attributes that inference does not need, right and wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.differential import catalogue
from tests.differential.programs import Line, Method
from tests.differential.scope import below, chance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis import strategies as st

    from tests.differential.scope import Part

METHOD = "get_non_inference_attributes"
_RIGHT = 18
"""How many of the catalogue's bodies, from the first on, are no mistake as such."""


@dataclass(frozen=True)
class ListSource:
    """What a list may name.

    Attributes:
        name: The class's name.
        parts: The class's parts.
        flags: Config keys that it may ask for.
        inherited: Whether a base has a list.
        tuples: Whether some base may return a tuple, to which no list can be added.
    """

    name: str
    parts: tuple[Part, ...]
    flags: tuple[str, ...]
    inherited: bool
    tuples: bool = False


@dataclass(frozen=True)
class Listed:
    """The method, and the constants that it wants in the class and in the file."""

    method: Method
    class_constants: tuple[str, ...] = ()
    file_constants: tuple[str, ...] = ()
    tuples: bool = False


def draw_list(draw: st.DrawFn, source: ListSource) -> Listed:
    """A method that lists some names, mostly those that inference does not need."""
    names = _names(draw, source)
    quoted = [f'"{name}"' for name in names]
    objects = [f"self.{p.name}" for p in source.parts]
    flag = f'self.model_config.get("{source.flags[0]}")' if source.flags else ""
    bodies: Sequence[str] = catalogue.LIST_BODIES[:_RIGHT]
    if source.inherited and chance(draw, 50):
        bodies = catalogue.INHERITED_BODIES[2 * source.tuples :]
    elif chance(draw, 12):
        bodies = catalogue.LIST_BODIES[_RIGHT:]
    if not flag:
        bodies = [body for body in bodies if "{flag}" not in body]
    body = bodies[draw(below(len(bodies)))]
    if not quoted:
        body = "return []" if body in catalogue.LIST_BODIES else catalogue.INHERITED_BODIES[-1]
    text = body.format(
        all=", ".join(quoted) + ("," if body.count("{all}") == 1 and quoted else ""),
        first=quoted[0] if quoted else "",
        rest=", ".join(quoted[1:]) + ("," if quoted[1:] else ""),
        one=quoted[0] if quoted else "",
        objects=", ".join(objects[:1]),
        joined=" ".join(quoted[:2]),
        flag=flag,
    )
    constants: tuple[str, ...] = ()
    file_constants: tuple[str, ...] = ()
    if "self.NAMES" in text:
        constants = (f"NAMES = [{', '.join(quoted)}]",)
    elif "NAMES" in text:
        text = text.replace("NAMES", f"NAMES_{source.name}")
        file_constants = (f"NAMES_{source.name} = [{', '.join(quoted)}]",)
    name = METHOD
    decorators: tuple[str, ...] = ()
    if chance(draw, 4):
        name = ("get_non_inference_only_attributes", "get_non_inference_attribute")[draw(below(2))]
    elif chance(draw, 2):
        decorators = ("@property",)
    tuples = body.startswith("return (")
    return Listed(
        Method(name, "self", (Line(text),), decorators), constants, file_constants, tuples
    )


def _names(draw: st.DrawFn, source: ListSource) -> list[str]:
    learner = [p.name for p in source.parts if p.phase == "learner"]
    names = [name for name in learner if not chance(draw, 20)]
    if source.parts and chance(draw, 15):
        part = source.parts[draw(below(len(source.parts)))]
        names.append(part.name)
    if source.parts and chance(draw, 12):
        part = source.parts[draw(below(len(source.parts)))]
        if part.kind.below:
            names.append(f"{part.name}.{part.kind.below[draw(below(len(part.kind.below)))]}")
    if source.parts and chance(draw, 6):
        part = source.parts[draw(below(len(source.parts)))]
        typo = catalogue.TYPOS[draw(below(len(catalogue.TYPOS)))]
        names.append(typo.format(n=part.name))
    if chance(draw, 3):
        names.append(catalogue.PROTECTED[draw(below(len(catalogue.PROTECTED)))])
    if chance(draw, 2):
        names.append("_forward")
    return names
