"""Headers of source that the running Python cannot parse, through LibCST.

LibCST reads the syntax of every Python from 3.8 to 3.14, whichever one runs. It is some
ten times slower than the standard library's parser, so it is the second choice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from inflint.syntax.facts import Span
from inflint.syntax.headers import Assigned, Draft, HeaderError, Scope, cut, split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from libcst.metadata import CodeRange


def read_newer_header(text: str, cause: Exception) -> Scope:
    """The header of ``text``, which the standard parser refused with ``cause``.

    Raises:
        HeaderError: LibCST refuses the text as well; the position is the standard
            parser's where it gave one.
    """
    try:
        module = cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        line, column, message = error.raw_line, error.raw_column + 1, error.message
        if isinstance(cause, SyntaxError) and cause.lineno:
            line, column, message = cause.lineno, cause.offset or 1, cause.msg
        raise HeaderError(message, max(1, line), max(1, column)) from None
    except (ValueError, RecursionError, MemoryError):
        raise HeaderError(str(cause) or "nested too deeply", 1, 1) from None
    return _Reader(text, module).module(module)


class _Reader:
    def __init__(self, text: str, module: cst.Module) -> None:
        self._lines = split_lines(text)
        wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
        self._positions: Mapping[cst.CSTNode, CodeRange] = wrapper.resolve(PositionProvider)

    def module(self, node: cst.Module) -> Scope:
        draft = Draft()
        self._block(node.body, draft)
        end = Span(1, 0, max(1, len(self._lines)), 0)
        return draft.finish("module", "", end, Span(1, 0, 1, 0))

    def _block(self, body: Iterable[cst.CSTNode], draft: Draft) -> None:
        for node in body:
            if isinstance(node, cst.SimpleStatementLine):
                self._block(node.body, draft)
            else:
                self._statement(node, draft)

    def _statement(self, node: cst.CSTNode, draft: Draft) -> None:
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            draft.add(self._scope(node))
        elif isinstance(node, cst.Import):
            draft.import_names((_dotted(a.name), _alias(a)) for a in node.names)
        elif isinstance(node, cst.ImportFrom):
            module = "" if node.module is None else _dotted(node.module)
            names: Iterable[tuple[str, str | None]] = [("*", None)]
            if not isinstance(node.names, cst.ImportStar):
                names = [(_dotted(a.name), _alias(a)) for a in node.names]
            draft.import_from(module, len(node.relative), names)
        elif isinstance(node, (cst.Assign, cst.AnnAssign, cst.AugAssign)):
            targets = (
                [t.target for t in node.targets] if isinstance(node, cst.Assign) else [node.target]
            )
            if node.value is not None:
                span = self._span(node)
                for name in {n: None for t in targets for n in _bound(t)}:
                    draft.bind(name, Assigned(span))
        else:
            self._nested(node, draft)

    def _nested(self, node: cst.CSTNode, draft: Draft) -> None:
        """Blocks of compound statements, in the order of the standard parser's fields."""
        body = getattr(node, "body", None)
        if isinstance(body, cst.BaseSuite):
            self._block(body.body, draft)
        orelse = getattr(node, "orelse", None)
        if isinstance(orelse, cst.If):
            self._nested(orelse, draft)
        elif orelse is not None:
            self._block(orelse.body.body, draft)
        final = getattr(node, "finalbody", None)
        if final is not None:
            self._block(final.body.body, draft)
        for inner in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            self._block(inner.body.body, draft)

    def _scope(self, node: cst.ClassDef | cst.FunctionDef) -> Scope:
        draft = Draft()
        self._block(node.body.body, draft)
        decorators = tuple(self._text(d.decorator) for d in node.decorators)
        whole, name = self._span(node), self._span(node.name)
        line = name.line
        if node.decorators:
            first = self._positions[node.decorators[0]].start.line
            whole = whole._replace(line=first)
        indent = len(self._lines[line - 1]) - len(self._lines[line - 1].lstrip(" \t\f"))
        whole = self._trim(whole._replace(column=indent), node.body)
        head = Span(line, indent, line, name.end_column)
        if isinstance(node, cst.FunctionDef):
            return draft.finish("function", node.name.value, whole, head, ((), (), decorators))
        keywords = tuple(
            f"{k.keyword.value if k.keyword else '**'}={self._text(k.value)}" for k in node.keywords
        )
        bases = tuple(self._base(b) for b in node.bases)
        return draft.finish("class", node.name.value, whole, head, (bases, keywords, decorators))

    def _base(self, arg: cst.Arg) -> str:
        return arg.star + self._text(arg.value)

    def _trim(self, span: Span, body: cst.BaseSuite) -> Span:
        """End ``span`` where the last statement ends, as the standard parser does."""
        last: cst.CSTNode = body
        while (inner := _last_block(last)) is not None:
            last = inner
        end = self._positions[last].end
        return span._replace(end_line=end.line, end_column=end.column)

    def _span(self, node: cst.CSTNode) -> Span:
        where = self._positions[node]
        return Span(where.start.line, where.start.column, where.end.line, where.end.column)

    def _text(self, node: cst.CSTNode) -> str:
        return cut(self._lines, self._span(node))


_WHOLE = (cst.Lambda, cst.IfExp)


def _last_block(node: cst.CSTNode) -> cst.CSTNode | None:
    """What a block or compound statement ends with; None for a simple statement."""
    found: object = getattr(node, "finalbody", None) or getattr(node, "orelse", None)
    if found is None:
        found = getattr(node, "handlers", None) or getattr(node, "cases", None)
    if not found:
        found = getattr(node, "body", None)
    if isinstance(found, (list, tuple)):
        found = found[-1] if found else None
    return found if isinstance(found, cst.CSTNode) and not isinstance(node, _WHOLE) else None


def _dotted(node: cst.CSTNode) -> str:
    if isinstance(node, cst.Attribute):
        return f"{_dotted(node.value)}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""


def _alias(node: cst.ImportAlias) -> str | None:
    name = node.asname.name if node.asname else None
    return name.value if isinstance(name, cst.Name) else None


def _bound(target: cst.CSTNode) -> Iterator[str]:
    if isinstance(target, cst.Name):
        yield target.value
    elif isinstance(target, cst.Attribute) and isinstance(target.value, cst.Name):
        yield f"{target.value.value}.{target.attr.value}"
    elif isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from _bound(element.value)
