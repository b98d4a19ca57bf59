"""GitHub's workflow commands, GitLab's Code Quality, JUnit's XML."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from junitparser import Failure, JUnitXml

from tests.report.projects import WITHOUT_API

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.report.conftest import Check

_COMMAND = re.compile(r"::(error|warning|notice) ([^:\n]*)::([^\n]*)")


def parse(line: str) -> tuple[str, dict[str, str], str]:
    """A workflow command as GitHub's runner reads it."""
    found = _COMMAND.fullmatch(line)
    assert found is not None, line
    pairs = (part.split("=", 1) for part in found[2].split(","))
    properties = {key: _unescape(value, ":,") for key, value in pairs}
    return found[1], properties, _unescape(found[3], "")


def _unescape(text: str, more: str) -> str:
    for letter in ("\r", "\n", *more, "%"):
        text = text.replace(f"%{ord(letter):02X}", letter)
    return text


def test_github(check: Check) -> None:
    commands = [parse(line) for line in check("--format", "github").stdout.split("\n")[:-1]]
    found = json.loads(check("--format", "json").stdout)["findings"]
    assert [c[1]["file"] for c in commands] == [
        f["path"].replace("\udcff", "\\udcff") for f in found
    ]
    assert [c[0] for c in commands] == [f["severity"] for f in found]
    level, properties, message = commands[5]
    assert level == "error"
    assert properties == {
        "title": "INF202 listed-but-used", "file": "pkg/actor.py",
        "line": "16", "endLine": "16", "col": "22", "endColumn": "26",
    }  # fmt: skip
    assert message.startswith("Actor: pi is removed from EnvRunners")


def test_github_escapes(check: Check) -> None:
    output = check("--format", "github").stdout
    assert ",file=50%25%2Cx%3Ay#z?.py,line=7," in output
    assert ",file=new%0Aline.py,line=7," in output


def test_a_remark_is_a_notice(check: Check, project: Path) -> None:
    source = (project / "pkg" / "actor.py").read_text(encoding="utf-8")
    (project / "again.py").write_text(
        source.replace('"🎈", "pi", "vf"', '"vf", "vf"'), encoding="utf-8"
    )
    (line,) = check("--format", "github", "--select", "INF207", "again.py").stdout.splitlines()
    assert line.startswith("::notice title=INF207 redundant-path,file=again.py,line=16,")
    (entry,) = json.loads(check("--format", "gitlab", "--select", "INF207", "again.py").stdout)
    assert entry["severity"] == "info"


def test_paths_begin_at_the_repository(
    check: Check, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project / "pkg")
    (line, _) = check("--format", "github", "twice.py").stdout.splitlines()
    assert parse(line)[1]["file"] == "pkg/twice.py"
    (first, _) = json.loads(check("--format", "gitlab", "twice.py").stdout)
    assert first["location"]["path"] == "pkg/twice.py"


def test_paths_begin_here_without_a_repository(
    check: Check, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / ".git").rmdir()
    monkeypatch.chdir(project / "pkg")
    (first, _) = json.loads(check("--format", "gitlab", "twice.py").stdout)
    assert first["location"]["path"] == "twice.py"


def test_gitlab(check: Check) -> None:
    entries = json.loads(check("--format", "gitlab").stdout)
    assert len(entries) == 14
    assert len({entry["fingerprint"] for entry in entries}) == 14
    for entry in entries:
        assert list(entry) == ["description", "check_name", "fingerprint", "severity", "location"]
        assert entry["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert not entry["location"]["path"].startswith(("/", "./"))
    assert entries[5]["check_name"] == "INF202"
    assert entries[5]["severity"] == "major"
    assert entries[5]["location"] == {"path": "pkg/actor.py", "lines": {"begin": 16, "end": 16}}


def test_gitlab_fingerprints_survive_other_lines(check: Check, project: Path) -> None:
    before = json.loads(check("--format", "gitlab", "pkg/twice.py").stdout)
    path = project / "pkg" / "twice.py"
    path.write_text(f"# moved\n\n{path.read_text()}")
    after = json.loads(check("--format", "gitlab", "pkg/twice.py").stdout)
    assert [e["fingerprint"] for e in before] == [e["fingerprint"] for e in after]
    assert [e["location"]["lines"]["begin"] for e in after] == [9, 18]


def test_gitlab_without_findings(check: Check, project: Path) -> None:
    (project / "clean.py").write_text("x = 1\n")
    assert json.loads(check("--format", "gitlab", "clean.py").stdout) == []


def test_junit_reads_back(check: Check) -> None:
    data = check("--format", "junit").stdout_bytes
    report = JUnitXml.fromstring(data)
    suites = {suite.name: suite for suite in report}
    assert (report.tests, report.failures, report.errors) == (14, 14, 0)
    assert len(suites) == 10
    first, second = suites["pkg/actor.py"]
    assert (first.name, second.name) == (
        "INF203 unresolved-path at 16:17",
        "INF202 listed-but-used at 16:22",
    )
    (failure,) = second.result
    assert isinstance(failure, Failure)
    assert failure.type == "error"
    assert failure.message.startswith("Actor: pi is removed from EnvRunners")
    assert failure.text.splitlines() == [
        "pkg/actor.py:16:22",
        "pkg/actor.py:9: pi is built here",
        "pkg/actor.py:13: Actor._forward reads pi",
    ]
    assert "new\nline.py" in suites


def test_junit_has_no_characters_that_xml_forbids(check: Check) -> None:
    data = check("--format", "junit", "pkg/control.py").stdout_bytes
    assert b"\x07" not in data
    assert b"\x0b" not in data
    messages = [e.get("message", "") for e in ET.fromstring(data).iter("failure")]
    assert messages[0].startswith("Actor: nothing ever assigns self.\ufffd\ufffd,")


def test_junit_of_a_clean_run_has_one_passed_case(check: Check, project: Path) -> None:
    (project / "clean.py").write_text("x = 1\n")
    report = JUnitXml.fromstring(check("--format", "junit", "clean.py").stdout_bytes)
    assert (report.tests, report.failures) == (1, 0)


def test_evidence_in_another_file(check: Check, project: Path) -> None:
    (project / "base.py").write_text(WITHOUT_API)
    (project / "derived.py").write_text(
        "from base import Critic\n\n\nclass Deep(Critic):\n    pass\n"
    )
    report = JUnitXml.fromstring(check("--format", "junit", "base.py", "derived.py").stdout_bytes)
    texts = [case.result[0].text for suite in report for case in suite]
    assert any("base.py:10: vf is built here" in text for text in texts)
