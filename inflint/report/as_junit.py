"""JUnit's XML, as test reporters of CI servers read it: one suite a file, one case a finding."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from inflint.report.paths import in_repository
from inflint.report.wording import sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from inflint.checks.finding import Finding
    from inflint.checks.pages import Rule
    from inflint.engine.run import Checked

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def findings_junit(checked: Checked, rules: Mapping[str, Rule]) -> Iterator[str]:
    """The findings as failed cases; one case that passed where there are none."""
    root = Element("testsuites", _counts("inflint", len(checked.findings)))
    for path, group in groupby(checked.findings, key=lambda finding: finding.path):
        findings = list(group)
        suite = SubElement(root, "testsuite", _counts(in_repository(path), len(findings)))
        for finding in findings:
            _case(suite, finding, rules[finding.code])
    if not checked.findings:
        root.set("tests", "1")
        suite = SubElement(root, "testsuite", _counts("inflint", 0) | {"tests": "1"})
        SubElement(suite, "testcase", {"name": "no findings", "classname": "inflint"})
    indent(root)
    yield '<?xml version="1.0" encoding="utf-8"?>'
    yield tostring(root, encoding="unicode")


def _counts(name: str, count: int) -> dict[str, str]:
    return {"name": _xml(name), "tests": str(count), "failures": str(count), "errors": "0"}


def _case(suite: Element, finding: Finding, rule: Rule) -> None:
    path = _xml(in_repository(finding.path))
    place = f"{finding.span.line}:{finding.span.column + 1}"
    attributes = {
        "name": f"{finding.code} {rule.name} at {place}",
        "classname": path if finding.cls is None else f"{path}:{finding.cls}",
        "file": path,
        "line": str(finding.span.line),
    }
    case = SubElement(suite, "testcase", attributes)
    message = _xml(sentence(finding))
    failure = SubElement(case, "failure", {"message": message, "type": finding.severity})
    steps = [f"{in_repository(n.path)}:{n.line}: {n.text}" for n in finding.evidence]
    failure.text = _xml("\n".join([f"{in_repository(finding.path)}:{place}", *steps]))


def _xml(text: str) -> str:
    """The text without the characters that XML 1.0 has no place for."""
    return _NO_XML.sub("\ufffd", text)
