"""A notebook's cells as Python, and back: only the sources that change, change."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inflint.sources.embedding import DocumentError, Embedding, RestoreError
from inflint.sources.notebook import read_notebook
from inflint.syntax.headers import split_lines
from tests.sources.notebooks import as_jupyter, code, notebook, prose


def sources(data: bytes) -> list[tuple[int | None, str]]:
    return [(chunk.cell, chunk.source) for chunk in read_notebook(data).chunks]


def edited(data: bytes, old: str, new: str) -> bytes:
    embedding = read_notebook(data)
    assert old.encode() in embedding.python
    return embedding.restored(embedding.python.replace(old.encode(), new.encode(), 1))


def test_cells_are_counted_over_all_kinds() -> None:
    data = as_jupyter(prose("# x"), code("a = 1\n"), prose("y"), code(""), code("b\nc"))
    assert sources(data) == [(2, "a = 1\n"), (5, "b\nc")]


def test_places() -> None:
    embedding = read_notebook(as_jupyter(code("a\nb"), code("%time x\n\nc = 1\n")))
    lines = embedding.text.splitlines()
    for text, place in {"a": (1, 1, 0), "b": (1, 2, 0), "c = 1": (2, 3, 0)}.items():
        assert embedding.place(lines.index(text) + 1, 0) == place
        assert embedding.excerpt(lines.index(text) + 1) == text
    assert embedding.excerpt(lines.index("c = 1") - 1) == "%time x"  # as the user sees it


@pytest.mark.parametrize("source", [["a\n", "b"], "a\nb", ["a", "\nb"], ["a\nb"]])
def test_a_source_is_a_text_or_a_list(source: Any) -> None:
    assert sources(as_jupyter(code(source))) == [(1, "a\nb")]


def test_nbformat_3() -> None:
    cells = [
        {"cell_type": "heading", "level": 1, "source": "x"},
        {"cell_type": "code", "language": "python", "input": "a = 1", "outputs": []},
        {"cell_type": "code", "language": "julia", "input": ["b = 1"], "outputs": []},
    ]
    old = {"metadata": {"name": ""}, "nbformat": 3, "worksheets": [{"cells": cells}, {"cells": []}]}
    data = json.dumps(old).encode()
    assert sources(data) == [(2, "a = 1")]
    assert edited(data, "a = 1", "a = 2") == data.replace(b'"a = 1"', b'"a = 2"')


@pytest.mark.parametrize(
    "metadata",
    [
        {"language_info": {"name": "R"}},
        {"kernelspec": {"language": "julia", "name": "julia-1.9"}},
        {"kernelspec": {"language": "python"}, "language_info": {"name": "sql"}},
    ],
)
def test_other_languages_are_passed_over(metadata: dict[str, Any]) -> None:
    assert sources(as_jupyter(code("class A"), **metadata)) == []


@pytest.mark.parametrize(
    "metadata",
    [
        {"kernelspec": {"name": "conda-env-ray"}},
        {"language_info": {"name": "python"}, "kernelspec": None},
        {"language_info": 3},
    ],
)
def test_python_is_the_default(metadata: dict[str, Any]) -> None:
    assert sources(as_jupyter(code("a"), **metadata)) == [(1, "a")]


def test_cells_in_other_languages_are_passed_over() -> None:
    sql = code("select 1", metadata={"vscode": {"languageId": "sql"}})
    data = as_jupyter(sql, code("%%bash\nls"), code("%%time\na"), code("%%writefile x.py\nb"))
    assert sources(data) == [(3, "%%time\na")]


def test_an_encoding_declared_in_a_cell_means_nothing() -> None:
    embedding = read_notebook(as_jupyter(code("# -*- coding: latin-1 -*-\ns = 'é'")))
    assert "s = 'é'" in embedding.python.decode()
    from inflint.sources.decode import decode

    assert decode(embedding.python) == embedding.text


@pytest.mark.parametrize(
    ("data", "message", "place"),
    [
        (b"not json", "not JSON: Expecting value", (1, 1)),
        (b'{"cells": [\n', "not JSON: Expecting value", (2, 1)),
        (b'{\n<<<<<<< HEAD\n"cells": []}', "not JSON: Expecting property name", (2, 1)),
        (b"[]", "it is no JSON object", (1, 1)),
        (b"{}", "it has no list of cells", (1, 1)),
        (b'{"cells": {}}', "it has no list of cells", (1, 1)),
        (b'{"worksheets": [{}]}', "it has no list of cells", (1, 1)),
        (b'{"a":\n "\xff"}', "a notebook is UTF-8", (2, 3)),
        (b"[" * 200_000, "nested too deeply|not JSON", None),
    ],
)
def test_no_notebook(data: bytes, message: str, place: tuple[int, int] | None) -> None:
    with pytest.raises(DocumentError, match=message) as caught:
        read_notebook(data)
    if place is not None:
        assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize("data", [b"", b" \n", b'{"cells": []}', b'{"cells": [3, null, {}]}'])
def test_nothing_in_it(data: bytes) -> None:
    assert read_notebook(data) == Embedding(data)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (5, "its source is neither a text nor a list of texts"),
        (None, "its source is neither a text nor a list of texts"),
        (["a", 3], "its source is neither a text nor a list of texts"),
        ("a = '\ud83d'", "it holds half a character, \\ud83d"),
        ("a = '\0'", "source code cannot contain null bytes"),
    ],
)
def test_a_cell_without_text(source: Any, message: str) -> None:
    cells = [code("a = 1"), code(source), code("b = 2")]
    data = json.dumps(notebook(*cells)).encode()
    embedding = read_notebook(data)
    ((found, line, column),) = embedding.faults
    assert (found, column) == (message, 1)
    assert embedding.place(line, 0) == (2, 1, 0)
    assert edited(data, "b = 2", "b = 3") == data.replace(b"b = 2", b"b = 3")


# Writing


def test_only_the_changed_lines_are_written() -> None:
    data = (
        b'{ "cells":[{"cell_type":"code","source"\n:[ "a\\u0020= \\/1\\n" ,\n\t"b\\n","c"],'
        b'"outputs":[{"text":"b\\n\\u00e9"}]}] , "x":1e3}\r\n'
    )
    assert edited(data, "b\n", "b\nnew\n") == data.replace(
        b'"b\\n","c"', b'"b\\n" ,\n\t"new\\n" ,\n\t"c"'
    )
    assert edited(data, "b\n", "B\n") == data.replace(b'"b\\n","c"', b'"B\\n" ,\n\t"c"')


def test_a_line_at_the_end() -> None:
    data = as_jupyter(code("a\nb"))
    assert edited(data, "b\n", "b\nc\n") == as_jupyter(code("a\nb\nc"))
    ended = as_jupyter(code("a\nb\n"))
    assert edited(ended, "b\n", "b\nc\n") == as_jupyter(code("a\nb\nc\n"))


def test_characters_are_written_as_the_notebook_writes_them() -> None:
    raw = as_jupyter(code("a = 'é'\n"))
    assert "a = 'éü'".encode() in edited(raw, "é", "éü")
    escaped = json.dumps(notebook(code("a = 'é'\n"))).encode()
    assert b"a = '\\u00e9\\u00fc'" in edited(escaped, "é", "éü")


def test_a_byte_order_mark_stays() -> None:
    data = b"\xef\xbb\xbf" + as_jupyter(code("a"))
    assert edited(data, "a\n", "b\n") == b"\xef\xbb\xbf" + as_jupyter(code("b"))


def test_line_ends_inside_a_source() -> None:
    data = as_jupyter(code("a\r\nb"))
    embedding = read_notebook(data)
    assert embedding.text.endswith("a\r\nb\r\n")
    assert edited(data, "b", "b\r\nc") == as_jupyter(code("a\r\nb\r\nc"))


def test_of_equal_names_the_last_counts() -> None:
    data = b'{"cells":[],"cells":[{"cell_type":"code","source":"a","source":["b"]}]}'
    assert sources(data) == [(1, "b")]
    assert edited(data, "b\n", "c\n") == data.replace(b'["b"]', b'["c"]')


def test_a_source_with_a_mark_in_it() -> None:
    cell = "# %% inflint\na = 1\n# %% inflint%\n"
    data = as_jupyter(code(cell), code("b = 1"))
    assert edited(data, "b = 1", "b = 2") == as_jupyter(code(cell), code("b = 2"))


def test_edits_that_do_not_fit() -> None:
    embedding = read_notebook(as_jupyter(code("a"), code("%time b\nc")))
    python = embedding.python
    with pytest.raises(RestoreError, match="spans cells"):
        embedding.restored(b"a\n")
    with pytest.raises(RestoreError, match="magic"):
        embedding.restored(python.replace(b"exec(", b"eval("))
    broken = embedding.without({1: "no"})
    with pytest.raises(RestoreError, match="does not parse"):
        broken.restored(broken.python[:-1] + b"b\n")


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
LINES = st.lists(st.sampled_from(["a = 1", "%time x", "é", "", "y?", "\t", "# c"]) | TEXT)
ENDS = st.sampled_from(["\n", "\r\n"])
STYLES = st.tuples(
    st.sampled_from([None, 0, 1, 4, "\t"]),
    st.sampled_from([None, (",", ":"), (" , ", " : ")]),
    st.booleans(),
)


@given(st.lists(st.tuples(LINES, ENDS, st.booleans())), STYLES, st.integers(0))
def test_any_cells_in_any_style(
    cells: list[tuple[list[str], str, bool]],
    style: tuple[Any, Any, bool],
    place: int,
) -> None:
    texts = [end.join(lines) for lines, end, _ in cells]
    values = [t if whole else t.splitlines(keepends=True) for t, (*_, whole) in zip(texts, cells)]  # noqa: B905
    indent, separators, ascii_only = style
    book = notebook(*[{**code(""), "source": value} for value in values])
    data = json.dumps(book, indent=indent, separators=separators, ensure_ascii=ascii_only).encode()
    embedding = read_notebook(data)
    assert embedding.restored(embedding.python) == data
    if not embedding.chunks:
        return
    index = place % len(embedding.chunks)
    lines = split_lines(embedding.text)
    lines.insert(embedding.starts[index] - 1, "import new\n")
    result = embedding.restored("".join(lines).encode())
    after = [chunk.source for chunk in read_notebook(result).chunks]
    before = [chunk.source for chunk in embedding.chunks]
    before[index] = f"import new\n{before[index]}"
    assert after == before
    reread = json.loads(result)
    for cell, old in zip(reread["cells"], book["cells"], strict=True):
        assert type(cell["source"]) is type(old["source"])
        assert cell | {"source": 0} == old | {"source": 0}


def test_large_outputs_are_no_burden() -> None:
    image = {
        "output_type": "display_data",
        "metadata": {},
        "data": {"image/png": "iVBO" * 5_000_000},
    }
    data = as_jupyter(code("x", outputs=[image]), code("a = 1"))
    assert edited(data, "a = 1", "a = 2") == data.replace(b"a = 1", b"a = 2")
