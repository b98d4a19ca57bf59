"""Which lines of a Markdown document are Python, and where they stand."""

from __future__ import annotations

from textwrap import dedent

import pytest

from inflint.sources.markdown import read_markdown


def blocks(text: str) -> list[tuple[int, str]]:
    """The line on which each block begins, and its source."""
    embedding = read_markdown(text.encode())
    return [(chunk.line, chunk.source) for chunk in embedding.chunks]


@pytest.mark.parametrize(
    "info",
    [
        "python", "py", "Python", "python3", " python t='x'", "{python}", "{.python .x}",
        "py l='1'", "{code-block} python", "{code-cell} ipython3", "ipython", "python,ignore",
    ],
)  # fmt: skip
def test_languages(info: str) -> None:
    assert blocks(f"```{info}\nx\n```\n") == [(2, "x\n")]


@pytest.mark.parametrize(
    "info", ["", "pycon", "python-repl", "pytb", "sh", "text python", "{eval}"]
)
def test_other_languages(info: str) -> None:
    assert blocks(f"```{info}\nx\n```\n") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("~~~py\nx\n~~~\n", [(2, "x\n")]),
        ("````python\nx\n```\ny\n````\n", [(2, "x\n```\ny\n")]),
        ("```python\nx\n~~~\n```\n", [(2, "x\n~~~\n")]),
        ("```python\nx\n``` y\n`````\nz\n", [(2, "x\n``` y\n")]),
        ("```python\nx", [(2, "x")]),
        ("```python\n```\n", []),
        ("```python `x`\n```\n", []),
        ("``python\nx\n``\n", []),
        ("````md\n```python\nx\n```\n````\n", []),
        ("```python\r\nx\r\n```\r\ny\r\n```py\r\nz\r\n```", [(2, "x\r\n"), (6, "z\r\n")]),
        (":::{code-block} python\nx\n:::\n", [(2, "x\n")]),
        (":::python\nx\n:::\n", []),
    ],
)
def test_fences(text: str, expected: list[tuple[int, str]]) -> None:
    assert blocks(text) == expected


def test_a_list_item() -> None:
    text = "1. First:\n\n   ```python\n   def f():\n       x\n\n   ```\n- ```py\n  y\n  ```\n"
    assert blocks(text) == [(4, "def f():\n    x\n\n"), (9, "y\n")]
    embedding = read_markdown(text.encode())
    lines = embedding.text.splitlines()
    assert embedding.place(lines.index("    x") + 1, 4) == (None, 5, 7)
    assert embedding.excerpt(lines.index("    x") + 1) == "       x"


def test_a_quote() -> None:
    text = "> ```python\n> x\n>\n> y\n> ```\n> ```py\n> z\nafter\n```py\nw\n```\n"
    assert blocks(text) == [(2, "x\n\ny\n"), (7, "z\n"), (10, "w\n")]


def test_options_of_a_directive() -> None:
    text = "```{code-block} python\n:caption: x y\n:linenos:\n\nx\n```\n"
    assert blocks(text) == [(2, "#\n#\n\nx\n")]


def test_an_indented_fence() -> None:
    text = dedent("""\
        text
          ```python
          x
         y
              z
          ```
        """)
    assert blocks(text) == [(3, "x\ny\n    z\n")]


def test_any_bytes() -> None:
    assert blocks("\ufeff```python\nx\n```") == [(2, "x\n")]
    chunk = read_markdown(b"```python\n\xff\0\n```").chunks[0]
    assert chunk.source == "\ufffd\ufffd\n"
