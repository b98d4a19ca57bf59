"""The formats of a check's result: which module makes each, imported when it is wanted."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from inflint.checks.pages import Rule
    from inflint.engine.run import Checked

    Render = Callable[[Checked, Mapping[str, Rule]], Iterator[str]]

FORMATS = ("text", "concise", "json", "jsonl", "github", "gitlab", "sarif", "junit")
"""For each there is a function ``findings_<format>`` in a module ``as_<format>``."""
COUNTED = ("text", "json")
"""Those of the statistics."""
FOR_PEOPLE = frozenset(("text", "concise"))
"""They have colours on a terminal, and its encoding; the others are UTF-8 everywhere."""
FROM_HERE = frozenset(("text", "concise", "json", "jsonl"))
"""Paths in them are from the current directory; in the others from the repository's root."""
SUMMARISED = frozenset(("text",))
"""They end with a summary that can be left out."""


def renderer(form: str) -> Render:
    """What makes the lines of a format, without their ends."""
    module = import_module(f"inflint.report.as_{form}")
    return cast("Render", getattr(module, f"findings_{form}"))


def counter(form: str) -> Render:
    """What makes the lines of the statistics."""
    from inflint.report import statistics

    return cast("Render", getattr(statistics, f"statistics_{form}"))
