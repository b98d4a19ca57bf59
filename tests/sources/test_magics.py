"""IPython's syntax is masked line for line, and comes back as it was."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inflint.sources.magics import cell_magic, mask, unmask

MAGICS = [
    "%time f(x)",
    "%matplotlib inline",
    "!pip install -q 'ray[rllib]'",
    "!echo \"it's",
    "?model",
    "??model",
    "model?",
    "model.setup??",
    "files = !ls {path}",
    "self.x, y = %timeit -o f()",
    "x: int = !wc -l",
    "/call a b",
    ",quote a b",
    ";quote a b",
    "%%time not in the first line",
    "%lsmagic \\\n   continued",
    "if x:\n    %time f()\n    !ls",
    "def f():\n\t%time g()",
]
PYTHON = [
    "x = 5 % 2",
    "x = (5\n%2, 1)",
    "x = y \\\n% 3",
    "x != 1",
    "print(f'{x!r}')",
    "'''\n%time\n!ls\nwhat?\n'''",
    '"""what?"""',
    "s = 'why?'  # who?",
    "# %time",
    "s = r'\\''; y = 1",
    "await f()",
    "async for x in y: pass",
    "plt.show();",
    "x = '''a'''; y = \"b\" '?'",
    'f(\n    a,\n)["b?"]',
]


@pytest.mark.parametrize("source", MAGICS)
def test_a_magic_becomes_python(source: str) -> None:
    text = f"a = 1\n{source}\nb = 2"
    masked = mask(text, "W")
    ast.parse(masked)
    assert masked.count("\n") == text.count("\n")
    assert masked.splitlines()[0] == "a = 1"
    assert masked.splitlines()[-1] == "b = 2"
    assert "W" in masked
    assert unmask(masked, text, "W") == text


@pytest.mark.parametrize("source", PYTHON)
def test_python_stays(source: str) -> None:
    ast.parse(source)
    assert mask(source, "W") == source


def test_what_a_mask_binds() -> None:
    assert mask("files = !ls", "W") == 'files = eval(get_ipython("W 0"))'
    assert mask("  %time x\r\n  y", "W") == '  exec(get_ipython("W 0"))\r\n  y'
    assert mask("x?", "W") == 'get_ipython("W 0")'


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("%%bash\nls", "bash"),
        ("\n  \n%%time\nx", "time"),
        ("%%time", "time"),
        ("x\n%%time", None),
        ("%time x", None),
        ("# %%time", None),
    ],
)
def test_cell_magic(source: str, name: str | None) -> None:
    assert cell_magic(source) == name


def test_a_cell_magic_is_a_comment() -> None:
    assert mask("%%time -x 'a\nx = 1", "W") == '# "W 0"\nx = 1'


def test_an_edit_beside_magics() -> None:
    source = "%time a\nclass A: pass\nx = !ls"
    edited = mask(source, "W").replace("class A:", "import b\nclass A(b):")
    assert unmask(edited, source, "W") == "%time a\nimport b\nclass A(b): pass\nx = !ls"


def test_a_lost_magic_is_noticed() -> None:
    source = "%time a\nx = 1"
    assert unmask("x = 1", source, "W") is None
    assert unmask(mask(source, "W") * 2, source, "W") is None


PIECES = [*MAGICS, *PYTHON, "", "  ", "'''", "(", ")", "\\", "\r", "\x0c", "é?"]


@given(st.lists(st.sampled_from(PIECES)), st.sampled_from(["\n", "\r\n", "\r"]))
def test_round_trip(pieces: list[str], end: str) -> None:
    source = end.join(pieces)
    masked = mask(source, "W")
    assert unmask(masked, source, "W") == source
    assert [masked.count(c) for c in "\r\n"] == [source.count(c) for c in "\r\n"]
