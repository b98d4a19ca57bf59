"""Text for people: what was proven or refuted of a module, and what it saves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from inflint.report.paths import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from inflint.checks.pages import Rule
    from inflint.runtime.report import Cause, Disagreement, Place, Report, Savings

_COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}
_HEADER = ("path", "bytes", "resolves", "removed", "used")
_BAR = 40


def report_text(report: Report, rules: Mapping[str, Rule]) -> Iterator[str]:
    """One module's result, line by line; causes have the codes of the rules of their name."""
    codes = {rule.name: rule.code for rule in rules.values()}
    where = f"  {_place(report.place)}" if report.place is not None else ""
    class_name = report.module_class.rsplit(".", 1)[-1]
    yield f"{click.style(report.name, bold=True)}  {class_name}{where}"
    if report.simulated:
        text = "too large to build: run on the meta device, so outputs were compared by shape alone"
        yield click.style(f"  {text}", fg="cyan")
    rows = _rows(report)
    if rows:
        yield from _table(rows)
    elif report.savings is not None:
        yield "  nothing is listed, and nothing should be"
    for cause in report.causes:
        yield from _cause(cause, codes.get(cause.rule, ""))
    yield from _calls(report)
    for disagreement in report.disagreements:
        yield _disagreement(disagreement)
    if report.savings is not None:
        yield from _savings(report.savings)
    yield _verdict(report)


def summary_text(reports: Sequence[Report]) -> str:
    """The last line: how many modules were proven."""
    proven = sum(1 for r in reports if r.proven)
    word = "module" if len(reports) == 1 else "modules"
    return f"{proven} of {len(reports)} {word} proven."


def size_text(size: int) -> str:
    """Bytes as people read them, with a unit from kB on."""
    value, unit = float(size), "bytes"
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if abs(value) < 1000 or unit == "TB":
            break
        value /= 1000
    return f"{size} bytes" if unit == "bytes" else f"{value:.1f} {unit}"


def _rows(report: Report) -> list[tuple[str, ...]]:
    rows = [
        (item.path or "''", f"{item.size:,}", *map(_yes, (item.resolves, item.removed, item.used)))
        for item in report.listed
    ]
    rows += [(f"{p.path} (not listed)", f"{p.size:,}", "yes", "no", "no") for p in report.unlisted]
    return rows


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[i]) for row in [_HEADER, *rows]) for i in range(len(_HEADER))]
    for row in [_HEADER, *rows]:
        cells = [row[0].ljust(widths[0]), row[1].rjust(widths[1])]
        cells += [cell.ljust(width) for cell, width in zip(row[2:], widths[2:], strict=True)]
        line = ("  " + "  ".join(cells)).rstrip()
        yield click.style(line, dim=True) if row is _HEADER else line


def _cause(cause: Cause, code: str) -> Iterator[str]:
    name = f"{code} {cause.rule}".strip()
    label = click.style(f"{cause.severity} {name}", fg=_COLOURS[cause.severity], bold=True)
    about = f" {cause.path}" if cause.path else ""
    yield f"  {label}{about}: {cause.message}"
    if cause.exception:
        yield f"    {cause.exception}"
    if cause.place is not None:
        yield click.style(f"    {_place(cause.place)}", dim=True)
    if cause.advice:
        yield f"    {cause.advice}"


def _place(place: Place) -> str:
    inside = f" in {place.function}" if place.function else ""
    return f"{shown(Path(place.file))}:{place.line}{inside}"


def _calls(report: Report) -> Iterator[str]:
    for call in report.calls:
        if not call.ran:
            yield f"  {call.name} fails: {call.detail}"
        elif call.equal is False:
            yield f"  {call.name} differs from the full module: {call.detail}"
        elif call.equal is None:
            yield f"  {call.name} runs; not compared: {call.detail}"
    equal = [call.name for call in report.calls if call.equal]
    if equal:
        yield f"  as the full module after a weight sync: {', '.join(equal)}"


def _disagreement(disagreement: Disagreement) -> str:
    colour, label = ("red", "inflint's error") if disagreement.unsafe else ("cyan", "source")
    return f"  {click.style(label, fg=colour)} {disagreement.path}: {disagreement.message}"


def _savings(savings: Savings) -> Iterator[str]:
    share = savings.sent / savings.full if savings.full else 1.0
    filled = round(share * _BAR)
    bar = "█" * filled + "░" * (_BAR - filled)
    yield (
        f"  {bar} {share:.1%} of {size_text(savings.full)} is sent"
        f" ({savings.sent:,} of {savings.full:,} bytes)"
    )
    runners = "1 EnvRunner" if savings.runners == 1 else f"{savings.runners} EnvRunners"
    yield (
        f"  saved: {size_text(savings.per_runner)} of memory per EnvRunner,"
        f" {size_text(savings.per_sync)} per weight sync to {runners}"
    )


def _verdict(report: Report) -> str:
    if report.proven:
        return "  " + click.style("proven", fg="green", bold=True)
    rules = ", ".join(dict.fromkeys(c.rule for c in report.refutations))
    return "  " + click.style("refuted", fg="red", bold=True) + f": {rules}"
