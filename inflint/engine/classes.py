"""The framework's modules among a set of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inflint.model.statements import Machine

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from inflint.model.hierarchy import Class
    from inflint.model.universe import Universe


def find_classes(universe: Universe, candidates: Mapping[Path, frozenset[str]]) -> Iterator[Class]:
    """All classes that are modules of the framework, its own bases aside.

    Files that cannot be read end up in the universe's errors.

    Args:
        universe: Where names resolve.
        candidates: Files, and the names of those of their classes that are in question.
    """
    machine = Machine(universe, inference_only=False)
    roots = universe.profile.root_by_name
    for path, wanted in candidates.items():
        file = universe.load(path)
        if file is None:
            continue
        for chain in file.header.walk():
            if chain[-1].kind == "class" and chain[-1].name in wanted:
                if len(chain) == 2 and f"{file.module}.{chain[-1].name}" in roots:
                    continue
                cls = machine.class_at(file, chain)
                if cls.is_module():
                    yield cls
