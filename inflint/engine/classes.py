"""The framework's modules among a set of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inflint.model.statements import Machine
from inflint.sources.prefilter import Prefilter

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from inflint.model.hierarchy import Class
    from inflint.model.universe import Universe


def find_classes(universe: Universe, contents: Mapping[Path, bytes]) -> Iterator[Class]:
    """All classes in ``contents`` that are modules of the framework, its own bases aside.

    Files that cannot be read end up in the universe's errors.
    """
    profile, environment = universe.profile, universe.environment
    inert = {*environment.standard_library, *(n for n in profile.opaque if "." not in n)}
    names = [*profile.module_roots, *profile.api_names]
    filter_ = Prefilter(contents, names, inert, universe.locate, universe.is_recorded)
    machine = Machine(universe, inference_only=False)
    for path, wanted in filter_.candidates().items():
        file = universe.load(path, contents[path])
        if file is None:
            continue
        for chain in file.header.walk():
            if chain[-1].kind == "class" and chain[-1].name in wanted:
                dotted = f"{file.module}.{chain[-1].name}"
                if len(chain) == 2 and dotted in profile.root_by_name:
                    continue
                cls = machine.class_at(file, chain)
                if cls.is_module():
                    yield cls
