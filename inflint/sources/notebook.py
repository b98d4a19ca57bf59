"""Jupyter notebooks, of nbformat 3 and 4: their code cells, and the way to change one.

A notebook is read as JSON. It is not written as JSON: only the strings of the lines that
changed are replaced, in the notebook's own style, and all other bytes stay as they are.
"""

from __future__ import annotations

import codecs
import json
import re
from difflib import SequenceMatcher
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from inflint.sources.embedding import Chunk, DocumentError, Embedding, Fault, RestoreError
from inflint.sources.magics import PYTHON_CELLS, cell_magic

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()
_PYTHON = frozenset(("python", "python2", "python3", "ipython", "ipython2", "ipython3"))


class _Cell(NamedTuple):
    """A code cell: its number over all cells, the keys that lead to it, and what it holds."""

    number: int
    keys: tuple[str | int, ...]
    content: Mapping[str, Any]


def read_notebook(data: bytes) -> Embedding:
    """The Python cells of a notebook; none where its language is another one.

    Raises:
        DocumentError: It is no JSON, or no notebook.
    """
    text = _decode(data)
    if not text.strip():  # as editors leave a new one
        return Embedding(data)
    try:
        notebook = json.loads(text)
    except json.JSONDecodeError as error:
        raise DocumentError(f"not JSON: {error.msg}", error.lineno, error.colno) from None
    except RecursionError:
        raise DocumentError("not a notebook: nested too deeply") from None
    cells = list(_code_cells(notebook))
    if not _is_python(notebook.get("metadata")):
        return Embedding(data)
    chunks: list[Chunk] = []
    keys: list[tuple[str | int, ...]] = []
    for cell in cells:
        chunk = _chunk(cell)
        if chunk is not None:
            chunks.append(chunk)
            keys.append(cell.keys)
    embedding = Embedding(data, tuple(chunks), rebuild=partial(_rebuilt, text, data, keys))
    faults = tuple(
        Fault(chunk.broken, line, 1)
        for chunk, line in zip(chunks, embedding.starts, strict=True)
        if chunk.broken
    )
    return Embedding(data, embedding.chunks, faults, rebuild=embedding.rebuild)


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        start = data.rfind(b"\n", 0, error.start) + 1
        line = data.count(b"\n", 0, error.start) + 1
        raise DocumentError("a notebook is UTF-8", line, error.start - start + 1) from None


def _code_cells(notebook: Any) -> Iterator[_Cell]:
    if not isinstance(notebook, dict):
        raise DocumentError("not a notebook: it is no JSON object")
    sheets: list[tuple[tuple[str | int, ...], Any]] = [(("cells",), notebook.get("cells"))]
    worksheets = notebook.get("worksheets")
    if "cells" not in notebook and isinstance(worksheets, list):  # nbformat 3
        sheets = [
            (("worksheets", index, "cells"), sheet.get("cells"))
            for index, sheet in enumerate(worksheets)
            if isinstance(sheet, dict)
        ]
    number = 0
    for keys, cells in sheets:
        if not isinstance(cells, list):
            raise DocumentError("not a notebook: it has no list of cells")
        for index, cell in enumerate(cells):
            number += 1
            if isinstance(cell, dict) and cell.get("cell_type") == "code":
                yield _Cell(number, (*keys, index), cell)


def _is_python(metadata: Any) -> bool:
    """Whether a notebook's kernel runs Python, as far as it says which one it needs."""
    names = (_at(metadata, "language_info", "name"), _at(metadata, "kernelspec", "language"))
    return all(name.lower() in _PYTHON for name in names if isinstance(name, str) and name)


def _at(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _source_key(cell: Mapping[str, Any]) -> str:
    return "input" if "source" not in cell and "input" in cell else "source"


def _chunk(cell: _Cell) -> Chunk | None:
    """The cell's Python; None where it is blank or in another language."""
    languages = (
        cell.content.get("language"),
        _at(cell.content, "metadata", "vscode", "languageId"),
    )
    if any(isinstance(name, str) and name.lower() not in _PYTHON for name in languages):
        return None
    source = _joined(cell.content.get(_source_key(cell.content)))
    if source is None:
        return Chunk("", cell.number, broken="its source is neither a text nor a list of texts")
    magic = cell_magic(source)
    if not source.strip() or (magic is not None and magic not in PYTHON_CELLS):
        return None
    try:
        source.encode()
    except UnicodeEncodeError as error:
        letter = ord(source[error.start])
        return Chunk("", cell.number, broken=f"it holds half a character, \\u{letter:04x}")
    if "\0" in source:
        return Chunk("", cell.number, broken="source code cannot contain null bytes")
    return Chunk(source, cell.number)


def _joined(source: Any) -> str | None:
    if isinstance(source, str):
        return source
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return "".join(source)
    return None


# Writing


class _Value(NamedTuple):
    """Where a JSON value stands in the text, and what it is."""

    start: int
    end: int
    value: Any


def _rebuilt(
    text: str, data: bytes, keys: list[tuple[str | int, ...]], sources: Mapping[int, str]
) -> bytes:
    """The notebook with other sources in some cells; all other bytes stay."""
    root = _value(text, _skip(text, 0))
    pieces: list[str] = []
    done = 0
    children: dict[tuple[str | int, ...], dict[str | int, _Value]] = {}
    for index, source in sorted(sources.items()):
        cell = _find(text, root, keys[index], children)
        place = _members(text, cell.start)[_source_key(cell.value)]
        pieces += [text[done : place.start], _written(text, place, source)]
        done = place.end
    pieces.append(text[done:])
    bom = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    result = bom + "".join(pieces).encode()
    _verify(result, keys, sources)
    return result


def _verify(result: bytes, keys: list[tuple[str | int, ...]], sources: Mapping[int, str]) -> None:
    notebook = json.loads(_decode(result))
    for index, source in sources.items():
        cell = notebook
        for key in keys[index]:
            cell = cell[key]
        if _joined(cell[_source_key(cell)]) != source:
            raise RestoreError("the cell does not take the edit")


def _find(
    text: str,
    root: _Value,
    keys: tuple[str | int, ...],
    children: dict[tuple[str | int, ...], dict[str | int, _Value]],
) -> _Value:
    found = root
    for depth, key in enumerate(keys):
        above = keys[:depth]
        if above not in children:
            read = _members if isinstance(key, str) else _elements
            children[above] = dict(read(text, found.start))  # type: ignore[arg-type]
        found = children[above][key]
    return found


def _skip(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position


def _value(text: str, start: int) -> _Value:
    value, end = _DECODER.raw_decode(text, start)
    return _Value(start, end, value)


def _members(text: str, start: int) -> dict[str, _Value]:
    """The members of the object at ``start``; of equal names the last one counts."""
    found: dict[str, _Value] = {}
    position = _skip(text, start + 1)
    while text[position] != "}":
        name = _value(text, position)
        colon = _skip(text, name.end)
        member = _value(text, _skip(text, colon + 1))
        found[name.value] = member
        position = _skip(text, member.end)
        if text[position] == ",":
            position = _skip(text, position + 1)
    return found


def _elements(text: str, start: int) -> dict[int, _Value]:
    """The elements of the array at ``start``."""
    found: dict[int, _Value] = {}
    position = _skip(text, start + 1)
    while text[position] != "]":
        element = _value(text, position)
        found[len(found)] = element
        position = _skip(text, element.end)
        if text[position] == ",":
            position = _skip(text, position + 1)
    return found


def _written(text: str, place: _Value, source: str) -> str:
    """The JSON of a source in the style of the value that it replaces."""
    if isinstance(place.value, str):
        return _string(text, source)
    old = list(_elements(text, place.start).values())
    new = source.splitlines(keepends=True)
    tokens = [_string(text, line) for line in new]
    kept: list[int | None] = [None] * len(new)
    matcher = SequenceMatcher(None, [item.value for item in old], new, autojunk=False)
    for block in matcher.get_matching_blocks():
        for offset in range(block.size):
            item = old[block.a + offset]
            kept[block.b + offset] = block.a + offset
            tokens[block.b + offset] = text[item.start : item.end]
    head = text[place.start : old[0].start]
    tail = text[old[-1].end : place.end]
    usual = _separator(text, old, head)
    pieces = [head]
    for index, token in enumerate(tokens):
        if index:
            left, right = kept[index - 1], kept[index]
            together = left is not None and right == left + 1
            pieces.append(text[old[left].end : old[right].start] if together else usual)  # type: ignore[index]
        pieces.append(token)
    return "".join([*pieces, tail])


def _separator(text: str, items: list[_Value], head: str) -> str:
    """What stands between two lines of a cell."""
    if len(items) > 1:
        return text[items[0].end : items[1].start]
    space = head[1:]
    return f",{space}" if space else ", " if ", " in text else ","


def _string(text: str, value: str) -> str:
    """A JSON string; characters beyond ASCII are escaped where the notebook escapes them."""
    escapes = text.isascii() and "\\u" in text
    return json.dumps(value, ensure_ascii=escapes)
