"""Formats for people and for streams: concise, text, jsonl, and what they do to odd names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.report.projects import ODD_NAMES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.report.conftest import Check


def test_concise_is_one_line_a_finding(check: Check) -> None:
    lines = check("--format", "concise").stdout.splitlines()
    assert len(lines) == len(json.loads(check("--format", "json").stdout)["findings"]) == 14
    assert lines[0].startswith("50%,x:y#z?.py:7:1: warning INF101 missing-inference-api: Critic: ")
    assert "new\\nline.py:7:1: warning INF101" in check("--format", "concise").stdout
    (bell,) = [li for li in lines if li.startswith("pkg/control.py") and "INF203" in li]
    assert "self.\\x07\\x0b," in bell


def test_concise_says_nothing_of_a_clean_file(check: Check, project: Path) -> None:
    (project / "clean.py").write_text("x = 1\n")
    result = check("--format", "concise", "clean.py")
    assert (result.exit_code, result.stdout) == (0, "")


def test_jsonl_holds_the_objects_of_json(check: Check) -> None:
    lines = check("--format", "jsonl").stdout.splitlines()
    assert [json.loads(x) for x in lines] == json.loads(check("--format", "json").stdout)[
        "findings"
    ]


def test_json_gives_back_names_that_are_no_text(check: Check) -> None:
    data = check("--format", "json").stdout_bytes
    paths = {finding["path"] for finding in json.loads(data.decode("utf-8"))["findings"]}
    assert set(ODD_NAMES) <= paths


def test_quiet_leaves_the_summary_out(check: Check) -> None:
    loud = check("a b.py").stdout.splitlines()
    quiet = check("-q", "a b.py").stdout.splitlines()
    assert loud[-1] == "1 finding (1 warning): 1 RLModule class in 1 file."
    assert quiet == loud[:-1]
    assert check("--quiet", "--select", "INF202", "a b.py").stdout == ""


def test_a_terminal_without_the_letters(project: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "inflint", "check", "pkg/actor.py"],
        capture_output=True,
        cwd=project,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert result.returncode == 1
    assert rb'return ["\U0001f388", "pi", "vf"]' in result.stdout
    machine = subprocess.run(
        [sys.executable, "-m", "inflint", "check", "--format", "jsonl", "pkg/actor.py"],
        capture_output=True,
        cwd=project,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert "self.🎈".encode() in machine.stdout


def test_names_that_are_no_text_stay_what_they_are(project: Path) -> None:
    command = [sys.executable, "-m", "inflint", "check", "-q", "--format", "concise"]
    result = subprocess.run(command, capture_output=True, cwd=project, check=False)
    assert b"\nraw-\xff.py:7:1: warning INF101" in result.stdout


def test_verbose_goes_to_standard_error(check: Check, project: Path) -> None:
    (project / "clean.py").write_text("import os\n")
    result = check("--verbose", "--format", "concise", "clean.py", "a b.py", "pkg/twice.py")
    assert len(result.stdout.splitlines()) == 3
    lines = result.stderr.splitlines()
    assert lines[0] == "target: Ray 2.60.0 (--target-ray)"
    assert lines[1].startswith("files: 3; 2 parsed, 1 skipped")
    assert lines[2] == "RLModule classes: 3"
    assert lines[3].startswith("time: ")


def test_statistics(check: Check) -> None:
    result = check("--statistics")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "7  INF101  [*] missing-inference-api",
        "3  INF202  [*] listed-but-used",
        "3  INF203  [-] unresolved-path",
        "1  INF900  [ ] unreadable-file",
        "[*] 'inflint fix' repairs 10, 3 more with --unsafe-fixes.",
    ]
    counted = json.loads(check("--statistics", "--format", "json").stdout)
    assert counted[2] == {
        "code": "INF203", "name": "unresolved-path", "count": 3, "safe": 0, "unsafe": 3,
    }  # fmt: skip
    assert check("--statistics", "--select", "INF306").stdout == ""


@pytest.mark.parametrize("form", ["concise", "jsonl", "github", "gitlab", "sarif", "junit"])
def test_statistics_have_two_formats(check: Check, form: str) -> None:
    result = check("--statistics", "--format", form)
    assert result.exit_code == 2
    assert result.stderr == "inflint: --statistics has the formats text and json only\n"
