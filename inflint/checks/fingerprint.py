"""What makes two findings of different runs the same finding.

A fingerprint is made of the rule, the class's qualified name, the attributes that the finding
names, and its source text without white space, comments, quote style and trailing commas. It
holds no path, line or count: it stays when code is moved, reindented or reformatted, and it
changes when another attribute or another expression of the same class is at fault.

Equal findings in one class have one fingerprint, and so have equal classes in two files. Who
needs them apart, looks at the path as well.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING

from inflint.sources.decode import DecodeError, decode
from inflint.syntax.headers import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from inflint.checks.finding import Finding
    from inflint.syntax.facts import Span

SCHEME = "inflint/1"
"""Names this definition; another one would get another name."""

_STRING_OR_COMMENT = re.compile(
    r"""('''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\""""
    r"""|'(?:[^\\'\n]|\\.)*'|"(?:[^\\"\n]|\\.)*")|#[^\r\n]*""",
    re.DOTALL,
)
_TRAILING_COMMA = re.compile(r",(?=[)\]}])")


def fingerprints(findings: Iterable[Finding], contents: Mapping[Path, bytes]) -> list[str]:
    """The fingerprint of each finding, in the same order.

    Args:
        findings: From one run.
        contents: What the files held, by path; of a file that is missing here, or that is no
            text, only the name counts.
    """
    lines: dict[Path, list[str]] = {}
    result = []
    for finding in findings:
        if finding.path not in lines:
            lines[finding.path] = _lines(contents.get(finding.path, b""))
        result.append(fingerprint(finding, lines[finding.path]))
    return result


def fingerprint(finding: Finding, lines: list[str]) -> str:
    """The fingerprint of a finding: 32 hexadecimal digits.

    Args:
        finding: The finding.
        lines: The lines of its file, or of the Python taken from it, as
            :func:`inflint.syntax.headers.split_lines` gives them.
    """
    owner = finding.cls if finding.cls is not None else finding.path.name
    names = sorted(filter(None, (finding.attribute or "").split(", ")))
    parts = (SCHEME, finding.code, owner, names, normalised(_text(lines, finding.python_span)))
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def normalised(text: str) -> str:
    """Source text without what a formatter may change."""
    bare = _STRING_OR_COMMENT.sub(lambda found: found[1] or "", text)
    return _TRAILING_COMMA.sub("", "".join(bare.split()).replace("'", '"'))


def _lines(data: bytes) -> list[str]:
    try:
        return split_lines(decode(data))
    except DecodeError:
        return []


def _text(lines: list[str], span: Span) -> str:
    inside = lines[span.line - 1 : span.end_line]
    if not inside:
        return ""
    inside[-1] = inside[-1][: span.end_column] if span.end_line <= len(lines) else inside[-1]
    inside[0] = inside[0][span.column :]
    return "".join(inside)
