"""How often each rule was found, the most frequent first."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from inflint.checks.pages import Rule
    from inflint.engine.run import Checked


@dataclass(frozen=True)
class _Row:
    code: str
    name: str
    count: int
    safe: int
    unsafe: int


def statistics_text(checked: Checked, rules: Mapping[str, Rule]) -> Iterator[str]:
    """One line a rule, with the mark ``[*]`` where a safe fix exists for all of its findings.

    ``[-]`` marks those of which only some are fixed, or only with ``--unsafe-fixes``.
    """
    rows = _rows(checked, rules)
    width = max((len(str(row.count)) for row in rows), default=0)
    for row in rows:
        yield f"{row.count:>{width}}  {row.code}  {_mark(row)} {row.name}"
    safe, unsafe = sum(row.safe for row in rows), sum(row.unsafe for row in rows)
    if safe or unsafe:
        more = f", {unsafe} more with --unsafe-fixes" if unsafe else ""
        yield f"[*] 'inflint fix' repairs {safe}{more}."


def statistics_json(checked: Checked, rules: Mapping[str, Rule]) -> Iterator[str]:
    """The same as a list of objects."""
    yield json.dumps([asdict(row) for row in _rows(checked, rules)], indent=2)


def _rows(checked: Checked, rules: Mapping[str, Rule]) -> list[_Row]:
    counts = Counter(finding.code for finding in checked.findings)
    fixes = Counter((finding.code, finding.fix) for finding in checked.findings)
    order = sorted(counts, key=lambda code: (-counts[code], code))
    return [
        _Row(code, rules[code].name, counts[code], fixes[code, "safe"], fixes[code, "unsafe"])
        for code in order
    ]


def _mark(row: _Row) -> str:
    if row.safe == row.count:
        return "[*]"
    return "[-]" if row.safe or row.unsafe else "[ ]"
