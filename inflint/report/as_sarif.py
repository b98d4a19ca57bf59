"""SARIF 2.1.0, as code scanning services and editors read it.

Paths are relative to the repository's root and no time is recorded, so that the report is the
same in each checkout. Only safe fixes are handed on: SARIF cannot mark the others.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from inflint import __version__
from inflint.checks.fingerprint import fingerprints
from inflint.fix.edits import Document
from inflint.report.paths import in_repository
from inflint.report.wording import distinct, sentence
from inflint.sources.decode import DecodeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from inflint.checks.finding import Finding, Note
    from inflint.checks.pages import Rule
    from inflint.engine.run import Checked
    from inflint.fix.edits import Edit, Fix

_ROOT = "%SRCROOT%"
_PACKAGES = "%PACKAGES%"
_BASES = {
    _ROOT: "The root of the repository.",
    _PACKAGES: "Where packages are installed; known from a record, so the file need not be there.",
}
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_TITLE = re.compile(r"\A# .*\n+")
_FENCE_WORDS = re.compile(r"^```python .*$", re.MULTILINE)
_FENCED = re.compile(r"^```.*\n((?:.*\n)*?)^```\n?", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_MARKUP = re.compile(r"^#+ |\*\*|`", re.MULTILINE)


def findings_sarif(checked: Checked, rules: Mapping[str, Rule]) -> Iterator[str]:
    """The findings as one run, and all rules."""
    numbers = {code: number for number, code in enumerate(rules)}
    files = _Files(checked.contents)
    results = []
    marks = distinct(fingerprints(checked.findings, checked.contents))
    fixes = checked.fixes or (None,) * len(checked.findings)
    for finding, mark, fix in zip(checked.findings, marks, fixes, strict=True):
        result = _result(finding, files) | {
            "ruleIndex": numbers[finding.code],
            "partialFingerprints": {"inflint/v1": mark},
        }
        if fix is not None and not fix.unsafe:
            result["fixes"] = [_fix(fix, files)]
        results.append(result)
    run = {
        "tool": {"driver": _driver(rules)},
        "invocations": [{"executionSuccessful": True}],
        "originalUriBaseIds": {
            name: {"description": {"text": text}} for name, text in _BASES.items()
        },
        "columnKind": "utf16CodeUnits",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "results": results,
    }
    document = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    yield json.dumps(document, indent=2, ensure_ascii=False)


def _driver(rules: Mapping[str, Rule]) -> dict[str, Any]:
    home = _project_page()
    driver: dict[str, Any] = {
        "name": "inflint",
        "version": __version__,
        "semanticVersion": __version__,
    }
    if home:
        driver["informationUri"] = home
    return driver | {"rules": [_rule(rule, home) for rule in rules.values()]}


def _rule(rule: Rule, home: str) -> dict[str, Any]:
    markdown = _FENCE_WORDS.sub("```python", _TITLE.sub("", rule.text))
    summary = rule.summary[:1].upper() + rule.summary[1:]
    entry: dict[str, Any] = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": _plain(summary)},
        "help": {"text": _plain(markdown), "markdown": markdown},
        "defaultConfiguration": {"enabled": rule.on, "level": _LEVELS[rule.severity]},
        "properties": {
            "problem.severity": {"info": "recommendation"}.get(rule.severity, rule.severity),
            "precision": "high",
            "fix": rule.fix,
            "tags": ["reinforcement-learning", "rllib"],
        },
    }
    if home:
        entry["helpUri"] = f"{home}/blob/v{__version__}/{quote(rule.page)}"
    return entry


def _project_page() -> str:
    """The project's address in the installed package's metadata; empty where it has none."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        addresses = metadata("inflint").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    pairs = (address.partition(",") for address in addresses)
    found = {str(label).strip(): str(url).strip() for label, _, url in pairs}
    return found.get("Repository", "").rstrip("/")


def _plain(markdown: str) -> str:
    """Markdown without its marks; the text of code blocks stays as it is."""
    parts = _FENCED.split(markdown)
    parts[::2] = [_MARKUP.sub("", _LINK.sub(r"\1", text)) for text in parts[::2]]
    return "".join(parts).strip()


def _result(finding: Finding, files: _Files) -> dict[str, Any]:
    span = finding.span
    region = {
        "startLine": span.line,
        "startColumn": files.column(finding.path, span.line, span.column),
        "endLine": span.end_line,
        "endColumn": files.column(finding.path, span.end_line, span.end_column),
    }
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": _artifact(finding.path), "region": region}
    }
    if finding.cls is not None:
        location["logicalLocations"] = [{"fullyQualifiedName": finding.cls, "kind": "type"}]
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": _LEVELS[finding.severity],
        "message": {"text": sentence(finding)},
        "locations": [location],
    }
    steps = [_step(note) for note in finding.evidence]
    if steps:
        result["relatedLocations"] = [{"id": i, **step} for i, step in enumerate(steps, 1)]
    if len(steps) > 1:
        flow = {"locations": [{"location": step} for step in steps]}
        result["codeFlows"] = [{"threadFlows": [flow]}]
    return result


def _step(note: Note) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": _artifact(note.path),
            "region": {"startLine": note.line},
        },
        "message": {"text": note.text},
    }


def _artifact(path: Path) -> dict[str, str]:
    """A URI below the repository's root, below that of the packages, or an absolute one."""
    name = in_repository(path)
    encoded = quote(os.fsencode(name))
    if not path.is_absolute():
        return {"uri": encoded, "uriBaseId": _PACKAGES}
    if name == path.as_posix():
        return {"uri": f"file://{'' if encoded.startswith('/') else '/'}{encoded}"}
    return {"uri": encoded, "uriBaseId": _ROOT}


def _fix(fix: Fix, files: _Files) -> dict[str, Any]:
    replacements = [
        {
            "deletedRegion": files.region(fix.path, edit),
            "insertedContent": {"text": edit.text},
        }
        for edit in fix.edits
    ]
    change = {"artifactLocation": _artifact(fix.path), "replacements": replacements}
    return {"description": {"text": fix.what}, "artifactChanges": [change]}


class _Files:
    """Columns as SARIF counts them: 1-based, in UTF-16 code units."""

    def __init__(self, contents: Mapping[Path, bytes]) -> None:
        self._contents = contents
        self._documents: dict[Path, Document | None] = {}

    def column(self, path: Path, line: int, column: int) -> int:
        """The column of a 0-based column of characters; that itself where there is no text."""
        document = self._document(path)
        if document is None or not 0 < line <= len(document.lines):
            return column + 1
        text = document.lines[line - 1]
        wide = sum(1 for character in text[:column] if ord(character) > 0xFFFF)
        return column + 1 + wide

    def region(self, path: Path, edit: Edit) -> dict[str, int]:
        """The region that an edit replaces."""
        document = self._document(path)
        assert document is not None  # noqa: S101 - the edit was planned on its text
        places = []
        for offset in (edit.start, edit.end):
            line = document.line_of(offset)
            column = offset - document.offset(line, 0)
            if document.lines and document.lines[line - 1][:column].endswith(("\r", "\n")):
                line, column = line + 1, 0  # behind the last line end
            places.append((line, self.column(path, line, column)))
        (line, column), (end_line, end_column) = places
        return {
            "startLine": line,
            "startColumn": column,
            "endLine": end_line,
            "endColumn": end_column,
        }

    def _document(self, path: Path) -> Document | None:
        if path not in self._documents:
            data = self._contents.get(path)
            try:
                self._documents[path] = None if data is None else Document(data)
            except DecodeError:
                self._documents[path] = None
        return self._documents[path]
