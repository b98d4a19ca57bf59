"""Headers: both readers agree, and newer syntax than the running Python's is read, too."""

from __future__ import annotations

import importlib.util
import textwrap
from pathlib import Path

import pytest

from inflint.syntax.headers import (
    Assigned,
    HeaderError,
    Imported,
    Inner,
    cut,
    read_header,
    split_lines,
)
from inflint.syntax.headers_cst import read_newer_header


def installed(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def read_both(text: str) -> None:
    assert read_newer_header(text, ValueError()) == read_header(text)


ODD = {
    "decorators": "@a\n@b(\n  1,\n)\nclass C(B, metaclass=M):\n    @p\n    def f(self): pass\n",
    "elif": "if a:\n  x = 1\nelif b:\n  class C: pass\nelse:\n  def f(): return 1\n",
    "try": "try:\n  import a\nexcept E:\n  a = None\nelse:\n  b = 1\nfinally:\n  c = 2\n",
    "match": "match x:\n  case 1:\n    y = 2\n  case _:\n    class D: pass\n",
    "one line": "class C: x = 1; y = 2\nclass D(C): pass\n",
    "semicolons": "a = 1; b, (c, *d) = 2, (3, 4); e: int = 5; f: int\n",
    "imports": "import a.b, c as d\nfrom .x import (y as z, w,\n)\nfrom . import q\n",
    "star import": "from m import *\nfrom ..n import *\n",
    "unicode": "é = 1; class_ = 'ü'; x = 2\nclass Größe(Basis):\n    ö = 3\n",
    "tabs": "class C:\n\tdef f(self):\n\t\tif 1:\n\t\t\treturn 2\n\tx = 1\n",
    "form feed": "a = 1\n\x0c\nclass C(B):\n    pass\n",
    "carriage returns": "class C(B):\r\n    x = 1\r\n    def f(self):\r\n        return 2\r\n",
    "async": "async def f():\n    async with a as b:\n        class C: pass\n",
    "strings": 's = """\nclass Fake(RLModule):\n    pass\n"""\nclass C(B): pass\n',
    "nested": (
        "def f():\n    class A:\n        class B(A0):\n            def g(self):\n"
        "                class D(E): pass\n"
    ),
    "no final newline": "class C(B):\n    def f(self):\n        return 1",
    "empty": "",
}


@pytest.mark.parametrize("name", ODD)
def test_readers_agree_on_odd_source(name: str) -> None:
    read_both(ODD[name])


def test_readers_agree_on_real_source() -> None:
    files = sorted((installed("ray") / "rllib" / "core").rglob("*.py"))
    assert len(files) > 40
    for path in files:
        read_both(path.read_text(encoding="utf-8"))


def test_what_a_header_holds() -> None:
    text = textwrap.dedent(
        """
        from a.b import C as D
        NAMES = ["x"]

        @wrap
        class M(D, mod.E[int], metaclass=Meta):
            size = 3

            @property
            def vf(self):
                return 1
        """
    ).lstrip()
    header = read_header(text)
    assert header.bindings["D"] == (Imported("a.b", "C", 0),)
    (names,) = header.bindings["NAMES"]
    assert isinstance(names, Assigned)
    assert cut(split_lines(text), names.span) == 'NAMES = ["x"]'
    assert header.bindings["M"] == (Inner(0),)
    (cls,) = header.scopes
    assert (cls.kind, cls.bases, cls.keywords) == (
        "class",
        ("D", "mod.E[int]"),
        ("metaclass=Meta",),
    )
    assert (cls.span.line, cls.head.line, cls.head.end_column) == (4, 5, 7)
    (method,) = cls.scopes
    assert (method.name, method.decorators) == ("vf", ("property",))


NEWER = {
    "type parameters (3.12)": "class C[T: int](Base[T]):\n    def f[U](self, x: U) -> U: ...\n",
    "type alias (3.12)": "type X = int\nclass C(Base): pass\n",
    "nested quotes (3.12)": 'x = f"{d["a"]}"\nclass C(Base): pass\n',
    "multi-line f-string (3.12)": 'x = f"{\n  a\n}"\nclass C(Base): pass\n',
    "bare except tuple (3.14)": "try:\n  pass\nexcept A, B:\n  pass\nclass C(Base): pass\n",
    "template string (3.14)": 'x = t"{a}"\nclass C(Base): pass\n',
}


@pytest.mark.parametrize("name", NEWER)
def test_newer_syntax(name: str) -> None:
    header = read_header(NEWER[name])
    assert "C" in header.bindings


@pytest.mark.parametrize(
    ("text", "line"),
    [("class C(\n", 1), ("x = 1\nprint 'a'\n", 2), ("def f():\n", 1), ("(" * 5000, 1)],
)
def test_what_does_not_parse(text: str, line: int) -> None:
    with pytest.raises(HeaderError) as caught:
        read_header(text)
    assert caught.value.line >= line
