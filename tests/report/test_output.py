"""``--output``: several reports at once, each whole, and clear words where that fails."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from inflint.report.formats import FORMATS, renderer

if TYPE_CHECKING:
    from pathlib import Path

    from tests.report.conftest import Check


def test_several_at_once(check: Check, project: Path) -> None:
    args = [part for form in FORMATS for part in ("--output", f"{form}=out.{form}")]
    result = check("pkg", *args)
    assert result.exit_code == 1
    assert result.stdout.endswith(": 5 RLModule classes in 5 files.\n")
    for form in FORMATS:
        alone = check("pkg", "-q", "--format", form).stdout_bytes
        assert (project / f"out.{form}").read_bytes() == alone, form
    json.loads((project / "out.sarif").read_bytes())
    ET.fromstring((project / "out.junit").read_bytes())
    assert [p.name for p in project.iterdir() if p.name.endswith(".inflint")] == []


def test_dash_is_standard_output(check: Check) -> None:
    assert check("--output", "jsonl=-").stdout == check("--format", "jsonl").stdout


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["yaml=x"], "--output yaml=x: the formats are text, concise, json,"),
        (["sarif"], "--output sarif: it has the form FORMAT=FILE"),
        (["sarif="], "--output sarif=: it has the form FORMAT=FILE"),
        (["sarif=pkg"], "--output sarif=pkg: it is a directory"),
        (["sarif=no/x"], "--output sarif=no/x: there is no directory "),
        (["json=x", "sarif=./x"], "--output sarif=./x: json goes to that file already"),
        (["json=-", "sarif=-"], "--output sarif=-: json goes to standard output already"),
    ],
)
def test_what_cannot_be(check: Check, args: list[str], complaint: str) -> None:
    outputs = [part for arg in args for part in ("--output", arg)]
    # a path that does not exist would be the complaint, had the check begun
    result = check("nowhere.py", *outputs)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"inflint: {complaint}")
    assert result.stdout == ""


def test_format_and_dash(check: Check) -> None:
    result = check("--format", "text", "--output", "json=-")
    assert result.exit_code == 2
    assert "--output json=-: text goes to standard output already" in result.stderr


def test_no_permission(check: Check, project: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    (project / "locked").mkdir(mode=0o500)
    result = check("pkg", "--output", "json=locked/x")
    assert result.exit_code == 2
    assert "no permission to write there" in result.stderr


def test_a_file_that_cannot_be_written_after_all(check: Check, project: Path) -> None:
    (project / "gone").mkdir()
    name = "x" * 250  # allowed itself, but not with the suffix of a temporary file
    result = check("pkg/twice.py", "--format", "concise", "--output", f"json=gone/{name}")
    assert result.exit_code == 2
    assert len(result.stdout.splitlines()) == 2
    assert "not written: File name too long" in result.stderr


def test_a_report_replaces_the_last_one_and_keeps_its_mode(check: Check, project: Path) -> None:
    report = project / "report.json"
    report.write_text("old")
    report.chmod(0o640)
    check("pkg", "--output", "json=report.json")
    assert json.loads(report.read_text(encoding="utf-8"))["findings"]
    assert report.stat().st_mode & 0o777 == 0o640


def test_a_new_report_has_the_usual_mode(check: Check, project: Path) -> None:
    before = os.umask(0o027)
    try:
        check("pkg", "--output", "json=report.json")
    finally:
        os.umask(before)
    assert (project / "report.json").stat().st_mode & 0o777 == 0o640


def test_a_link_goes_on_pointing_to_the_report(check: Check, project: Path) -> None:
    (project / "real.json").write_text("old")
    (project / "link.json").symlink_to("real.json")
    check("pkg", "--output", "json=link.json")
    assert (project / "link.json").is_symlink()
    assert json.loads((project / "real.json").read_text(encoding="utf-8"))["findings"]


def test_a_pipe_stays_a_pipe(check: Check, project: Path) -> None:
    pipe = project / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    check("pkg/twice.py", "--output", "jsonl=pipe")
    reader.join(10)
    assert len(read[0].splitlines()) == 2
    assert pipe.is_fifo()


def test_devices(project: Path) -> None:
    def run(*args: str, stdout: int) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "inflint", "check", "pkg/twice.py", *args],
            stdout=stdout, stderr=subprocess.PIPE, text=True, cwd=project, check=False,
        )  # fmt: skip

    both = run("-q", "--format", "concise", "--output", "jsonl=/dev/stdout", stdout=subprocess.PIPE)
    assert (both.returncode, len(both.stdout.splitlines())) == (1, 4)
    full = os.open("/dev/full", os.O_WRONLY)
    try:
        result = run("--output", "json=/dev/full", stdout=full)
    finally:
        os.close(full)
    assert result.returncode == 2
    assert result.stderr.splitlines() == [
        "inflint: standard output: not written: No space left on device",
        "inflint: /dev/full: not written: No space left on device",
    ]


def test_a_reader_that_stops_is_no_fault(project: Path) -> None:
    command = [sys.executable, "-m", "inflint", "check", "--format", "sarif"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=project, text=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(60) == 1


def test_files_have_no_colours(project: Path) -> None:
    command = [sys.executable, "-m", "inflint", "check", "pkg", "--output", "text=report.txt"]
    result = subprocess.run(
        command,
        capture_output=True,
        cwd=project,
        env={**os.environ, "FORCE_COLOR": "1"},
        check=False,
    )
    assert b"\x1b[" in result.stdout
    assert b"\x1b[" not in (project / "report.txt").read_bytes()


def test_each_format_has_a_renderer() -> None:
    assert all(callable(renderer(form)) for form in FORMATS)


def test_a_run_imports_only_its_format(project: Path) -> None:
    code = (
        "import sys, inflint.cli\n"
        "try:\n    inflint.cli.main(['check', '--format', 'github', 'pkg'])\n"
        "except SystemExit:\n    pass\n"
        "print(sorted(m for m in sys.modules if m.startswith('inflint.report.as_')))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=project
    )
    assert result.stdout.splitlines()[-1] == "['inflint.report.as_github']"
