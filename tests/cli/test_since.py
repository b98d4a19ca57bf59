"""--since: only what touches changed lines, though everything is analysed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.project import LISTED, PLAIN, UNLISTED, USED, codes, found, run, write


def git(*arguments: str) -> None:
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with findings in its first commit."""
    monkeypatch.chdir(tmp_path)
    git("init", "-q", "-b", "main")
    write(tmp_path / "pkg" / "old.py", USED)
    write(tmp_path / "pkg" / "clean.py", LISTED)
    git("add", ".")
    git("commit", "-qm", "one")
    return tmp_path


def test_what_was_there_is_not_reported(project: Path) -> None:
    assert codes() == ["INF202"]
    assert codes("--since", "HEAD") == []
    write(project / "pkg" / "old.py", "# a line more\n" + USED + "\n\nx = 1\n")
    assert codes("--since", "HEAD") == []


def test_changed_lines(project: Path) -> None:
    write(project / "pkg" / "old.py", USED.replace('["pi", "vf"]', '["vf", "pi"]'))
    assert codes("--since", "HEAD") == ["INF202"]
    git("commit", "-qam", "two")
    assert codes("--since", "HEAD") == []
    assert codes("--since", "HEAD~1") == ["INF202"]


def test_new_files_tracked_or_not(project: Path) -> None:
    write(project / "pkg" / "new.py", PLAIN)
    assert codes("--since", "HEAD") == ["INF101"]
    git("add", ".")
    assert codes("--since", "HEAD") == ["INF101"]
    write(project / ".gitignore", "ignored.py\n")
    assert codes("--since", "HEAD", write(project / "pkg" / "ignored.py", UNLISTED)) == ["INF201"]


def test_a_change_that_makes_an_old_line_wrong(project: Path) -> None:
    """The list has not changed; what it names is read now."""
    write(
        project / "pkg" / "clean.py",
        LISTED.replace("self.pi(batch[Columns.OBS])", "self.pi(self.vf(batch[Columns.OBS]))"),
    )
    (finding,) = found("--since", "HEAD")
    assert (finding["code"], finding["line"]) == ("INF202", 16)


def test_a_base_in_another_file_is_changed(project: Path) -> None:
    base = LISTED.split("\n    def get_non")[0].replace("class M", "class Base")
    child = (
        "from .base import Base\n\n\nclass M(Base):\n" + LISTED[LISTED.index("    def get_non") :]
    )
    write(project / "pkg" / "__init__.py", "")
    write(project / "pkg" / "base.py", base)
    write(project / "pkg" / "child.py", child)
    git("add", ".")
    git("commit", "-qm", "two")
    assert codes("--since", "HEAD") == []
    write(project / "pkg" / "base.py", base.replace("self.pi(batch[Columns.OBS])", "self.vf(1)"))
    names = {(f["code"], Path(f["path"]).name) for f in found("--since", "HEAD")}
    assert ("INF202", "child.py") in names


def test_a_removed_method(project: Path) -> None:
    write(project / "pkg" / "clean.py", LISTED.split("\n    def get_non")[0])
    assert codes("--since", "HEAD") == ["INF103"]


def test_a_moved_file_has_only_its_changes(project: Path) -> None:
    git("mv", "pkg/old.py", "pkg/moved.py")
    assert codes("--since", "HEAD") == []
    text = USED.replace('["pi", "vf"]', '["pi", "vf", ]')
    write(project / "pkg" / "moved.py", text)
    assert codes("--since", "HEAD") == ["INF202"]


def test_from_the_common_ancestor(project: Path) -> None:
    git("checkout", "-qb", "topic")
    write(project / "pkg" / "topic.py", PLAIN)
    git("add", ".")
    git("commit", "-qm", "topic")
    git("checkout", "-q", "main")
    write(project / "pkg" / "old.py", USED.replace('["pi", "vf"]', '["vf", "pi"]'))
    git("commit", "-qam", "on main")
    git("checkout", "-q", "topic")
    # what main has changed since is none of the branch's changes
    assert codes("--since", "main") == ["INF101"]


def test_from_any_directory_and_with_odd_names(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("sp ace.py", 'q"uote.py', "new\nline.py", "*.py"):
        write(project / "pkg" / name, LISTED)
    git("add", ".")
    git("commit", "-qm", "names")
    assert codes("--since", "HEAD") == []
    write(project / "pkg" / "*.py", PLAIN)
    write(project / "pkg" / "new\nline.py", PLAIN)
    monkeypatch.chdir(project / "pkg")
    git("config", "diff.relative", "true")
    names = {Path(f["path"]).name for f in found("--since", "HEAD")}
    assert names == {"*.py", "new\nline.py"}
    monkeypatch.chdir("/")
    assert codes("--since", "HEAD", project) == ["INF101", "INF101"]


def test_with_a_baseline(project: Path) -> None:
    run("check", "--write-baseline", "known.json")
    write(project / "pkg" / "old.py", USED.replace('["pi", "vf"]', '["pi","vf"]'))
    assert codes("--since", "HEAD") == ["INF202"]
    assert codes("--since", "HEAD", "--baseline", "known.json") == []


def test_mistakes(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    result = run("check", "--since", "nowhere")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "inflint: --since: git knows no revision 'nowhere'\n"
    assert run("check", "--since", "--all").exit_code == 2
    git("checkout", "-q", "--orphan", "other")
    git("commit", "-qm", "alone")
    assert "no common ancestor" in run("check", "--since", "main").stderr
    outside = write(tmp_path_factory.mktemp("outside") / "m.py", USED)
    result = run("check", "--since", "HEAD", outside)
    assert result.exit_code == 2
    assert "not in a git repository" in result.stderr
