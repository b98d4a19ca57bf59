"""Source for a newer Python than the one that runs is fixed all the same, through LibCST."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from inflint.fix.layout_cst import read_newer_tree
from tests.fix.harness import IMPORTS, run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NEWER = {
    "3.12 type parameters": ("class Policy[T](TorchRLModule):", "type Pair[T] = tuple[T, T]"),
    "3.14 except": ("class Policy(TorchRLModule):", "try:\n    n = 1\nexcept A, B:\n    n = 2"),
    "3.14 template string": ("class Policy(TorchRLModule):", 'text = t"{a}"'),
}
BODY = """
    def setup(self):
        self.pi = nn.Linear(4, 2)
        self.vf = nn.Linear(4, 1)
{}
    def _forward(self, batch, **kwargs):
        return {{Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}}
"""
METHOD = """
    def get_non_inference_attributes(self):
        return ["vf"]
"""


@pytest.mark.parametrize("name", NEWER)
def test_the_override_is_written(tmp_path: Path, name: str) -> None:
    head, more = NEWER[name]
    before = f"{IMPORTS}{more}\n\n\n{head}{BODY.format('')}"
    head = head.replace("(TorchRLModule)", "(TorchRLModule, InferenceOnlyAPI)")
    after = f"{IMPORTS}{more}\n\n\n{head}{BODY.format(METHOD)}"
    result, outcome = run(before, tmp_path)
    assert result.decode() == after
    assert len(outcome.applied) == 1
    assert run(result, tmp_path)[0] == result


SOURCE = '''\
"""Doc: ö."""
from __future__ import annotations
import os, sys as system; import a.b.c
from ..x import (
    y,  # why
    z as w
)
from q import *

if TYPE_CHECKING:
    from t import u
elif typing.TYPE_CHECKING:
    pass
else:
    raise ValueError
try: x = "ä"; import late
except ImportError:
    return_ = 1
    raise
except (A, B): pass
else:
    y = 1
finally:
    z = 2


@decorated(1,
           2)
class Ö(
    A,  # a
    ns.B[int],
    metaclass=M,
):
    """Doc."""

    @property
    def f(self) -> int:
        for _ in ():
            return
        else:
            while 1: break
        with a as b, \\
                c:
            ...

    async def g(self):
        match self:
            case 1: pass
            case _:
                return 1

    class Inner(object): ...
'''


def test_both_readers_see_the_same() -> None:
    assert list(_shape(read_newer_tree(SOURCE).body)) == list(_shape(ast.parse(SOURCE).body))


def _shape(block: list[ast.stmt]) -> Iterator[object]:
    """All that a layout asks about."""
    for node in block:
        yield node.lineno, node.col_offset, node.end_lineno, node.end_col_offset
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield getattr(node, "module", ""), getattr(node, "level", 0)
            for alias in node.names:
                yield alias.name, alias.asname, alias.lineno, alias.col_offset, alias.end_col_offset
        if isinstance(node, (ast.Pass, ast.Try, ast.Return, ast.Raise)):
            yield type(node)
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield type(node), node.name, [d.lineno for d in node.decorator_list]
            yield getattr(node, "returns", None) is None, len(getattr(node, "keywords", ()))
            for base in getattr(node, "bases", ()):
                yield base.lineno, base.col_offset, base.end_lineno, base.end_col_offset
        if isinstance(node, ast.If):
            names = getattr(node.test, "id", None), getattr(node.test, "attr", None)
            yield from [names] if "TYPE_CHECKING" in names else []
        constant = node.value if isinstance(node, ast.Expr) else None
        if isinstance(constant, ast.Constant):
            yield type(constant.value)
        for field in ("body", "orelse", "finalbody"):
            yield from _shape(getattr(node, field, None) or [])
        for clause in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            yield from _shape(clause.body)
