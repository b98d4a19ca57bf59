"""The statements of source that the running Python cannot parse, through LibCST.

They come as nodes of the standard library's :mod:`ast`, with their places, but only with what
a layout is asked about: blocks, classes with their bases, functions, imports, placeholders.
Anything else is a bare expression statement.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, TypeVar

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from inflint.syntax.headers import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from libcst.metadata import CodeRange

_Placed = TypeVar("_Placed", bound=ast.stmt | ast.expr | ast.alias | ast.excepthandler)


def read_newer_tree(text: str) -> ast.Module:
    """The statements of ``text``.

    Raises:
        ValueError: LibCST cannot parse it either.
    """
    try:
        module = cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        raise ValueError(error.message) from None
    return ast.Module(_Reader(text, module).block(module.body), [])


class _Reader:
    def __init__(self, text: str, module: cst.Module) -> None:
        self._lines = split_lines(text)
        wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
        self._positions: Mapping[cst.CSTNode, CodeRange] = wrapper.resolve(PositionProvider)

    def block(self, body: Iterable[cst.CSTNode]) -> list[ast.stmt]:
        """Statements one by one, whether or not they share a line."""
        found: list[ast.stmt] = []
        for node in body:
            if isinstance(node, cst.SimpleStatementLine):
                found.extend(self._placed(self._small(small), small) for small in node.body)
            else:
                found.append(self._compound(node))
        return found

    def _small(self, node: cst.BaseSmallStatement) -> ast.stmt:
        if isinstance(node, cst.Import):
            return ast.Import([self._alias(alias) for alias in node.names])
        if isinstance(node, cst.ImportFrom):
            if isinstance(node.names, cst.ImportStar):
                names = [self._placed(ast.alias("*", None), node.names)]
            else:
                names = [self._alias(alias) for alias in node.names]
            module = None if node.module is None else _dotted(node.module)
            return ast.ImportFrom(module, names, len(node.relative))
        if isinstance(node, cst.Pass):
            return ast.Pass()
        if isinstance(node, cst.Return):
            return ast.Return(None)
        if isinstance(node, cst.Raise):
            return ast.Raise(None, None)
        value = node.value if isinstance(node, cst.Expr) else None
        return ast.Expr(self._expression(value, node))

    def _alias(self, node: cst.ImportAlias) -> ast.alias:
        name = None if node.asname is None else _dotted(node.asname.name)
        alias = self._placed(ast.alias(_dotted(node.name), name), node)
        last = node.asname.name if node.asname is not None else node.name
        self._end_at(alias, last)
        return alias

    def _expression(self, value: cst.BaseExpression | None, place: cst.CSTNode) -> ast.expr:
        found: ast.expr = ast.Name("_", ast.Load())
        if isinstance(value, (cst.SimpleString, cst.ConcatenatedString)):
            found = ast.Constant("")
        elif isinstance(value, cst.Ellipsis):
            found = ast.Constant(...)
        elif isinstance(value, cst.Name):
            found = ast.Name(value.value, ast.Load())
        elif isinstance(value, cst.Attribute):
            found = ast.Attribute(ast.Name("_", ast.Load()), value.attr.value, ast.Load())
        return self._placed(found, place if value is None else value)

    def _compound(self, node: cst.CSTNode) -> ast.stmt:
        body = self._suite(node)
        found: ast.stmt
        if isinstance(node, (cst.ClassDef, cst.FunctionDef)):
            found = self._definition(node, body)
        elif isinstance(node, (cst.Try, cst.TryStar)):
            found = self._try(node, body)
        elif isinstance(node, cst.Match):
            pattern = ast.MatchAs(None, None)
            cases = [ast.match_case(pattern, None, self._suite(case)) for case in node.cases]
            found = ast.Match(ast.Name("_", ast.Load()), cases)
        else:
            test = node.test if isinstance(node, (cst.If, cst.While)) else None
            orelse = self._orelse(getattr(node, "orelse", None))
            found = ast.If(self._expression(test, node), body, orelse)
        self._placed(found, node)
        inner = _last(found)
        if inner is not None:
            found.end_lineno, found.end_col_offset = inner.end_lineno, inner.end_col_offset
        if isinstance(node, (cst.ClassDef, cst.FunctionDef)):
            line = self._positions[node.name].start.line
            text = self._lines[line - 1]
            found.lineno, found.col_offset = line, len(text) - len(text.lstrip(" \t\f"))
        return found

    def _definition(self, node: cst.ClassDef | cst.FunctionDef, body: list[ast.stmt]) -> ast.stmt:
        marks = [self._expression(d.decorator, d.decorator) for d in node.decorators]
        name = node.name.value
        # Keywords rather than positions: newer Pythons have more fields.
        if isinstance(node, cst.FunctionDef):
            kind = ast.FunctionDef if node.asynchronous is None else ast.AsyncFunctionDef
            empty = ast.arguments([], [], None, [], [], None, [])
            returns = None if node.returns is None else ast.Name("_", ast.Load())
            found: ast.stmt = kind(
                name=name, args=empty, body=body, decorator_list=marks, returns=returns
            )
            return found
        bases = [self._base(arg) for arg in node.bases]
        keys = [ast.keyword(None, ast.Name("_", ast.Load())) for _ in node.keywords]
        return ast.ClassDef(name=name, bases=bases, keywords=keys, body=body, decorator_list=marks)

    def _base(self, arg: cst.Arg) -> ast.expr:
        found = self._expression(arg.value, arg.value)
        self._end_at(found, arg.value)
        return found

    def _try(self, node: cst.Try | cst.TryStar, body: list[ast.stmt]) -> ast.Try:
        handlers: list[ast.ExceptHandler] = []
        for clause in node.handlers:
            inner = self._suite(clause)
            handlers.append(self._placed(ast.ExceptHandler(None, None, inner), clause))
        final = [] if node.finalbody is None else self._suite(node.finalbody)
        return ast.Try(body, handlers, self._orelse(node.orelse), final)

    def _orelse(self, node: cst.CSTNode | None) -> list[ast.stmt]:
        if isinstance(node, cst.If):
            return [self._compound(node)]
        return [] if node is None else self._suite(node)

    def _suite(self, node: cst.CSTNode) -> list[ast.stmt]:
        suite = getattr(node, "body", None)
        if isinstance(suite, cst.SimpleStatementSuite):
            return [self._placed(self._small(small), small) for small in suite.body]
        return self.block(suite.body) if isinstance(suite, cst.IndentedBlock) else []

    # Places

    def _placed(self, found: _Placed, node: cst.CSTNode) -> _Placed:
        where = self._positions[node]
        found.lineno, found.col_offset = where.start.line, self._bytes(where.start)
        found.end_lineno, found.end_col_offset = where.end.line, self._bytes(where.end)
        return found

    def _end_at(self, found: ast.expr | ast.alias, node: cst.CSTNode) -> None:
        where = self._positions[node].end
        found.end_lineno, found.end_col_offset = where.line, self._bytes(where)

    def _bytes(self, where: cst.metadata.CodePosition) -> int:
        """The standard library counts columns in bytes."""
        if where.line > len(self._lines):
            return 0
        return len(self._lines[where.line - 1][: where.column].encode())


def _last(node: ast.stmt) -> ast.stmt | None:
    """The statement that a compound one ends with."""
    blocks: Sequence[list[ast.stmt]] = [
        getattr(node, field, None) or [] for field in ("finalbody", "orelse")
    ]
    inner: list[list[ast.stmt]] = [clause.body for clause in getattr(node, "handlers", ())]
    inner += [case.body for case in getattr(node, "cases", ())]
    found = [block for block in (*blocks, *reversed(inner)) if block]
    found.append(getattr(node, "body", None) or [])
    return found[0][-1] if found[0] else None


def _dotted(node: cst.CSTNode) -> str:
    if isinstance(node, cst.Attribute):
        return f"{_dotted(node.value)}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""
