"""The plugin for flake8: the findings of inflint's default rules, as flake8 shows its own.

flake8 heeds its own ``# noqa`` and selects codes itself. A file that flake8 cannot parse never
comes here, so the rule about such files is flake8's matter.
"""

from __future__ import annotations

import ast
import builtins
import os
import re
import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from inflint import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CLASS_WITH_BASES = re.compile(r"class\s+\w+\s*[(\[]")


class Plugin:
    """What flake8 makes for each file.

    Args:
        tree: The file's syntax tree.
        filename: The file, or the name that standard input goes by.
        lines: Its lines with their ends.
    """

    name = "inflint"
    version = __version__

    def __init__(self, tree: ast.AST, filename: str, lines: Sequence[str]) -> None:
        self._tree = tree
        self._path = Path(os.path.abspath(filename))  # noqa: PTH100 - keeps links
        self._text = "".join(lines)

    def run(self) -> Iterator[tuple[int, int, str, type[Plugin]]]:
        """Line, 0-based column, text and origin of each finding."""
        if not _may_matter(self._tree, self._text):
            return
        from inflint.engine.run import Request, check
        from inflint.report.paths import one_line
        from inflint.report.wording import sentence

        request = Request((self._path,), overlay={self._path: _encoded(self._text)})
        for finding in check(request).findings:
            text = f"{finding.code} {one_line(sentence(finding))}"
            yield finding.span.line, finding.span.column, text, Plugin


def _may_matter(tree: ast.AST, text: str) -> bool:
    """Whether a file may define the framework's modules or specs, without a look at others."""
    inert, spec = _knowledge()
    if spec in text:
        return True
    if _CLASS_WITH_BASES.search(text) is None:
        return False
    known = {*dir(builtins)}
    bases: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            known.add(node.name)
            bases.update(_root(base) for base in node.bases)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            module = node.module or "" if isinstance(node, ast.ImportFrom) else None
            relative = isinstance(node, ast.ImportFrom) and node.level > 0
            for alias in node.names:
                top = (alias.name if module is None else module).partition(".")[0]
                bound = alias.asname or alias.name.partition(".")[0]
                if not relative and top in inert:
                    known.add(bound)
                elif bound in bases or bound == "*":
                    return True
    return not bases <= known


def _root(base: ast.expr) -> str:
    """The name that an expression begins with; empty where it is no plain reference."""
    while isinstance(base, (ast.Attribute, ast.Subscript)):
        base = base.value
    return base.id if isinstance(base, ast.Name) else ""


@lru_cache(maxsize=1)
def _knowledge() -> tuple[frozenset[str], str]:
    """Packages that bring no module of the framework, and the name of specs of several."""
    from inflint.model.profile import load_profile

    profile = load_profile()
    opaque = (name for name in profile.opaque if "." not in name)
    return frozenset((*sys.stdlib_module_names, *opaque)), profile.multi_spec


def _encoded(text: str) -> bytes:
    """The bytes that the text would be read from, by the encoding that it declares."""
    from inflint.sources.decode import DecodeError, encoding_of

    data = text.encode("utf-8", "surrogatepass")
    try:
        return text.encode(encoding_of(data).removesuffix("-sig"))
    except (DecodeError, UnicodeEncodeError):
        return data
