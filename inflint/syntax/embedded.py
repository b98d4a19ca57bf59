"""Chunks of Python in a document, each parsed on its own where they do not parse together."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inflint.syntax.headers import HeaderError, read_header

if TYPE_CHECKING:
    from inflint.sources.embedding import Embedding, Fault


class Parsed(NamedTuple):
    """A document without the chunks that do not parse, and what is wrong with it."""

    embedding: Embedding
    faults: tuple[Fault, ...]


def parse_chunks(embedding: Embedding) -> Parsed:
    """Leave out the chunks that do not parse, so that the others can be read."""
    if not embedding.chunks or _error(embedding.text) is None:
        return Parsed(embedding, embedding.faults)
    from inflint.sources.embedding import Fault

    broken: dict[int, str] = {}
    faults: list[Fault] = []
    for index, start in enumerate(embedding.starts):
        text, above = embedding.alone(index)
        error = _error(text)
        if error is not None:
            broken[index] = str(error)
            faults.append(Fault(str(error), start + max(0, error.line - 1 - above), error.column))
    if embedding.tolerant:
        faults.clear()
    return Parsed(embedding.without(broken), (*embedding.faults, *faults))


def _error(text: str) -> HeaderError | None:
    try:
        read_header(text)
    except HeaderError as error:
        return error
    return None
