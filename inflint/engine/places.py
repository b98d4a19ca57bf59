"""From places in the Python that was analysed to places in what the user wrote."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inflint.sources.decode import DecodeError, decode
from inflint.syntax.headers import split_lines

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from inflint.checks.finding import Finding, Note
    from inflint.engine.run import Checked
    from inflint.fix.edits import Fix
    from inflint.sources.embedding import Embedding

_WIDEST = 300
"""Characters of a line that is worth showing."""


def located(checked: Checked) -> Checked:
    """The same findings, where a user sees them, each with the line that it starts on."""
    lines: dict[Path, list[str]] = {}
    findings = []
    for finding in checked.findings:
        path = finding.path
        embedding = checked.embeddings.get(path)
        if embedding is not None:
            excerpt = embedding.excerpt(finding.span.line)
        else:
            if path not in lines:
                lines[path] = _lines(checked, path)
            index = finding.span.line - 1
            excerpt = lines[path][index].rstrip("\r\n") if index < len(lines[path]) else ""
        shown = excerpt if len(excerpt) <= _WIDEST else ""
        findings.append(replace(placed(finding, checked.embeddings), excerpt=shown))
    return checked._replace(findings=tuple(findings), fixes=_in_files(checked))


def _in_files(checked: Checked) -> tuple[Fix | None, ...]:
    """The edits, without those of documents: these are for the Python inside."""
    return tuple(
        None if fix is None or fix.path in checked.embeddings else fix for fix in checked.fixes
    )


def placed(finding: Finding, embeddings: Mapping[Path, Embedding]) -> Finding:
    """The same finding, where it and its evidence stand in their documents."""
    evidence = tuple(_note(note, embeddings) for note in finding.evidence)
    embedding = embeddings.get(finding.path)
    if embedding is None:
        return replace(finding, evidence=evidence)
    inner = finding.span
    cell, line, column = embedding.place(inner.line, inner.column)
    _, end_line, end_column = embedding.place(inner.end_line, inner.end_column)
    span = inner._replace(line=line, column=column, end_line=end_line, end_column=end_column)
    return replace(finding, span=span, cell=cell, analysed=inner, evidence=evidence)


def _note(note: Note, embeddings: Mapping[Path, Embedding]) -> Note:
    embedding = embeddings.get(note.path)
    if embedding is None:
        return note
    place = embedding.place(note.line, 0)
    return note._replace(cell=place.cell, line=place.line)


def _lines(checked: Checked, path: Path) -> list[str]:
    data = checked.contents.get(path)
    try:
        data = path.read_bytes() if data is None else data
    except OSError:
        return []
    try:
        return split_lines(decode(data))
    except DecodeError:
        return split_lines(data.decode("utf-8", "replace"))
