"""Baselines: only what is new counts, whatever moves; and what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.project import IMPORTS, LISTED, PLAIN, UNLISTED, USED, codes, found, run, write


def known(path: Path) -> list[dict[str, str]]:
    entries: list[dict[str, str]] = json.loads(path.read_text())["findings"]
    return entries


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files with findings and a baseline that knows them."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "pkg" / "used.py", USED)
    write(tmp_path / "pkg" / "plain.py", PLAIN)
    result = run("check", "--write-baseline", "known.json", "pkg")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "Wrote 2 findings to known.json.\n"
    return tmp_path


def test_what_is_known_is_not_reported(project: Path) -> None:
    assert [
        (e["path"], e["code"], e["class"], e["attribute"]) for e in known(Path("known.json"))
    ] == [
        ("pkg/plain.py", "INF101", "M", "vf"),
        ("pkg/used.py", "INF202", "M", "pi"),
    ]
    result = run("check", "--baseline", "known.json", "pkg")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "No findings (2 in the baseline): 2 RLModule classes in 2 files.\n"
    assert (
        json.loads(run("check", "--format", "json", "--baseline", "known.json").stdout)["baselined"]
        == 2
    )
    write(project / "pkg" / "more.py", UNLISTED)
    assert codes("--baseline", "known.json") == ["INF201"]


def test_the_file_is_stable(project: Path) -> None:
    before = Path("known.json").read_bytes()
    assert before.endswith(b"\n")
    assert len(before.splitlines()) == 7  # one line an entry
    write(project / "pkg" / "used.py", "\n\n# moved down\n" + USED)
    run("check", "--write-baseline", "known.json", "pkg")
    assert Path("known.json").read_bytes() == before
    assert sorted(p.name for p in project.iterdir()) == ["known.json", "pkg"]


def test_it_survives_moves_and_formatting(project: Path) -> None:
    text = USED.replace(
        '["pi", "vf"]', "[\n            'pi',  # kept\n            'vf',\n        ]"
    )
    (project / "pkg" / "used.py").unlink()
    write(project / "elsewhere" / "deep" / "m.py", "import os\n" + text)
    result = run("check", "--baseline", "known.json", ".")
    assert (result.exit_code, result.stderr) == (0, "")


def test_it_hides_no_swap(project: Path) -> None:
    # another attribute is at fault now
    write(
        project / "pkg" / "used.py",
        LISTED.replace('["vf"]', '["vf", "pi"]')
        .replace("self.pi(batch", "self.pi(self.vf(batch")
        .replace("OBS])}", "OBS]))}"),
    )
    new = found("--baseline", "known.json", "pkg/used.py")
    assert [f["attribute"] for f in new] == ["vf"]
    # a second component is left in the runners, by the same rule in the same class
    write(
        project / "pkg" / "plain.py",
        PLAIN.replace("        self.vf =", "        self.q = nn.Linear(4, 1)\n        self.vf ="),
    )
    assert [f["attribute"] for f in found("--baseline", "known.json", "pkg/plain.py")] == ["q, vf"]


def test_a_copy_is_new_and_a_move_is_not(project: Path) -> None:
    copy = write(project / "pkg" / "copy.py", USED)
    new = found("--baseline", "known.json", "pkg")
    assert [Path(f["path"]).name for f in new] == ["copy.py"]
    assert codes("--baseline", "known.json", copy) == ["INF202"]  # whichever files are checked
    write(project / "pkg" / "used.py", LISTED)  # now the class has moved to the copy
    assert codes("--baseline", "known.json", "pkg") == []
    assert codes("--baseline", "known.json", copy) == ["INF202"]  # used.py was not looked at
    (project / "pkg" / "used.py").unlink()
    assert codes("--baseline", "known.json", copy) == []


def test_two_classes_are_two_entries(project: Path) -> None:
    second = USED.replace(IMPORTS, "").replace("class M", "class N")
    write(project / "pkg" / "used.py", f"{USED}\n\n{second}")
    assert [f["class"] for f in found("--baseline", "known.json", "pkg")] == ["N"]


def test_stale_entries(project: Path) -> None:
    write(project / "pkg" / "used.py", LISTED)
    result = run("check", "--baseline", "known.json", "pkg")
    assert result.exit_code == 0
    assert result.stderr == (
        "inflint: warning: known.json: 1 stale entry; --prune-baseline drops:\n"
        "  pkg/used.py: INF202 M pi\n"
    )
    # nothing is known of files that are not checked, and of rules that are not active
    assert run("check", "--baseline", "known.json", "pkg/plain.py").stderr == ""
    assert run("check", "--baseline", "known.json", "pkg", "--ignore", "INF2").stderr == ""
    result = run("check", "--baseline", "known.json", "--prune-baseline", "pkg")
    assert "Dropped 1 stale entry from known.json." in result.stderr
    assert [e["code"] for e in known(Path("known.json"))] == ["INF101"]
    assert run("check", "--baseline", "known.json", "pkg").stderr == ""


def test_entries_of_deleted_files_are_stale(project: Path) -> None:
    (project / "pkg" / "used.py").unlink()
    assert "1 stale entry" in run("check", "--baseline", "known.json", "pkg").stderr
    assert run("check", "--baseline", "known.json", "pkg/plain.py").stderr == ""


def test_from_the_configuration_and_any_directory(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project / "inflint.toml", "baseline = 'known.json'\n")
    assert codes() == []
    monkeypatch.chdir(project / "pkg")
    assert codes() == codes("..") == []
    assert len(codes("--no-baseline")) == 2
    Path("../known.json").unlink()
    result = run("check")
    assert result.exit_code == 2
    assert "known.json: there is no such baseline" in result.stderr


def test_written_below_its_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "ci").mkdir()
    run("check", "--write-baseline", "ci/known.json", "pkg")
    assert [e["path"] for e in known(Path("ci/known.json"))] == [
        "../pkg/plain.py",
        "../pkg/used.py",
    ]
    monkeypatch.chdir(project / "ci")
    assert codes("--baseline", "known.json", "../pkg") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"version": 2, "findings": []}', "has version 2, and this inflint reads 1"),
        ('{"findings": []}', "no baseline of inflint"),
        ("[]", "no baseline of inflint"),
        ('{"version": 1}', "the list of findings is broken"),
        ('{"version": 1, "findings": [{"path": "x"}]}', "the list of findings is broken"),
        ('{"version": 1,\n "findings": [}', "known.json:2: no JSON"),
        ("\udcff", "no JSON"),
    ],
)
def test_a_wrong_baseline_is_an_error(project: Path, text: str, message: str) -> None:
    Path("known.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    result = run("check", "--baseline", "known.json", "pkg")
    assert result.exit_code == 2
    assert message in result.stderr
    assert "--write-baseline known.json" in result.stderr


def test_options_that_contradict_each_other(project: Path) -> None:
    for options, message in [
        (["--prune-baseline"], "needs a baseline"),
        (["--baseline", "known.json", "--no-baseline"], "goes with neither"),
        (["--write-baseline", "x.json", "--since", "HEAD"], "takes all findings"),
        (["--write-baseline", "no/such/x.json"], "not written"),
        (["--baseline", "gone.json"], "there is no such baseline"),
    ]:
        result = run("check", *options, "pkg")
        assert result.exit_code == 2
        assert message in result.stderr


def test_names_that_are_no_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    import os

    for name in (b"sp ace.py", b"new\nline.py", b"\xff.py"):
        Path(os.fsdecode(name)).write_text(USED)
    run("check", "--write-baseline", "known.json", ".")
    assert len(known(Path("known.json"))) == 3
    result = run("check", "--baseline", "known.json", ".")
    assert (result.exit_code, result.stderr) == (0, "")
