"""INF901: take out of a suppression what suppresses nothing, or write one where it is wanted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inflint.fix.edits import CannotFixError, Edit, Fix
from inflint.sources.suppressions import parse_comment
from inflint.syntax.comments import read_layout

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inflint.checks.finding import Finding
    from inflint.fix.edits import Document
    from inflint.sources.suppressions import Suppression

NOT_WRITTEN = frozenset(("INF900", "INF901"))
"""Rules that no comment hides: what cannot be read, and what comments hide nothing."""


def remove_unused(document: Document, finding: Finding) -> Fix:
    """Remove the words that the finding names; with the last one, the whole suppression.

    Raises:
        CannotFixError: The suppression cannot be found, or the finding is on an unknown rule.
    """
    if finding.fix == "none":
        raise CannotFixError("which rule was meant is for you to say")
    place = (finding.span.line, finding.span.column)
    made = next((s for s in _suppressions(document) if (s.line, s.start) == place), None)
    if made is None:
        raise CannotFixError("the suppression is not there")
    idle = (finding.attribute or "").split(", ")
    words = made.words or ()
    if any(word.text not in idle for word in words):
        edits = _without(document, made, frozenset(idle))
        return Fix(finding.path, edits, f"removed {finding.attribute} from the suppression")
    return Fix(finding.path, (_whole(document, made),), "removed the suppression")


def _suppressions(document: Document) -> list[Suppression]:
    return [
        made
        for comment in read_layout(document.text).comments
        for made in parse_comment(comment.line, comment.column, comment.text, alone=comment.alone)
    ]


def _without(document: Document, made: Suppression, idle: frozenset[str]) -> tuple[Edit, ...]:
    """Each word goes with the separator behind it, the last ones with the one before."""
    words = list(made.words or ())
    kept = [word for word in words if word.text not in idle]
    edits = []
    for index, word in enumerate(words):
        if word in kept:
            continue
        after_all = word.start > kept[-1].end
        start = words[index - 1].end if after_all else word.start
        end = word.end if after_all else words[index + 1].start
        edits.append(Edit(document.offset(made.line, start), document.offset(made.line, end), ""))
    return tuple(edits)


def _whole(document: Document, made: Suppression) -> Edit:
    line = document.lines[made.line - 1]
    body = line.rstrip("\r\n")
    rest = body[made.end :].strip()
    before = body[: made.start]
    if not rest:
        if not before.strip():  # a line of its own goes with its end
            return Edit(document.offset(made.line, 0), document.offset(made.line, len(line)), "")
        start = len(before.rstrip())
        return Edit(document.offset(made.line, start), document.offset(made.line, len(body)), "")
    start = document.offset(made.line, made.start)
    end = document.offset(made.line, len(body) - len(body[made.end :].lstrip()))
    return Edit(start, end, "" if rest.startswith("#") else "# ")


def add_noqa(document: Document, places: Iterable[tuple[int, str]]) -> tuple[Edit, ...]:
    """Edits that hide findings by ``# noqa`` comments.

    What stands on a line already stays: its comment, and the codes of a ``noqa`` there.

    Args:
        document: The file.
        places: The line and rule of each finding.
    """
    layout = read_layout(document.text)
    by_line: dict[int, set[str]] = {}
    for line, code in places:
        target = line
        if line in layout.strings:  # the string or the backslash would take in the comment
            target = next((b for a, b in layout.statements if a <= line <= b), 0)
        if target:
            by_line.setdefault(target, set()).add(code)
    existing = {s.line: s for s in _suppressions(document) if not s.own and not s.file and s.words}
    return tuple(
        _noqa(document, line, codes, existing.get(line)) for line, codes in sorted(by_line.items())
    )


def _noqa(document: Document, line: int, codes: set[str], made: Suppression | None) -> Edit:
    body = document.lines[line - 1].rstrip("\r\n")
    if made is not None and made.words:
        text = body[made.words[0].start : made.words[-1].end]
        between = re.search(r"[\s,]+", text)
        separator = between[0] if between is not None else ", "
        at = document.offset(line, made.words[-1].end)
        return Edit(at, at, "".join(separator + code for code in sorted(codes)))
    start = document.offset(line, len(body.rstrip()))
    end = document.offset(line, len(body))
    return Edit(start, end, f"  # noqa: {', '.join(sorted(codes))}")
