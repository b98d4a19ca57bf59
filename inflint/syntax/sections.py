"""A module in sections: cells of a notebook, blocks of a document.

They run one after the other, and later ones tend to define a name anew: another version of
the same class. So a section sees a name as it, or else the nearest section before it, binds
it, and only what no section before has bound as a later one does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inflint.syntax.headers import Binding, HeaderError, Scope, read_header, split_lines

if TYPE_CHECKING:
    from collections.abc import Sequence


class Section(NamedTuple):
    """The line on which a section begins, and the module's scope as it sees it."""

    line: int
    scope: Scope


def read_sections(text: str, header: Scope, starts: Sequence[int]) -> tuple[Section, ...]:
    """The sections of a text.

    Args:
        text: The module.
        header: Its header.
        starts: The 1-based lines on which the sections begin.

    Returns:
        None at all where the sections do not add up to the module.
    """
    lines = split_lines(text)
    ends = [*starts[1:], len(lines) + 1]
    try:
        parts = [
            read_header("".join(lines[start - 1 : end - 1])).bindings
            for start, end in zip(starts, ends, strict=True)
        ]
    except HeaderError:
        return ()
    own: list[dict[str, tuple[Binding, ...]]] = [{} for _ in parts]
    for name, bindings in header.bindings.items():
        rest = bindings  # they are in the order of the text
        for part, found in zip(parts, own, strict=True):
            count = len(part.get(name, ()))
            if count:
                found[name], rest = rest[:count], rest[count:]
        if rest:
            return ()
    sections = []
    for index, start in enumerate(starts):
        seen = {name: bound for part in reversed(own[index + 1 :]) for name, bound in part.items()}
        for part in own[: index + 1]:
            seen.update(part)
        sections.append(Section(start, header._replace(bindings=seen)))
    return tuple(sections)
