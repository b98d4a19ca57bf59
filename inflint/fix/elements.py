"""Elements of a written list: taken out or added in the form that the list has."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import libcst as cst

from inflint.fix.edits import CannotFixError, Edit, ordered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inflint.fix.layout import Layout
    from inflint.fix.tree import Piece

Display = cst.List | cst.Tuple | cst.Set
LOSES_COMMENT = "a comment beside it would be lost"
LEAVES_COMMENT = "the comment above it would lose its line"


class Removal(NamedTuple):
    """Edits that take something out, and why that is not safe."""

    edits: tuple[Edit, ...]
    unsafe: str = ""


class _Slot(NamedTuple):
    """An element's place: its value, and the end of the comma behind it."""

    start: int
    end: int
    after: int
    comma: bool


def _slots(piece: Piece, display: Display) -> list[_Slot]:
    found = []
    for element in display.elements:
        start, end = piece.start(element), piece.end(element)
        if isinstance(element, cst.Element):
            start, end = piece.outer(element.value)
        comma = isinstance(element.comma, cst.Comma)
        after = piece.end(element.comma) if isinstance(element.comma, cst.Comma) else end
        found.append(_Slot(start, end, after, comma))
    return found


def element_of(piece: Piece, value: cst.CSTNode) -> tuple[Display, int] | None:
    """The list, tuple or set that a value is an element of, and its index there."""
    element = piece.parent(value)
    if not isinstance(element, cst.Element):
        return None
    display = piece.parent(element)
    if not isinstance(display, (cst.List, cst.Tuple, cst.Set)):
        return None
    return display, list(display.elements).index(element)


def remove(piece: Piece, display: Display, index: int) -> Removal:
    """Take one element out, with its comma, and with its line where it has one to itself."""
    slots = _slots(piece, display)
    slot = slots[index]
    if len(slots) == 1:
        return _empty(piece, display, slot)
    pair = isinstance(display, cst.Tuple) and len(slots) == 2
    cut = _line_of(piece, slot)
    if cut is not None:
        edits = [cut]
        if index and index == len(slots) - 1 and not (slot.comma or pair):
            edits.insert(0, Edit(slots[index - 1].after - 1, slots[index - 1].after, ""))
    else:
        edits = [_inline(piece, slots, index, keep_comma=pair)]
    lost = any(piece.comments_in(e.start, e.end) for e in edits)
    if pair and not slots[1 - index].comma:
        edits.append(Edit(slots[1 - index].end, slots[1 - index].end, ","))
    return Removal(tuple(ordered(edits)), LOSES_COMMENT if lost else _orphan(piece, slot))


def remove_several(piece: Piece, display: Display, indexes: Sequence[int]) -> Removal:
    """Take several elements of one display out; a tuple of one keeps its comma."""
    slots = _slots(piece, display)
    gone = sorted(set(indexes))
    left = [i for i in range(len(slots)) if i not in gone]
    if not left:
        start, end = inside(piece, display)
        lost = piece.comments_in(start, end)
        return Removal((Edit(start, end, ""),), LOSES_COMMENT if lost else "")
    single = isinstance(display, cst.Tuple) and len(left) == 1
    edits: list[Edit] = []
    for first in (i for i in gone if i - 1 not in gone):
        last = first
        while last + 1 in gone:
            last += 1
        if last + 1 < len(slots):
            edits.append(Edit(slots[first].start, slots[last + 1].start, ""))
        else:
            before = slots[first - 1]
            start = before.after if slots[last].comma or single else before.end
            edits.append(Edit(start, slots[last].after, ""))
    lost = any(piece.comments_in(e.start, e.end) for e in edits)
    if single and not slots[left[0]].comma:
        edits.append(Edit(slots[left[0]].end, slots[left[0]].end, ","))
    return Removal(tuple(ordered(edits)), LOSES_COMMENT if lost else "")


def _line_of(piece: Piece, slot: _Slot) -> Edit | None:
    """The removal of an element's lines, if nothing but a comment shares them."""
    document = piece.document
    rest = document.text[slot.after : document.line_end(slot.after)].strip()
    if not _has_line(piece, slot) or (rest and not rest.startswith("#")):
        return None
    return Edit(document.line_start(slot.start), document.next_line(slot.after), "")


def _inline(piece: Piece, slots: list[_Slot], index: int, *, keep_comma: bool) -> Edit:
    """The removal of an element that shares its line, with one comma."""
    slot = slots[index]
    if index == len(slots) - 1:
        before = slots[index - 1]
        start = before.after if slot.comma or keep_comma else before.end
        return Edit(start, slot.after, "")
    following = slots[index + 1].start
    gap = piece.document.text[slot.after : following]
    if index and ("\n" in gap or "\r" in gap):
        return Edit(slots[index - 1].after, slot.after, "")
    return Edit(slot.start, following, "")


def _empty(piece: Piece, display: Display, slot: _Slot) -> Removal:
    """Take the only element out."""
    if isinstance(display, cst.Set):
        raise CannotFixError("an empty set has no literal")
    if isinstance(display, cst.Tuple) and not display.lpar:
        return Removal((Edit(slot.start, slot.after, "()"),))
    start, end = inside(piece, display)
    if not piece.comments_in(start, end):
        return Removal((Edit(start, end, ""),))
    edit = _line_of(piece, slot) or Edit(slot.start, slot.after, "")
    lost = piece.comments_in(edit.start, edit.end)
    return Removal((edit,), LOSES_COMMENT if lost else _orphan(piece, slot))


def _has_line(piece: Piece, slot: _Slot) -> bool:
    document = piece.document
    return not document.text[document.line_start(slot.start) : slot.start].strip()


def inside(piece: Piece, display: Display) -> tuple[int, int]:
    """What stands between a display's brackets."""
    if isinstance(display, cst.List):
        return _within(piece, display.lbracket, display.rbracket)
    if isinstance(display, cst.Tuple):
        return _within(piece, display.lpar[-1], display.rpar[0])
    return _within(piece, display.lbrace, display.rbrace)


def _within(piece: Piece, opening: cst.CSTNode, closing: cst.CSTNode) -> tuple[int, int]:
    return piece.start(opening) + 1, piece.end(closing) - 1


def _orphan(piece: Piece, slot: _Slot) -> str:
    """Whether a comment line above an element would be left to describe the next one."""
    document = piece.document
    line = document.line_of(slot.start)
    above = document.lines[line - 2].strip() if line > 1 else ""
    return LEAVES_COMMENT if above.startswith("#") and _has_line(piece, slot) else ""


def add(piece: Piece, display: Display, names: Sequence[str], layout: Layout) -> list[Edit]:
    """Add names behind the last element, each in the list's own form."""
    slots = _slots(piece, display)
    texts = [_quoted(display, name, layout) for name in names]
    if not slots:
        start = inside(piece, display)[0]
        more = "," if isinstance(display, cst.Tuple) and len(texts) == 1 else ""
        return [Edit(start, start, ", ".join(texts) + more)]
    document, last = piece.document, slots[-1]
    if not _has_line(piece, last) or document.line_of(slots[0].start) == document.line_of(
        piece.start(display)
    ):
        if last.comma:
            single = isinstance(display, cst.Tuple) and len(slots) == 1
            text = "".join(f" {text}," for text in texts)
            edit = Edit(last.after, last.after, text.removesuffix(",") if single else text)
        else:
            edit = Edit(last.end, last.end, "".join(f", {text}" for text in texts))
        return _spread(piece, display, slots, texts, edit, layout) or [edit]
    line = document.line_of(last.start)
    lead = f"{document.newline(line)}{document.indent(line)}"
    text = "".join(f"{lead}{text}," for text in texts)
    end = document.line_end(last.after)
    rest = document.text[last.after : end].strip()
    if rest and not rest.startswith("#"):
        end = last.after
    if last.comma:
        return [Edit(end, end, text)]
    if end == last.end:
        return [Edit(end, end, "," + text.removesuffix(","))]
    return [Edit(last.end, last.end, ","), Edit(end, end, text.removesuffix(","))]


def _spread(
    piece: Piece,
    display: Display,
    slots: list[_Slot],
    texts: list[str],
    edit: Edit,
    layout: Layout,
) -> list[Edit]:
    """The whole display, one element a line, where its one line would get too wide."""
    document = piece.document
    if isinstance(display, cst.Tuple) and not display.lpar:
        return []
    start, end = inside(piece, display)
    line = document.line_of(start)
    width = len(document.lines[line - 1].rstrip("\r\n")) + len(edit.text)
    if width <= layout.width or document.line_of(end) != line or piece.comments_in(start, end):
        return []
    values = [document.text[slot.start : slot.end] for slot in slots]
    return [Edit(start, end, layout.spread([*values, *texts], line))]


def _quoted(display: Display, name: str, layout: Layout) -> str:
    """A name as a string, in the quotes of the list's last one."""
    for element in reversed(display.elements):
        if isinstance(element.value, cst.SimpleString):
            quote = element.value.quote[:1]
            return f"{quote}{name}{quote}"
    return layout.quoted(name)
