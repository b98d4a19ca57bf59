"""A notebook is fixed as the same code in a file would be, however it is cut into cells."""

from __future__ import annotations

import ast
import json
import random
from typing import TYPE_CHECKING

import pytest

from inflint.checks.pages import rules
from inflint.engine.fixing import fix
from inflint.engine.run import Request
from tests.sources.notebooks import as_jupyter, code

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = [
    (rule, index)
    for rule in ("INF101", "INF102", "INF103", "INF201", "INF202", "INF206")
    for index in range(len(rules()[rule].examples("bad")))
]


def cut(source: str, chance: random.Random) -> list[str]:
    """The source in pieces of one or more statements."""
    lines = source.splitlines(keepends=True)
    pieces: list[str] = []
    done = 0
    for statement in ast.parse(source).body:
        end = statement.end_lineno or statement.lineno
        text = "".join(lines[done:end])
        if pieces and chance.random() < 0.4:
            pieces[-1] += text
        else:
            pieces.append(text)
        done = end
    pieces[-1] += "".join(lines[done:])
    return [piece.rstrip("\n") if chance.random() < 0.7 else piece for piece in pieces]


def statements(source: str) -> list[str]:
    """All statements; where an import stands depends on the blank lines around it."""
    return sorted(ast.dump(statement) for statement in ast.parse(source).body)


@pytest.mark.parametrize(("rule", "index"), EXAMPLES)
def test_as_in_a_file(rule: str, index: int, tmp_path: Path) -> None:
    source = rules()[rule].examples("bad")[index]
    pieces = cut(source, random.Random(f"{rule} {index}"))
    cells = [code("%load_ext x\n!ls"), *map(code, pieces), code("m?\nx = 1 +")]
    file, book = tmp_path / "x.py", tmp_path / "x.ipynb"
    data = as_jupyter(*cells)
    plain = fix(Request((file,), overlay={file: source.encode()}), unsafe=True)
    cellwise = fix(Request((book,), overlay={book: data}), unsafe=True)
    fixed = json.loads(cellwise.after.get(book, data))["cells"]
    texts = ["".join(cell["source"]) for cell in fixed]
    assert len(texts) == len(cells)
    assert [texts[0], texts[-1]] == ["%load_ext x\n!ls", "m?\nx = 1 +"]
    expected = plain.after.get(file, source.encode()).decode()
    assert statements("\n".join(texts[1:-1])) == statements(expected)
    left = [(each.finding.code, each.reason) for each in cellwise.left]
    assert [pair for pair in left if pair[0] != "INF900"] == [
        (each.finding.code, each.reason) for each in plain.left
    ]
