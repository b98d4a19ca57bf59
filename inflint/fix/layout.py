"""How a file is laid out and written: its statements, and the habits that new code follows."""

from __future__ import annotations

import ast
import warnings
from functools import cached_property
from typing import TYPE_CHECKING

from inflint.fix.edits import CannotFixError, Document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inflint.syntax.headers import Scope

WIDTH = 88
"""Columns that a line may take in files whose own lines are no longer."""
_WIDEST = 120


class Layout:
    """The statements of a document with their places, and its habits.

    Raises on construction:
        CannotFixError: The text cannot be parsed.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.tree = _parsed(document.text)

    def spread(self, values: Iterable[str], line: int) -> str:
        """Values on lines of their own, to stand between brackets that open on ``line``."""
        newline, indent = self.document.newline(line), self.document.indent(line)
        inner = "".join(f"{newline}{indent}{self.step}{value}," for value in values)
        return f"{inner}{newline}{indent}"

    # Places

    def start(self, node: ast.stmt | ast.expr | ast.alias) -> int:
        """Where a node begins, without its decorators."""
        return self._offset(node.lineno, node.col_offset)

    def end(self, node: ast.stmt | ast.expr | ast.alias) -> int:
        """Where a node ends."""
        return self._offset(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def first_line(self, node: ast.stmt) -> int:
        """The line that a statement begins on, decorators included."""
        lines = [node.lineno]
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            lines += [decorator.lineno for decorator in node.decorator_list]
        return min(lines)

    def _offset(self, line: int, column: int) -> int:
        text = self.document.lines[line - 1]
        if not text.isascii():
            column = len(text.encode()[:column].decode())
        return self.document.offset(line, column)

    def chain_to(self, scope: Scope) -> list[list[ast.stmt]]:
        """The blocks of statements that lead to a class, the file's own first.

        Raises:
            CannotFixError: It is not there.
        """
        chain = _chain(self.tree.body, scope)
        if chain is None:
            raise CannotFixError("the class has moved")
        return chain

    def class_of(self, scope: Scope) -> ast.ClassDef:
        """The statement of a class. Raises as :meth:`chain_to`."""
        block = self.chain_to(scope)[-1]
        return next(n for n in block if isinstance(n, ast.ClassDef) and _is(n, scope))

    # Habits

    @cached_property
    def width(self) -> int:
        """Columns that a line may take."""
        longest = max((len(line.rstrip("\r\n")) for line in self.document.lines), default=0)
        return max(WIDTH, min(longest, _WIDEST))

    @cached_property
    def quote(self) -> str:
        """The quotes that most strings of the file stand in."""
        text = self.document.text
        return "'" if text.count("'") > text.count('"') else '"'

    @cached_property
    def step(self) -> str:
        """One level of indentation."""
        for node in ast.walk(self.tree):
            if not isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                continue
            lines = (node.lineno, self.first_line(node.body[0]))
            outer, inner = (self.document.indent(line) for line in lines)
            if inner.startswith(outer) and inner != outer:
                return inner[len(outer) :]
        return "    "

    def quoted(self, name: str) -> str:
        """A name as a string literal in the file's quotes."""
        return f"{self.quote}{name}{self.quote}"

    def returns_are_annotated(self, node: ast.ClassDef) -> bool:
        """Whether the methods of a class, else the functions of the file, say what they return."""
        for place in (node, self.tree):
            functions = [n for n in ast.walk(place) if isinstance(n, ast.FunctionDef)]
            if functions:
                return any(f.returns is not None for f in functions)
        return False

    def list_of_str(self) -> str:
        """The type of a list of strings, as the file would write it."""
        for statement in self.tree.body:
            if isinstance(statement, ast.ImportFrom) and statement.module == "typing":
                for alias in statement.names:
                    if alias.name == "List":
                        return f"{alias.asname or alias.name}[str]"
        return "list[str]"


def _parsed(text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError):
        from inflint.fix.layout_cst import read_newer_tree

        try:
            return read_newer_tree(text)
        except (ValueError, RecursionError, MemoryError):
            raise CannotFixError("the file cannot be parsed") from None
    except (RecursionError, MemoryError):
        raise CannotFixError("the file is nested too deeply") from None


def _chain(block: list[ast.stmt], scope: Scope) -> list[list[ast.stmt]] | None:
    for statement in block:
        first, last = statement.lineno, statement.end_lineno or statement.lineno
        if not first <= scope.head.line <= last:
            continue
        if isinstance(statement, ast.ClassDef) and _is(statement, scope):
            return [block]
        for inner in _blocks(statement):
            found = _chain(inner, scope)
            if found is not None:
                return [block, *found]
    return None


def _is(node: ast.ClassDef, scope: Scope) -> bool:
    return node.lineno == scope.head.line and node.name == scope.name


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    for field in ("body", "orelse", "finalbody"):
        inner = getattr(statement, field, None)
        if isinstance(inner, list):
            yield inner
    for clause in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield clause.body
