"""A file's header: its scopes, what each binds, and where everything stands.

The header is cheap: the standard library's parser reads about 7 MB/s and knows positions.
Bodies stay text until :mod:`inflint.syntax.lower` is asked for one. Source of a newer
Python than the running one goes through LibCST instead
(:mod:`inflint.syntax.headers_cst`); both give equal headers.
"""

from __future__ import annotations

import ast
import re
import warnings
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from inflint.syntax.facts import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

KEYWORD = re.compile(r"(?:async\s+)?(?:def|class)\s+")
_LINE_END = re.compile(r"\r\n|\r|\n")
_OTHER_ENDS = "\v\f\x1c\x1d\x1e"
"""What ends a line for ``str.splitlines``, but not for Python; beyond ASCII there are more."""


class Imported(NamedTuple):
    """A name bound by an import; ``attribute`` is None for a whole module."""

    module: str
    attribute: str | None
    level: int


class Assigned(NamedTuple):
    """A name bound by a statement that stands at ``span``."""

    span: Span


class Inner(NamedTuple):
    """A name bound by a ``class`` or ``def``: the position of its scope."""

    scope: int


Binding: TypeAlias = Imported | Assigned | Inner


class Scope(NamedTuple):
    """A module, class or function.

    ``span`` includes decorators, ``head`` is the line of ``class`` or ``def`` up to the
    end of the name. ``bases``, ``keywords`` and ``decorators`` are source text. A binding of
    ``name.attribute`` is an assignment to an attribute of ``name``.
    """

    kind: str
    name: str
    span: Span
    head: Span
    bases: tuple[str, ...]
    keywords: tuple[str, ...]
    decorators: tuple[str, ...]
    bindings: dict[str, tuple[Binding, ...]]
    scopes: tuple[Scope, ...]
    stars: tuple[Imported, ...]

    def walk(self) -> Iterator[tuple[Scope, ...]]:
        """Each scope below this one, as the chain of scopes that leads to it."""
        stack: list[tuple[Scope, ...]] = [(self,)]
        while stack:
            chain = stack.pop()
            yield chain
            stack.extend((*chain, inner) for inner in reversed(chain[-1].scopes))


def qualified(chain: Iterable[Scope]) -> str:
    """The name of a chain's last scope, as Python's ``__qualname__`` gives it."""
    parts: list[str] = []
    for outer, scope in pairwise(chain):
        if outer.kind == "function":
            parts.append("<locals>")
        parts.append(scope.name)
    return ".".join(parts)


class HeaderError(ValueError):
    """The file does not parse; ``line`` and ``column`` are 1-based."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


def split_lines(text: str) -> list[str]:
    """Lines with their ends, split where Python splits them (not at form feeds)."""
    if text.isascii() and not any(end in text for end in _OTHER_ENDS):
        return text.splitlines(keepends=True)
    lines, start = [], 0
    for match in _LINE_END.finditer(text):
        lines.append(text[start : match.end()])
        start = match.end()
    if start < len(text):
        lines.append(text[start:])
    return lines


def read_header(text: str) -> Scope:
    """The header of a file.

    Raises:
        HeaderError: Neither the running Python's grammar nor LibCST's reads the text.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (RecursionError, MemoryError):
        raise HeaderError("nested too deeply", 1, 1) from None
    except (SyntaxError, ValueError) as error:
        if "too many" in str(error):  # nested parentheses, indentation: no matter of grammar
            line, column = getattr(error, "lineno", 1), getattr(error, "offset", 1)
            raise HeaderError(str(error), line or 1, max(1, column or 1)) from None
        from inflint.syntax.headers_cst import read_newer_header

        return read_newer_header(text, error)
    return _Reader(text).module(tree)


class Draft:
    """A scope under construction; shared by both readers."""

    def __init__(self) -> None:
        self.bindings: dict[str, tuple[Binding, ...]] = {}
        self.scopes: list[Scope] = []
        self.stars: list[Imported] = []

    def bind(self, name: str, binding: Binding) -> None:
        """Add one way in which ``name`` gets its value."""
        self.bindings[name] = (*self.bindings.get(name, ()), binding)

    def add(self, scope: Scope) -> None:
        """Add an inner class or function."""
        self.bind(scope.name, Inner(len(self.scopes)))
        self.scopes.append(scope)

    def import_names(self, names: Iterable[tuple[str, str | None]]) -> None:
        """``import a.b`` and ``import a.b as c``: pairs of dotted name and alias."""
        for dotted, alias in names:
            top = dotted.partition(".")[0]
            self.bind(alias or top, Imported(dotted if alias else top, None, 0))

    def import_from(self, module: str, level: int, names: Iterable[tuple[str, str | None]]) -> None:
        """``from module import a, b as c``; ``*`` is a star import."""
        for attribute, alias in names:
            if attribute == "*":
                self.stars.append(Imported(module, "*", level))
            else:
                self.bind(alias or attribute, Imported(module, attribute, level))

    def finish(
        self,
        kind: str,
        name: str,
        span: Span,
        head: Span,
        texts: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]] = ((), (), ()),
    ) -> Scope:
        """The finished scope; ``texts`` are its bases, keywords and decorators."""
        bases, keywords, decorators = texts
        return Scope(
            kind,
            name,
            span,
            head,
            bases,
            keywords,
            decorators,
            self.bindings,
            tuple(self.scopes),
            tuple(self.stars),
        )


_SIMPLE = (
    ast.Expr, ast.Return, ast.Raise, ast.Assert, ast.Delete, ast.Pass, ast.Break, ast.Continue,
    ast.Global, ast.Nonlocal,
)  # fmt: skip
"""Statements that bind nothing and hold no others."""


class _Reader:
    def __init__(self, text: str) -> None:
        self._lines = split_lines(text)

    def module(self, tree: ast.Module) -> Scope:
        draft = Draft()
        self._block(tree.body, draft)
        end = Span(1, 0, max(1, len(self._lines)), 0)
        return draft.finish("module", "", end, Span(1, 0, 1, 0))

    def _block(self, body: Iterable[ast.stmt], draft: Draft) -> None:
        for node in body:
            self._statement(node, draft)

    def _statement(self, node: ast.stmt, draft: Draft) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            draft.add(self._scope(node, "function"))
        elif isinstance(node, ast.ClassDef):
            draft.add(self._scope(node, "class"))
        elif isinstance(node, ast.Import):
            draft.import_names((a.name, a.asname) for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            names = ((a.name, a.asname) for a in node.names)
            draft.import_from(node.module or "", node.level, names)
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if node.value is not None:
                span = self._span(node)
                for name in {n: None for t in targets for n in _bound(t)}:
                    draft.bind(name, Assigned(span))
        elif not isinstance(node, _SIMPLE):
            for field in ("body", "orelse", "finalbody"):
                self._block(getattr(node, field, ()), draft)
            for inner in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                self._block(inner.body, draft)

    def _scope(
        self, node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, kind: str
    ) -> Scope:
        draft = Draft()
        self._block(node.body, draft)
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        whole = self._span(node)._replace(line=first)
        column = self._column(node.lineno, node.col_offset)
        line = self._lines[node.lineno - 1]
        name_end = _end_of_name(line, column, node.name)
        head = Span(node.lineno, column, node.lineno, name_end)
        bases: tuple[str, ...] = ()
        keywords: tuple[str, ...] = ()
        if isinstance(node, ast.ClassDef):
            bases = tuple(self._text(b) for b in node.bases)
            keywords = tuple(f"{k.arg or '**'}={self._text(k.value)}" for k in node.keywords)
        decorators = tuple(self._text(d) for d in node.decorator_list)
        return draft.finish(kind, node.name, whole, head, (bases, keywords, decorators))

    def _column(self, line: int, offset: int) -> int:
        text = self._lines[line - 1]
        return offset if text.isascii() else len(text.encode()[:offset].decode())

    def _span(self, node: ast.stmt | ast.expr) -> Span:
        end_line, end_offset = node.end_lineno or node.lineno, node.end_col_offset or 0
        return Span(
            node.lineno,
            self._column(node.lineno, node.col_offset),
            end_line,
            self._column(end_line, end_offset),
        )

    def _text(self, node: ast.expr) -> str:
        return cut(self._lines, self._span(node))


def cut(lines: list[str], span: Span) -> str:
    """The text of ``span``."""
    if span.line == span.end_line:
        return lines[span.line - 1][span.column : span.end_column]
    first = lines[span.line - 1][span.column :]
    last = lines[span.end_line - 1][: span.end_column]
    return "".join([first, *lines[span.line : span.end_line - 1], last])


def _end_of_name(line: str, column: int, name: str) -> int:
    keyword = KEYWORD.match(line, column)
    return (column if keyword is None else keyword.end()) + len(name)


def _bound(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
        yield f"{target.value.id}.{target.attr}"
    elif isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            yield from _bound(element)
    elif isinstance(target, ast.Starred):
        yield from _bound(target.value)
