"""JSON: the contract for other programs. Lines and columns are 1-based, ends exclusive."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from inflint.model.hierarchy import Class
from inflint.model.profile import Root
from inflint.report.paths import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from inflint.checks.finding import Finding
    from inflint.checks.pages import Rule
    from inflint.engine.run import Checked, Inspected
    from inflint.model.hierarchy import Entry
    from inflint.model.release import Target
    from inflint.model.verdict import Judged, Step, Verdict


def findings_json(checked: Checked, rules: Mapping[str, Rule]) -> Iterator[str]:  # noqa: ARG001
    """The result of a check."""
    findings = [finding_entry(f, checked.target_of(f.path).versions) for f in checked.findings]
    yield _dump(
        {
            "findings": findings,
            "suppressed": checked.suppressed,
            "baselined": checked.baselined,
            **_targets(checked.targets),
        }
    )


def classes_json(inspected: Inspected) -> str:
    """The result of an inspection."""
    classes = [_class(v) for v in inspected.verdicts]
    return _dump({"classes": classes, **_targets(inspected.targets)})


def _targets(targets: Sequence[Target]) -> dict[str, Any]:
    """The first target, and all of them where the files are meant for several."""
    more = {"targets": [_target(t) for t in targets]} if len(targets) > 1 else {}
    return {"target": _target(targets[0]), **more}


def _target(target: Target) -> dict[str, Any]:
    return {"releases": list(target.versions), "why": target.why}


def _dump(value: object) -> str:
    text = json.dumps(value, indent=2, ensure_ascii=False)
    if text.isascii() or text.encode(errors="ignore").decode() == text:
        return text
    return json.dumps(value, indent=2)  # a file name that is no text


def finding_entry(finding: Finding, versions: tuple[str, ...]) -> dict[str, Any]:
    """A finding's fields; its releases only where ``versions`` holds more than one."""
    span = finding.span
    entry: dict[str, Any] = {
        "code": finding.code,
        "severity": finding.severity,
        "path": shown(finding.path),
        "line": span.line,
        "column": span.column + 1,
        "end_line": span.end_line,
        "end_column": span.end_column + 1,
        "class": finding.cls,
        "message": finding.message,
        "attribute": finding.attribute,
        "fix": finding.fix,
        "evidence": [
            {"path": shown(n.path), "line": n.line, "text": n.text} for n in finding.evidence
        ],
    }
    if len(versions) > 1:
        entry["releases"] = list(finding.releases or versions)
    return entry


def _class(verdict: Verdict) -> dict[str, Any]:
    cls = verdict.cls
    declared = verdict.declared
    names = None
    if declared is not None and declared.complete and not declared.faults:
        names = list(dict.fromkeys(n.name for n in declared.names))
    return {
        "path": shown(cls.file.path),
        "line": cls.scope.head.line,
        "qualname": cls.qualname,
        "mro": [_entry(e) for e in cls.mro],
        "implements_api": verdict.api,
        "declared": names,
        "components": [_component(j) for j in verdict.judged],
        "non_inference": [j.component.name for j in verdict.unused],
        "reason": verdict.reason or None,
    }


def _component(judged: Judged) -> dict[str, Any]:
    return {
        "path": judged.component.name,
        "kind": judged.component.kind,
        "stage": judged.component.stage,
        "verdict": judged.verdict,
        "evidence": [_step(s) for s in judged.evidence],
        "reason": judged.reason or judged.condition or None,
    }


def _step(step: Step) -> dict[str, Any]:
    return {"path": shown(step.path), "line": step.line, "text": step.text}


def _entry(entry: Entry) -> str:
    if isinstance(entry, Class):
        return entry.dotted
    return entry.name if isinstance(entry, Root) else entry
