"""Both ways to lower a function give equal facts, with equal places."""

from __future__ import annotations

import argparse
import ast
import dataclasses
import json.decoder
import re
import typing
from pathlib import Path

import pytest

import inflint
from inflint.syntax import lower, lower_cst
from inflint.syntax.headers import read_header, split_lines

SOURCES = [
    *sorted(Path(inflint.__file__).parent.rglob("model/*.py")),
    *(Path(m.__file__ or "") for m in (argparse, ast, dataclasses, json.decoder, typing)),
]
_FORMATTED = re.compile(r"\b[rR]?[fF][rR]?['\"]")
"""Before 3.12 the parser does not know the places inside of these."""
SNIPPETS = {
    "strings": "x = 'a' 'b', b'a' b'b', 'a' # 'c'\n",
    "parts": "f('a'\n  # it's\n  f'{{b}}{c}' r'\\d' rf'\\{d}')\n",
    "conversions": "f'{a!r}{b:{c}}{d}{e:>3}'\n",
    "shown": "f'{a=}{b = !s}{c==d}'\n",
    "braces": "f'{ {1: 2}[1] }' f'{\"}\"}'\n",
    "names": "f'\\N{DASH}{a}'\n",
    "indices": "x[a, b], x[(a, b)], x[(a), b], x[(a), (b)], x[((a), b)]\n",
    "slices": "x[a,], x[()], x[1:2, ::3], x[:]\n",
    "brackets": "f(a + b), f((a + b)), f(a + b, c), (f)(a + b), f(\n(a\n+ b)\n), (a + b) * c\n",
    "arguments": "f(a, *b, c=d, *e, **g, h=i)\n",
    "umlauts": "f('ä', ('ö' + x), y), z[('ü', w)]\n",
    "logic": "a and b and c or not (d or (e or f)), -1, - -x, -True, 1 < x < 2\n",
    "deletion": "del (a, b), c\ndel (d, e)\ndel f\n",
    "tuples": "x = (a, b), ((c), d), (), ( e for e in f ), g(h for h in i)\n",
    "matching": (
        "match x:\n    case 1 | 'a' | None: pass\n    case {'k': v, **rest}: pass\n"
        "    case A(b, c=[d, *_]) as e if f: pass\n    case _: pass\n"
    ),
    "jumps": "for x in y:\n    if x: break\n    elif y: continue\n    else: pass\nelse: z\n",
    "errors": "try: a\nexcept (B, c.D) as e: f\nexcept g(): pass\nelse: h\nfinally: i\n",
    "scopes": "def f(a, /, b=1, *c, d, e=2, **g):\n    global h\n    class K: pass\n    yield a\n",
    "imports": "import a.b, c.d as e\nfrom ..f import g as h, i\nfrom j import *\n",
    "modes": "async def f():\n    async with a as b: await d\n    async for e in g: lambda: 1\n",
    "numbers": "1, 1.5, 2j, 0x1f, ..., True, b'x', 1_000\n",
}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_functions_of_a_file(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = split_lines(text)
    for chain in read_header(text).walk():
        span = chain[-1].span
        if chain[-1].kind != "function" or any(s.kind == "function" for s in chain[:-1]):
            continue
        function = "".join(lines[span.line - 1 : span.end_line])
        assert lower.lower_function(function, "Own") == lower_cst.lower_function(function, "Own")
        if not _FORMATTED.search(function):
            assert lower.spans(function, "Own") == lower_cst.spans(function, "Own")


@pytest.mark.parametrize("text", SNIPPETS.values(), ids=SNIPPETS)
def test_snippets(text: str) -> None:
    assert lower.lower_statement(text) == lower_cst.lower_statement(text)
    assert len(lower.spans(text)) == len(lower_cst.spans(text))
