"""Text for people: the source line with a caret, and the evidence below."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from inflint.report.colours import COLOURS
from inflint.report.paths import one_line, shown
from inflint.report.wording import sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from inflint.checks.finding import Finding
    from inflint.checks.pages import Rule
    from inflint.engine.run import Checked, Inspected
    from inflint.model.verdict import Judged, Verdict

_MARKS = {"needed": "·", "unused": "✗", "uncertain": "?"}
_VERDICT_COLOURS = {"needed": "green", "unused": "red", "uncertain": "yellow"}


def findings_text(checked: Checked, rules: Mapping[str, Rule]) -> Iterator[str]:
    """The findings, line by line."""
    for finding in checked.findings:
        yield from _finding(finding, rules[finding.code])
        yield ""


def _finding(finding: Finding, rule: Rule) -> Iterator[str]:
    colour = COLOURS[finding.severity]
    place = f"{one_line(shown(finding.path))}:{finding.span.line}:{finding.span.column + 1}"
    label = click.style(f"{finding.severity} {finding.code}", fg=colour, bold=True)
    yield f"{click.style(place, bold=True)}: {label} {rule.name}"
    yield from _excerpt(finding, colour)
    yield f"  {sentence(finding)}"
    for note in finding.evidence:
        yield click.style(f"    {one_line(shown(note.path))}:{note.line}: {note.text}", dim=True)
    fix = {"safe": "a safe fix exists", "unsafe": "an unsafe fix exists"}.get(finding.fix)
    hint = f"  {rule.page}; inflint explain {finding.code}"
    yield click.style(f"{hint}; {fix}" if fix else hint, dim=True)


def _excerpt(finding: Finding, colour: str) -> Iterator[str]:
    line = _line(finding.path, finding.span.line)
    if not line.strip():
        return
    span = finding.span
    end = span.end_column if span.end_line == span.line else len(line)
    lead = "".join("\t" if c == "\t" else " " for c in line[: span.column])
    number = f"{span.line:>5} | "
    yield f"{number}{line}"
    carets = "^" * max(1, min(end, len(line)) - span.column)
    yield " " * (len(number) - 2) + "| " + lead + click.style(carets, fg=colour, bold=True)


def _line(path: Path, number: int) -> str:
    try:
        with path.open(encoding="utf-8", errors="replace", newline=None) as lines:
            for index, line in enumerate(lines, 1):
                if index == number:
                    return line.rstrip("\n")
    except OSError:
        pass
    return ""


def summary(checked: Checked) -> str:
    """The last line: how many findings there are, in what."""
    count = len(checked.findings)
    looked = f"{checked.classes} RLModule {_plural('class', checked.classes, 'es')}"
    where = f"{checked.files} {_plural('file', checked.files)}"
    hidden = [
        *([f"{checked.suppressed} suppressed"] if checked.suppressed else []),
        *([f"{checked.baselined} in the baseline"] if checked.baselined else []),
    ]
    if not count:
        rest = f" ({', '.join(hidden)})" if hidden else ""
        return f"No findings{rest}: {looked} in {where}."
    kinds = []
    for severity in ("error", "warning", "info"):
        number = sum(1 for f in checked.findings if f.severity == severity)
        if number:
            word = severity if severity == "info" else _plural(severity, number)
            kinds.append(f"{number} {word}")
    words = "; ".join([", ".join(kinds), *([", ".join(hidden)] if hidden else [])])
    return f"{count} {_plural('finding', count)} ({words}): {looked} in {where}."


def _plural(word: str, count: int, ending: str = "s") -> str:
    return word if count == 1 else word + ending


def classes_text(inspected: Inspected) -> Iterator[str]:
    """The trees of components of all classes, and the release they hold for."""
    for verdict in inspected.verdicts:
        yield from _class(verdict)
        yield ""
    if not inspected.verdicts:
        yield "No RLModule classes found."
    for target in inspected.targets:
        yield f"For Ray {target.versions[-1]} ({target.why})."


def _class(verdict: Verdict) -> Iterator[str]:
    cls = verdict.cls
    title = click.style(cls.qualname, bold=True)
    yield f"{title}  {shown(cls.file.path)}:{cls.scope.head.line}"
    yield f"  API: {_api(verdict)}"
    if verdict.reason:
        yield click.style(f"  uncertain: {verdict.reason}", fg="yellow")
    if not verdict.runs:
        yield "  no inference forward that returns: abstract, or for Learners only"
    if not verdict.judged:
        yield "  no components"
    for judged in verdict.judged:
        yield from _component(judged)
    names = ", ".join(j.component.name for j in verdict.unused)
    yield f"  inference never touches: {names or 'nothing'}"


def _api(verdict: Verdict) -> str:
    has = {True: "implemented", False: "not implemented", None: "not known"}[verdict.api]
    declared = verdict.declared
    if declared is None:
        return has
    names = ", ".join(dict.fromkeys(n.name for n in declared.names)) or "nothing"
    more = "" if declared.complete else " and more that is not known from source"
    return f"{has}, lists {names}{more}"


def _component(judged: Judged) -> Iterator[str]:
    component = judged.component
    indent = "  " + "  " * len(component.path)
    mark = click.style(_MARKS[judged.verdict], fg=_VERDICT_COLOURS[judged.verdict])
    verdict = click.style(judged.verdict, fg=_VERDICT_COLOURS[judged.verdict])
    why = judged.reason or judged.condition
    stage = "" if component.stage == "setup" else f", {component.stage}"
    line = f"{indent}{mark} {component.path[-1]} ({component.kind}{stage}): {verdict}"
    yield f"{line}, {why}" if why else line
    for step in judged.evidence:
        yield click.style(f"{indent}    {shown(step.path)}:{step.line}: {step.text}", dim=True)
