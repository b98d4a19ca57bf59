"""Arguments added to a call, and parameters to a function, in the form that the others have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from inflint.fix.edits import CannotFixError, Edit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inflint.fix.layout import Layout
    from inflint.fix.tree import Piece


def add_arguments(piece: Piece, call: cst.Call, texts: Sequence[str], layout: Layout) -> list[Edit]:
    """Add arguments behind the last one of a call."""
    if not call.args:
        close = piece.end(call) - 1
        return [Edit(close, close, ", ".join(texts))]
    last = call.args[-1]
    comma = piece.end(last.comma) if isinstance(last.comma, cst.Comma) else None
    edits = _behind(piece, piece.start(last), piece.outer(last.value)[1], comma, texts)
    spans = [(piece.start(a), piece.outer(a.value)[1]) for a in call.args]
    return _fitting(piece, spans, texts, edits, layout)


def add_parameters(piece: Piece, texts: Sequence[str], layout: Layout) -> list[Edit]:
    """Add parameters behind the last one of a function, which takes no ``**kwargs`` yet."""
    assert isinstance(piece.root, cst.FunctionDef)  # noqa: S101 - it is a method
    params = piece.root.params
    star = () if isinstance(params.star_arg, cst.MaybeSentinel) else (params.star_arg,)
    given = [*params.params, *star, *params.kwonly_params]
    if not params.params or isinstance(given[-1], cst.ParamStar):
        raise CannotFixError(f"{piece.root.name.value}() has no place for a parameter")
    last = given[-1]
    comma = piece.end(last.comma) if isinstance(last.comma, cst.Comma) else None
    edits = _behind(piece, piece.start(last), _end(piece, last), comma, texts)
    spans = [(piece.start(p), _end(piece, p)) for p in given]
    return edits if params.posonly_params else _fitting(piece, spans, texts, edits, layout)


def _end(piece: Piece, param: cst.Param | cst.ParamStar) -> int:
    """Where a parameter ends, without its comma."""
    if isinstance(param, cst.ParamStar):
        return piece.start(param) + 1
    annotation = param.annotation.annotation if param.annotation else None
    return piece.outer(param.default or annotation or param.name)[1]


def _fitting(
    piece: Piece,
    spans: Sequence[tuple[int, int]],
    texts: Sequence[str],
    edits: list[Edit],
    layout: Layout,
) -> list[Edit]:
    """The edits, or what stands in the parentheses on lines of its own if it gets too wide."""
    document = piece.document
    (edit,) = edits
    first = spans[0][0]
    line = document.line_of(first)
    written = document.lines[line - 1].rstrip("\r\n")
    before, after = document.text[:first], document.text[edit.end :]
    rest = after[: document.line_end(edit.end) - edit.end]
    if "\n" in edit.text or "\r" in edit.text or document.line_of(edit.start) != line:
        return edits
    if len(written) + len(edit.text) <= layout.width or not before.endswith("("):
        return edits
    if not rest.startswith(")") or "#" in written:
        return edits
    newline, indent = document.newline(line), document.indent(line)
    lead = f"{newline}{indent}{layout.step}"
    values = [*(document.text[start:end] for start, end in spans), *texts]
    inside = ", ".join(values)
    if len(lead) - len(newline) + len(inside) > layout.width:
        return [Edit(first, edit.end, layout.spread(values, line))]
    return [Edit(first, edit.end, f"{lead}{inside}{newline}{indent}")]


def _behind(
    piece: Piece, start: int, end: int, comma: int | None, texts: Sequence[str]
) -> list[Edit]:
    document = piece.document
    if document.text[document.line_start(start) : start].strip():
        if comma is None:
            return [Edit(end, end, "".join(f", {text}" for text in texts))]
        return [Edit(comma, comma, "".join(f" {text}," for text in texts))]
    line = document.line_of(start)
    lead = f"{document.newline(line)}{document.indent(line)}"
    if comma is None:
        return [Edit(end, end, "".join(f",{lead}{text}" for text in texts))]
    close = document.line_end(comma)
    rest = document.text[comma:close].strip()
    place = close if not rest or rest.startswith("#") else comma
    return [Edit(place, place, "".join(f"{lead}{text}," for text in texts))]
