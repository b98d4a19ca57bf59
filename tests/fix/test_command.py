"""`inflint fix` as its users and their editors call it."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from inflint.cli import main
from inflint.fix import writing
from inflint.fix.writing import ChangedError, replace_file
from tests.fix.test_bytes import AFTER, BEFORE

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

TYPO = AFTER.replace('"vf", "aux", "third"', '"vf", "aux", "third", "vff"')


def inflint(*args: str | Path, text: str | bytes | None = None) -> Result:
    chosen = [] if {"--select", "--ignore"} & set(args) else ["--select", "INF1,INF2"]
    return CliRunner().invoke(main, ["fix", *map(str, args), *chosen], input=text)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "policy.py"
    path.write_text(BEFORE, encoding="utf-8")
    return path


def test_diff_changes_nothing_and_applies(file: Path) -> None:
    result = inflint("policy.py")
    assert result.exit_code == 1
    assert file.read_text(encoding="utf-8") == BEFORE
    assert result.stdout.startswith("--- a/policy.py\n+++ b/policy.py\n@@ ")
    assert result.stderr == (
        "policy.py:6: INF101 Policy: would fix: list vf, aux, third\nWould fix 1, left 0.\n"
    )
    subprocess.run(["git", "apply", "-"], input=result.stdout_bytes, cwd=file.parent, check=True)
    assert file.read_text(encoding="utf-8") == AFTER
    again = inflint("policy.py")
    assert (again.exit_code, again.stdout) == (0, "")


@pytest.mark.parametrize(
    "change",
    [
        lambda b: b.replace(b"\n", b"\r\n"),
        lambda b: b.rstrip(b"\n"),
        lambda b: b"\xef\xbb\xbf" + b,
        lambda b: b"# coding: latin-1\n" + b.replace(b"setup(self):", b"setup(self):  # \xe4"),
    ],
    ids=["CRLF", "no final newline", "BOM", "latin-1"],
)
def test_diff_applies_to_odd_files(file: Path, change) -> None:
    file.write_bytes(change(BEFORE.encode()))
    result = inflint("policy.py")
    subprocess.run(["git", "apply", "-"], input=result.stdout_bytes, cwd=file.parent, check=True)
    assert file.read_bytes() == change(AFTER.encode())


def test_write(file: Path) -> None:
    result = inflint("--write", ".")
    assert result.exit_code == 0
    assert result.stdout == ""
    assert "policy.py:6: INF101 Policy: fixed: list vf, aux, third" in result.stderr
    assert file.read_text(encoding="utf-8") == AFTER
    assert inflint("--write", ".").stderr == "Fixed 0, left 0.\n"


def test_unsafe(file: Path) -> None:
    file.write_text(TYPO, encoding="utf-8")
    result = inflint("--write", "policy.py")
    assert file.read_text(encoding="utf-8") == TYPO
    assert "INF203 Policy: left: unsafe, vf is listed already" in result.stderr
    assert result.stderr.endswith("Fixed 0, left 1 (1 more with --unsafe-fixes).\n")
    assert inflint("--write", "--unsafe-fixes", "policy.py").exit_code == 0
    assert file.read_text(encoding="utf-8") == AFTER


def test_select_and_ignore(file: Path) -> None:
    for args in (["--select", "INF2"], ["--ignore", "missing-inference-api"]):
        result = inflint(*args, "policy.py")
        assert (result.exit_code, result.stdout) == (0, "")
    assert inflint("--select", "INF101", "policy.py").exit_code == 1
    assert inflint("--select", "INF999", "policy.py").exit_code == 2


def test_standard_input(file: Path) -> None:
    file.unlink()
    for args in ([], ["--stdin-filename", "sub/policy.py"]):
        result = inflint("-", *args, text=BEFORE.encode().replace(b"\n", b"\r\n"))
        assert result.exit_code == 0
        assert result.stdout_bytes == AFTER.encode().replace(b"\n", b"\r\n")
    assert "sub/policy.py:6: INF101" in result.stderr
    assert list(file.parent.iterdir()) == []
    unchanged = inflint("-", text=AFTER)
    assert (unchanged.exit_code, unchanged.stdout) == (0, AFTER)
    broken = inflint("-", text="def f(:\n")
    assert broken.stdout == "def f(:\n"
    assert inflint("-", "policy.py", text="").exit_code == 2


def test_standard_input_sees_its_neighbours(file: Path) -> None:
    child = "from policy import Policy\n\n\nclass Child(Policy):\n    x = 1\n"
    result = inflint("-", "--stdin-filename", "child.py", text=child)
    assert result.stdout == child
    assert file.exists()


def test_a_missing_path(file: Path) -> None:
    assert inflint("nowhere.py").exit_code == 2


def test_one_file_cannot_be_written(file: Path) -> None:
    other = file.with_name("other.py")
    other.write_text(BEFORE, encoding="utf-8")
    other.chmod(0o444)
    result = inflint("--write", ".")
    assert result.exit_code == 2
    assert "other.py: not written: the file is read-only" in result.stderr
    assert result.stderr.endswith("Fixed 1, left 0.\n")
    assert other.read_text(encoding="utf-8") == BEFORE
    assert file.read_text(encoding="utf-8") == AFTER


def test_a_file_that_changed_or_vanished(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["changed.py", "policy.py", "vanished.py"]
    for name in names:
        file.with_name(name).write_text(BEFORE, encoding="utf-8")

    def late(path: Path, before: bytes, after: bytes) -> None:
        if path.name == "changed.py":
            path.write_text("x = 1\n", encoding="utf-8")
        if path.name == "vanished.py":
            path.unlink()
        replace_file(path, before, after)

    monkeypatch.setattr(writing, "replace_file", late)
    result = inflint("--write", ".")
    assert result.exit_code == 2
    assert "changed.py: not written: changed since it was read" in result.stderr
    assert "vanished.py: not written: No such file" in result.stderr
    assert result.stderr.endswith("Fixed 1, left 0.\n")
    assert file.with_name("changed.py").read_text(encoding="utf-8") == "x = 1\n"
    assert sorted(p.name for p in file.parent.iterdir()) == ["changed.py", "policy.py"]


def test_mode_and_link_stay(file: Path) -> None:
    file.chmod(0o754)
    link = file.with_name("link.py")
    link.symlink_to("policy.py")
    assert inflint("--write", "link.py").exit_code == 0
    assert link.is_symlink()
    assert str(link.readlink()) == "policy.py"
    assert file.stat().st_mode & 0o777 == 0o754
    assert file.read_text(encoding="utf-8") == AFTER


def test_replacing_checks_what_is_there(file: Path) -> None:
    with pytest.raises(ChangedError):
        replace_file(file, b"other", b"new")
    assert list(file.parent.iterdir()) == [file]


def test_an_unreadable_file_is_left_and_the_rest_done(file: Path) -> None:
    file.with_name("broken.py").write_text("class (TorchRLModule):\n", encoding="utf-8")
    result = inflint("--write", ".")
    assert file.read_text(encoding="utf-8") == AFTER
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (BEFORE, "safe"),
        (TYPO, "unsafe"),
        (AFTER.replace('"third"]', '"third",\n            "pi",  # why\n        ]'), "unsafe"),
        (BEFORE.replace("TorchRLModule):", "*[TorchRLModule]):"), None),
        ("InferenceOnlyAPI = 1\n" + BEFORE, "none"),
    ],
)
def test_check_says_which_fix_there_is(file: Path, source: str, expected: str | None) -> None:
    file.write_text(source, encoding="utf-8")
    output = (
        CliRunner()
        .invoke(main, ["check", "policy.py", "--select", "INF1,INF2", "--format", "json"])
        .stdout
    )
    assert [f["fix"] for f in json.loads(output)["findings"]] == [expected][: expected is not None]
