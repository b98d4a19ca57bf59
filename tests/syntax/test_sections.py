"""A section sees a name as it or the nearest section before it binds it."""

from __future__ import annotations

from inflint.syntax.headers import Assigned, Imported, Inner, read_header
from inflint.syntax.sections import read_sections

TEXT = """\
import a
class A: pass
try:
    from x import B
except ImportError:
    B = None
class A(B): pass
from y import B
def f(): pass
C = 1
A = f()
"""
STARTS = (1, 7, 10)


def test_names_by_section() -> None:
    header = read_header(TEXT)
    first, second, third = (s.scope.bindings for s in read_sections(TEXT, header, STARTS))
    assert first["A"] == (Inner(0),)
    assert [type(b) for b in first["B"]] == [Imported, Assigned]
    assert second["A"] == (Inner(1),)
    assert second["B"] == third["B"] == (Imported("y", "B", 0),)
    assert [type(b) for b in third["A"]] == [Assigned]
    assert first["a"] == third["a"] == (Imported("a", None, 0),)
    assert first["f"] == third["f"] == (Inner(2),)  # nothing before binds it
    assert first["C"] == header.bindings["C"]


def test_sections_that_do_not_parse_alone() -> None:
    text = "class A:\n    x = 1\n"
    assert read_sections(text, read_header(text), (1, 2)) == ()
