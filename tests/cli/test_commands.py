"""The command line as users and CI see it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from inflint.cli import main

BAD = """\
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class M(TorchRLModule):
    def setup(self):
        self.pi = nn.Linear(4, 2)
        self.vf = nn.Linear(4, 1)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}
"""


def run(*args: object) -> Result:
    return CliRunner().invoke(main, [str(a) for a in args])


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "m.py"
    path.write_text(BAD)
    return path


def test_exit_codes(bad: Path, tmp_path: Path) -> None:
    assert run("check", bad).exit_code == 1
    clean = tmp_path / "clean.py"
    clean.write_text("x = 1\n")
    assert run("check", clean).exit_code == 0
    missing = run("check", tmp_path / "nowhere.py")
    assert missing.exit_code == 2
    assert "nowhere.py: no such file or directory" in missing.stderr
    assert run("check", "--format", "yaml", bad).exit_code == 2


def test_a_directory_without_python_files(tmp_path: Path) -> None:
    result = run("check", tmp_path)
    assert result.exit_code == 0
    assert result.stdout == "No findings: 0 RLModule classes in 0 files.\n"


def test_select_and_ignore(bad: Path) -> None:
    assert run("check", "--select", "INF2", bad).exit_code == 0
    assert run("check", "--select", "missing-inference-api", bad).exit_code == 1
    assert run("check", "--ignore", "INF101", bad).exit_code == 0
    unknown = run("check", "--select", "INF777", bad)
    assert unknown.exit_code == 2
    assert "no rule matches 'INF777'" in unknown.stderr


def test_json_contract(bad: Path) -> None:
    (finding,) = json.loads(run("check", "--format", "json", bad).stdout)["findings"]
    assert list(finding) == [
        "code", "severity", "path", "cell", "line", "column", "end_line", "end_column", "class",
        "message", "attribute", "fix", "evidence",
    ]  # fmt: skip
    assert (finding["code"], finding["severity"], finding["fix"]) == ("INF101", "warning", "safe")
    assert (finding["line"], finding["column"], finding["end_column"]) == (6, 1, 8)
    assert (finding["class"], finding["attribute"]) == ("M", "vf")
    assert [(e["line"], e["text"]) for e in finding["evidence"]] == [(9, "vf is built here")]


def test_inspect_contract(bad: Path) -> None:
    (cls,) = json.loads(run("inspect", "--format", "json", bad).stdout)["classes"]
    assert (cls["qualname"], cls["line"]) == ("M", 6)
    assert cls["implements_api"] is False
    assert cls["declared"] is None
    assert cls["non_inference"] == ["vf"]
    assert cls["mro"][:2] == [
        "m.M",
        "ray.rllib.core.rl_module.torch.torch_rl_module.TorchRLModule",
    ]
    assert [(c["path"], c["kind"], c["stage"], c["verdict"]) for c in cls["components"]] == [
        ("pi", "module", "setup", "needed"),
        ("vf", "module", "setup", "unused"),
    ]


def test_inspect_text(bad: Path) -> None:
    text = run("inspect", bad).stdout
    assert "· pi (module): needed" in text
    assert "✗ vf (module): unused" in text
    assert "inference never touches: vf" in text


def test_unreadable_files_do_not_stop_the_run(bad: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("class M(TorchRLModule):\n    def f(self:\n")
    (tmp_path / "wide.py").write_bytes("class M(TorchRLModule): pass".encode("utf-16"))
    (tmp_path / "latin.py").write_bytes(b"class M(TorchRLModule):\n    x = '\xe9'\n")
    found = json.loads(run("check", "--format", "json", tmp_path).stdout)["findings"]
    places = {(Path(f["path"]).name, f["code"], f["line"]) for f in found}
    assert places == {
        ("broken.py", "INF900", 2),
        ("latin.py", "INF900", 2),
        ("m.py", "INF101", 6),
        ("wide.py", "INF900", 1),
    }


def test_a_link_to_nowhere_is_no_file(bad: Path, tmp_path: Path) -> None:
    (tmp_path / "link.py").symlink_to(tmp_path / "gone.py")
    found = json.loads(run("check", "--format", "json", tmp_path).stdout)["findings"]
    assert [Path(f["path"]).name for f in found] == [bad.name]


def test_unknown_environment(bad: Path, tmp_path: Path) -> None:
    result = run("check", "--python", tmp_path / "none", bad)
    assert result.exit_code == 2
    assert "no Python environment there" in result.stderr


def test_explain_and_rules() -> None:
    page = run("explain", "listed-but-used").stdout
    assert page.startswith("# listed-but-used (INF202)")
    assert run("explain", "INF777").exit_code == 2
    assert "INF202  listed-but-used" in run("rules").stdout


def test_version() -> None:
    assert run("--version").stdout == "inflint, version 0.1.0\n"


def process(*args: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "inflint", *args],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, **env},
        check=False,
    )


def test_colour_only_where_wanted(bad: Path) -> None:
    assert "\x1b[" not in process("check", "m.py", cwd=bad.parent).stdout
    assert "\x1b[" in process("check", "m.py", cwd=bad.parent, FORCE_COLOR="1").stdout
    both = process("check", "m.py", cwd=bad.parent, FORCE_COLOR="1", NO_COLOR="1")
    assert "\x1b[" not in both.stdout


def test_same_result_from_any_directory(bad: Path, tmp_path: Path) -> None:
    inside = json.loads(process("check", "--format", "json", cwd=bad.parent).stdout)
    other = tmp_path / "sub"
    other.mkdir()
    outside = json.loads(process("check", "--format", "json", "..", cwd=other).stdout)
    for result in (inside, outside):
        for finding in result["findings"]:
            finding["path"] = Path(finding["path"]).name
            for step in finding["evidence"]:
                step["path"] = Path(step["path"]).name
    assert inside == outside


def test_neither_torch_nor_ray_nor_slow_parts_are_imported(bad: Path) -> None:
    code = (
        "import sys, inflint.cli\n"
        f"try:\n    inflint.cli.main(['check', {str(bad)!r}])\nexcept SystemExit:\n    pass\n"
        "heavy = {'torch', 'ray', 'rich', 'libcst.matchers', 'libcst.codemod'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.splitlines()[-1] == "[]"
