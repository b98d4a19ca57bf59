"""Fingerprints: the same over moves and formatting, another one for another fault."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from inflint.checks.finding import Finding
from inflint.checks.fingerprint import fingerprints, normalised
from inflint.syntax.facts import Span


def finding(text: str, part: str, path: str = "/a/m.py", **changes: object) -> str:
    """The fingerprint of a finding on a part of a text."""
    start = text.index(part)
    before, within = text[:start], text[: start + len(part)]
    span = Span(
        before.count("\n") + 1,
        start - (before.rfind("\n") + 1),
        within.count("\n") + 1,
        len(within) - (within.rfind("\n") + 1),
    )
    made = Finding("INF202", "error", Path(path), span, "M", "it is read", "vf")
    (result,) = fingerprints([replace(made, **changes)], {Path(path): text.encode()})  # type: ignore[arg-type]
    return result


ONE = 'return ["pi", "vf"]\n'


def test_what_does_not_matter() -> None:
    first = finding(ONE, '["pi", "vf"]')
    assert len(first) == 32
    moved = "# é a comment\n\n\n    " + ONE
    assert finding(moved, '["pi", "vf"]', "/elsewhere/n.py") == first
    wrapped = "return [\n    'pi',  # kept\n    'vf',\n]\n"
    assert finding(wrapped, wrapped[7:-1]) == first
    assert finding(wrapped.replace("\n", "\r\n"), wrapped[7:-1].replace("\n", "\r\n")) == first
    assert finding(ONE, '["pi", "vf"]', message="other words", severity="info") == first


@pytest.mark.parametrize(
    "changes",
    [
        {"code": "INF203"},
        {"cls": "N"},
        {"cls": "M.N"},
        {"attribute": "critic"},
        {"attribute": None},
    ],
)
def test_what_matters(changes: dict[str, str]) -> None:
    assert finding(ONE, '"vf"', **changes) != finding(ONE, '"vf"')


def test_another_expression_of_the_class_is_another_finding() -> None:
    assert finding(ONE, '"pi"') != finding(ONE, '"vf"')


def test_the_order_of_the_attributes_is_no_matter() -> None:
    assert finding(ONE, "return", attribute="a, b") == finding(ONE, "return", attribute="b, a")


def test_without_a_class_the_name_of_the_file_counts() -> None:
    here = finding(ONE, "return", cls=None)
    assert finding(ONE, "return", "/moved/m.py", cls=None) == here
    assert finding(ONE, "return", "/a/n.py", cls=None) != here


def test_marks_inside_strings_are_text() -> None:
    assert normalised("x = 'a # b'  # c") == 'x="a#b"'
    assert normalised("f(a,\n  b,\n)") == "f(a,b)"
    assert normalised('"""a\n# b"""') == '"""a#b"""'


def test_a_file_that_cannot_be_read() -> None:
    found = Finding("INF900", "error", Path("/a/m.py"), Span(9, 3, 9, 4), None, "broken")
    assert fingerprints([found], {}) == fingerprints([found], {Path("/a/m.py"): b"\xff\xfe"})
