"""What configuration and options do to a check: rules, severities, files, targets, profile."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.project import LISTED, PLAIN, UNLISTED, USED, codes, found, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "used.py", USED)
    write(tmp_path / "plain.py", PLAIN)
    return tmp_path


def configure(text: str, path: str = "inflint.toml") -> None:
    write(Path(path), text)


# Which rules


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("", (), ["INF101", "INF202"]),
        ("select = ['INF2']", (), ["INF202"]),
        ("select = ['listed-but-used']", (), ["INF202"]),
        ("ignore = ['missing-inference-api']", (), ["INF202"]),
        ("select = ['INF2']\nextend-select = ['INF101']", (), ["INF101", "INF202"]),
        ("select = ['INF']\nignore = ['INF1']", (), ["INF202", "INF405"]),
        ("select = ['INF101', 'INF2']\nignore = ['INF1']", (), ["INF101", "INF202"]),
        ("select = ['INF2']", ("--select", "INF1"), ["INF101"]),
        ("select = ['INF2']", ("--extend-select", "INF1"), ["INF101", "INF202"]),
        ("select = ['INF2']", ("--ignore", "INF202"), []),
        ("ignore = ['INF202']", ("--select", "INF1,INF202"), ["INF101"]),
        ("ignore = ['INF2']", ("--select", "INF202"), ["INF202"]),
        ("select = ['INF2']", ("--isolated",), ["INF101", "INF202"]),
        ("select = []", (), []),
        ("", ("--config", "select = ['INF2']"), ["INF202"]),
    ],
)
def test_rules(project: Path, text: str, options: tuple[str, ...], expected: list[str]) -> None:
    configure(text)
    assert sorted(codes(*options)) == expected


def test_rules_that_are_off_by_default(project: Path) -> None:
    write(project / "used.py", LISTED)
    assert codes("used.py") == []
    configure("extend-select = ['built-then-removed']")
    assert codes("used.py") == ["INF405"]


@pytest.mark.parametrize(
    ("pattern", "ignored"),
    [
        ("used.py", True),
        ("*.py", True),
        ("src/**", True),
        ("src", True),
        ("src/*", True),
        ("./src/deep/used.py", True),
        ("deep/used.py", False),  # relative to the file that says so
        ("tests/**", False),  # a pattern that matches nothing
        ("!src/**", False),
        ("!tests/**", True),
    ],
)
def test_per_file_ignores(project: Path, pattern: str, ignored: bool) -> None:
    write(project / "src" / "deep" / "used.py", USED)
    configure(f"[per-file-ignores]\n'{pattern}' = ['listed-but-used']")
    assert (codes("src") == []) is ignored


def test_unknown_rules_are_told_where_they_stand(project: Path) -> None:
    for text, line in [
        ("\nselect = [\n  'INF1',\n  'listed-but-use',\n]", 4),
        ("ignore = ['listed-but-use']", 1),
        ("[severity]\nlisted-but-use = 'info'", 2),
        ("[per-file-ignores]\n'a.py' = []\n'*.py' = ['listed-but-use']", 3),
    ]:
        configure(text)
        result = run("check")
        assert result.exit_code == 2
        place = f"inflint: {project / 'inflint.toml'}:{line}: "
        hint = "no rule matches 'listed-but-use'; did you mean 'listed-but-used'?"
        assert result.stderr == f"{place}{hint}\n"
    (project / "inflint.toml").unlink()
    result = run("check", "--ignore", "INF2O2")
    assert (result.exit_code, result.stderr[:36]) == (2, "inflint: --ignore: no rule matches '")


# Severities and exit codes


def test_severities(project: Path) -> None:
    configure("[severity]\nINF = 'info'\nmissing-inference-api = 'error'\n")
    assert [f["severity"] for f in found()] == ["error", "info"]


@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        ("", (), 1),
        ("", ("--fail-on", "error"), 0),
        ("", ("--fail-on", "warning"), 1),
        ("fail-on = 'error'", (), 0),
        ("fail-on = 'error'", ("--fail-on", "info"), 1),
        ("fail-on = 'error'\nseverity.INF101 = 'error'", (), 1),
        ("severity.INF101 = 'info'", (), 1),
        ("severity.INF101 = 'info'\nfail-on = 'warning'", (), 0),
        ("", ("--exit-zero",), 0),
    ],
)
def test_exit_codes(project: Path, text: str, options: tuple[str, ...], code: int) -> None:
    configure(text)
    result = run("check", "plain.py", *options)
    assert result.exit_code == code
    assert "INF101" in result.stdout


# Which files


def files(*args: object) -> list[str]:
    result = run("check", "--show-files", *args)
    assert result.exit_code == 0
    return result.stdout.splitlines()


def test_exclusion(project: Path) -> None:
    for name in ("src/a.py", "src/gen/b.py", "src/gen/deep/c.py", "venv/d.py", "build/e.py"):
        write(project / name, "")
    generated = ["src/gen/b.py", "src/gen/deep/c.py"]
    assert files() == ["build/e.py", "plain.py", "src/a.py", *generated, "used.py"]
    configure("extend-exclude = ['gen', 'build/', 'us*.py']")
    assert files() == ["plain.py", "src/a.py"]
    configure("extend-exclude = ['/src/gen']\nexclude = ['build']")
    assert files() == ["plain.py", "src/a.py", "used.py", "venv/d.py"]
    configure("include = ['used.py', 'src/**/c.py']")
    assert files() == ["src/gen/deep/c.py", "used.py"]
    assert files("--exclude", "src") == ["used.py"]
    configure("exclude = ['src', '!src/gen']")
    assert "src/a.py" not in files()


def test_what_is_named_is_checked_though_excluded(project: Path) -> None:
    write(project / "gen" / "deep" / "b.py", "")
    configure("extend-exclude = ['gen']")
    assert "gen/deep/b.py" not in files()
    assert files("gen/deep/b.py") == files("gen/deep") == files("gen") == ["gen/deep/b.py"]
    assert files("--force-exclude", "gen/deep/b.py", "used.py") == ["used.py"]
    assert files("--force-exclude", "gen/deep") == files("--force-exclude", "gen") == []
    configure("extend-exclude = ['gen']\nforce-exclude = true")
    assert files("gen/deep/b.py") == []
    assert files("gen/deep/b.py", "--no-force-exclude") == ["gen/deep/b.py"]


def test_gitignore_can_be_switched_off(project: Path) -> None:
    (project / ".git").mkdir()
    write(project / ".gitignore", "used.py\n")
    assert files() == ["plain.py"]
    assert files("--no-respect-gitignore") == ["plain.py", "used.py"]
    configure("respect-gitignore = false")
    assert files() == ["plain.py", "used.py"]
    assert files("--respect-gitignore") == ["plain.py"]


def test_nothing_to_check_is_said(project: Path) -> None:
    configure("include = ['*.nothing']")
    result = run("check")
    assert result.exit_code == 0
    assert result.stderr == "inflint: warning: no files to check under the given paths\n"


def test_paths_that_cannot_be_taken(project: Path) -> None:
    (project / "loop").symlink_to("loop")
    (project / "loops").mkdir()
    (project / "loops" / "up").symlink_to("..")
    (project / "loops" / "self.py").symlink_to("self.py")
    assert sorted(codes()) == ["INF101", "INF202"]
    for name, message in [
        ("loop", "loop: Too many levels of symbolic links"),
        ("nowhere", "nowhere: no such file or directory"),
        ("used.py/x", "used.py/x: Not a directory"),
        ("src/*.py", "src/*.py: no such file or directory"),
    ]:
        result = run("check", name)
        assert (result.exit_code, result.stderr) == (2, f"inflint: {message}\n")


def test_names_that_are_no_text(project: Path) -> None:
    odd = [os.fsdecode(name) for name in (b"sp ace", b"new\nline", b"\xff")]
    for name in odd:
        write(project / name / "m.py", USED)
    configure("[per-file-ignores]\n'sp ace/**' = ['INF2']\n")
    assert sorted(codes()) == ["INF101", "INF202", "INF202", "INF202"]
    assert {f["path"] for f in found(*odd[1:])} == {f"{name}/m.py" for name in odd[1:]}
    assert os.fsencode(f"{odd[2]}/m.py:16:17: error INF202") in run("check").stdout_bytes
    assert os.fsencode(f"{odd[2]}/m.py\n") in run("check", "--show-files").stdout_bytes
    assert codes("sp ace") == []
    assert codes(odd[1], odd[2]) == ["INF202", "INF202"]


@pytest.fixture
def open_project(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory that other users may enter, and this process as one of them."""
    top = Path(tempfile.mkdtemp())
    top.chmod(0o755)
    monkeypatch.chdir(top)
    write(top / "used.py", USED)
    run("check", "--baseline", top / "none.json")  # imports what root alone may read
    run("check", "--add-noqa", "nowhere.py")
    root = os.geteuid() == 0
    try:
        yield top
    finally:
        if root:
            os.seteuid(0)
        shutil.rmtree(top)


def drop_rights() -> None:
    if os.geteuid() == 0:
        os.seteuid(65534)


def test_what_may_not_be_read(open_project: Path) -> None:
    write(open_project / "plain.py", PLAIN)
    write(open_project / "closed" / "m.py", USED)
    write(open_project / "cfg" / "m.py", USED)
    configure("ignore = []", "cfg/inflint.toml")
    assert len(codes()) == 4
    for name in ("used.py", "closed", "cfg/inflint.toml"):
        (open_project / name).chmod(0)
    drop_rights()
    assert [(f["path"], f["code"]) for f in found("used.py", "closed")] == [
        ("closed", "INF900"),
        ("used.py", "INF900"),
    ]
    for arguments, message in [
        (["closed/m.py"], "closed/m.py: Permission denied"),
        (["cfg"], "inflint.toml: Permission denied"),
    ]:
        result = run("check", *arguments)
        assert result.exit_code == 2
        assert message in result.stderr
    assert os.geteuid() != 0


def test_what_may_not_be_written(open_project: Path) -> None:
    (open_project / "used.py").chmod(0o444)
    open_project.chmod(0o555)
    drop_rights()
    result = run("check", "--write-baseline", "known.json")
    assert (result.exit_code, result.stderr) == (
        2,
        "inflint: known.json: not written: Permission denied\n",
    )
    result = run("check", "--add-noqa")
    assert result.exit_code == 2
    assert "used.py: not written: the file is read-only" in result.stderr
    assert "Wrote noqa comments for 0 of 1 findings." in result.stderr
    assert sorted(os.listdir()) == ["used.py"]  # noqa: PTH208


def test_each_file_once_from_any_directory(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "sub").mkdir()
    configure("extend-exclude = ['plain.py']\n[per-file-ignores]\n'sub/**' = ['INF2']")
    write(project / "sub" / "used.py", USED)
    inside = found(".", "used.py", "./used.py", "sub", project / "used.py")
    assert [f["path"] for f in inside] == ["used.py"]
    monkeypatch.chdir(project / "sub")
    outside = found("..", "../used.py", ".")
    assert [Path(f["path"]).name for f in outside] == ["used.py"]
    monkeypatch.chdir("/")
    assert [f["code"] for f in found(project)] == ["INF202"]


# Several projects in one repository


def test_each_file_has_its_own_settings(project: Path) -> None:
    configure("[tool.inflint]\ntarget-ray = '2.60.0'\n", "a/pyproject.toml")
    configure(
        "target-ray = '2.40.0'\nseverity.INF202 = 'info'\nignore = ['INF3']", "b/inflint.toml"
    )
    nested = UNLISTED.replace("return []", "return ['pi.weight']")
    for name in ("a/m.py", "b/m.py"):
        write(project / name, USED)
        write(project / name.replace("m.py", "n.py"), nested)
    result = json.loads(run("check", "--format", "json", "a", "b").stdout)
    assert [t["releases"] for t in result["targets"]] == [["2.60.0"], ["2.40.0"]]
    assert result["targets"][1]["why"] == str(project / "b" / "inflint.toml")
    by_file: dict[str, list[tuple[str, str]]] = {}
    for finding in result["findings"]:
        by_file.setdefault(finding["path"], []).append((finding["code"], finding["severity"]))
    assert by_file["a/m.py"] == [("INF202", "error")]
    assert by_file["b/m.py"] == [("INF202", "info")]
    assert "INF301" in {code for code, _ in by_file["a/n.py"]}
    assert "INF301" not in {code for code, _ in by_file["b/n.py"]}
    # the same, whichever part is asked for
    assert [f["code"] for f in found("b")] == [
        c for f in ("b/m.py", "b/n.py") for c, _ in by_file[f]
    ]


def test_bases_in_the_other_project_are_read(project: Path) -> None:
    configure("[tool.inflint]\ntarget-ray = '2.60.0'\n", "pkg/pyproject.toml")
    configure("target-ray = '2.50.0'\n", "pkg/sub/inflint.toml")
    write(project / "pkg" / "__init__.py", "")
    write(project / "pkg" / "sub" / "__init__.py", "")
    write(project / "pkg" / "base.py", PLAIN)
    child = "from pkg.base import M\n\n\nclass N(M):\n    pass\n"
    write(project / "pkg" / "sub" / "child.py", child)
    result = json.loads(run("inspect", "--format", "json", "pkg").stdout)
    assert [(c["qualname"], c["non_inference"]) for c in result["classes"]] == [
        ("M", ["vf"]),
        ("N", ["vf"]),
    ]
    assert len(result["targets"]) == 2


def test_lock_files_count_for_what_is_below_them(project: Path) -> None:
    for name, version in (("a", "2.40.0"), ("b", "2.53.0")):
        write(project / name / "uv.lock", f'[[package]]\nname = "ray"\nversion = "{version}"\n')
        write(project / name / "src" / "m.py", USED)
    result = json.loads(run("check", "--format", "json", "a", "b").stdout)
    assert [t["releases"] for t in result["targets"]] == [["2.40.0"], ["2.53.0"]]
    configure("target-ray = '2.60.0'")
    result = json.loads(run("check", "--format", "json", "a", "b").stdout)
    assert result["target"] == {"releases": ["2.60.0"], "why": str(project / "inflint.toml")}
    assert "targets" not in result


def test_wrong_targets_and_environments(project: Path) -> None:
    for text, message in [
        ("target-ray = 'newest'", "1: target 'newest' is neither a release nor a range"),
        ("\npython = 'nowhere'", "2: python: "),
    ]:
        configure(text)
        result = run("check")
        assert result.exit_code == 2
        assert result.stderr.startswith(f"inflint: {project / 'inflint.toml'}:{message}")


# What a project adds to the profile

HOUSE = """\
from house.rl import HouseModule
from ray.rllib.core.columns import Columns
from torch import nn


class M(HouseModule):
    def setup(self):
        self.pi = nn.Linear(4, 2)
        self.vf = nn.Linear(4, 1)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}
"""


def test_module_bases_that_cannot_be_read(project: Path) -> None:
    path = write(project / "house_user.py", HOUSE)
    assert codes(path) == []
    configure("module-bases = ['house.rl.HouseModule']")
    (finding,) = found(path)
    assert (finding["code"], finding["attribute"]) == ("INF101", "vf")


def test_module_bases_that_can_be_read_are(project: Path) -> None:
    write(
        project / "house" / "rl.py",
        "from compiled import Core\nfrom torch import nn\n\n\nclass HouseModule(Core):\n"
        "    def setup(self):\n        self.critic = nn.Linear(4, 1)\n",
    )
    write(project / "house" / "__init__.py", "")
    path = write(
        project / "user.py",
        HOUSE.replace("setup(self):\n", "setup(self):\n        super().setup()\n"),
    )
    assert codes(path) == []
    configure("module-bases = ['house.rl.HouseModule']")
    (finding,) = found(path)
    assert set(finding["attribute"].split(", ")) == {"vf", "critic"}


def test_inference_entry_points(project: Path) -> None:
    text = PLAIN + "\n    def score(self, batch):\n        return self.vf(batch)\n"
    path = write(project / "m.py", text)
    assert codes(path) == ["INF101"]
    configure("inference-entry-points = ['score']")
    assert codes(path) == []


def test_component_factories(project: Path) -> None:
    text = PLAIN.replace("from torch import nn", "from torch import nn\nfrom nets import make_head")
    text = text.replace("self.vf = nn.Linear(4, 1)", "self.vf = make_head(4)")
    path = write(project / "m.py", text)
    write(
        project / "nets.py", "import compiled\n\ndef make_head(n):\n    return compiled.head(n)\n"
    )
    kinds = {
        c["path"]: c["kind"]
        for c in json.loads(run("inspect", "--format", "json", path).stdout)["classes"][0][
            "components"
        ]
    }
    assert kinds.get("vf") != "module"
    configure("component-factories = ['nets.make_*']")
    kinds = {
        c["path"]: c["kind"]
        for c in json.loads(run("inspect", "--format", "json", path).stdout)["classes"][0][
            "components"
        ]
    }
    assert kinds["vf"] == "module"


# fix


def test_fix_heeds_the_settings(project: Path) -> None:
    configure("select = ['INF101']\n[per-file-ignores]\n'plain.py' = ['INF1']")
    assert run("fix").stdout == ""
    configure("select = ['INF101']")
    result = run("fix")
    assert result.exit_code == 1
    assert "b/plain.py" in result.stdout
    assert "b/used.py" not in result.stdout


# inflint config


def test_config_shows_what_is_in_force(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    configure("fail-on = 'error'\n", "base.toml")
    configure("extend = 'base.toml'\n\nselect = ['INF2']\n[per-file-ignores]\n'a b' = ['INF202']\n")
    (project / "sub").mkdir()
    monkeypatch.chdir(project / "sub")
    result = json.loads(
        run("config", "--format", "json", "--target-ray", "2.50", "../used.py").stdout
    )
    assert result["files"] == [str(project / "inflint.toml"), str(project / "base.toml")]
    settings = result["settings"]
    assert settings["select"] == {
        "value": ["INF2"],
        "origin": f"{project / 'inflint.toml'}:3",
    }
    assert settings["fail-on"] == {"value": "error", "origin": f"{project / 'base.toml'}:1"}
    assert settings["target-ray"] == {"value": "2.50", "origin": "--target-ray"}
    assert settings["respect-gitignore"] == {"value": True, "origin": "default"}
    assert result["rules"] == [f"INF20{n}" for n in range(1, 8)]
    monkeypatch.chdir(project)
    lines = run("config").stdout.splitlines()
    assert lines[:2] == ["# inflint.toml", "# base.toml"]
    assert any(line.split("  ")[0] == 'select = ["INF2"]' for line in lines)
    assert any(line.endswith("# inflint.toml:4") and '"a b" = ["INF202"]' in line for line in lines)
    assert run("config", "nowhere").exit_code == 2
    configure("ignor = []")
    assert run("config").stderr.startswith(f"inflint: {project / 'inflint.toml'}:1: no key 'ignor'")
