"""The hooks of this repository, under a real pre-commit."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.report.projects import BODY, HEAD, WITHOUT_API

if TYPE_CHECKING:
    from tests.conftest import Inflint

ROOT = Path(__file__).parents[2]
USED = f"""{HEAD}
class Actor(TorchRLModule, InferenceOnlyAPI):{BODY}
    def get_non_inference_attributes(self):
        return ["pi", "vf"]
"""


def git(cwd: Path, *args: str) -> None:
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
    subprocess.run(["git", *identity, *args], cwd=cwd, check=True, capture_output=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    top = tmp_path / "project"
    top.mkdir()
    (top / "critic.py").write_text(WITHOUT_API)
    (top / "a b.py").write_text(USED)
    (top / "notes.txt").write_text("class Text(TorchRLModule): ...\n")
    git(top, "init", "-q")
    git(top, "add", ".")
    git(top, "commit", "-q", "-m", "start")
    return top


@pytest.mark.network
def test_both_hooks_fail_fix_and_pass(project: Path, tmp_path: Path) -> None:
    pytest.importorskip("pre_commit")
    if not (ROOT / ".git").exists():
        pytest.skip("pre-commit takes hooks from a git repository only")
    log = tmp_path / "pip.log"
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "PYTHONPATH"))},
        "PIP_LOG": str(log),
        "PRE_COMMIT_COLOR": "never",
    }

    def try_repo() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "pre_commit", "try-repo", str(ROOT), "--all-files", "-v"],
            cwd=project, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip

    first = try_repo()
    assert first.returncode == 1, first.stderr
    assert re.search(r"^inflint\.+Failed$", first.stdout, re.MULTILINE), first.stdout
    assert "\na b.py:16:17: error INF202 listed-but-used\n" in first.stdout
    assert "\ncritic.py:7:1: warning INF101 missing-inference-api\n" in first.stdout
    assert "2 findings (1 error, 1 warning): 2 RLModule classes in 2 files." in first.stdout
    assert re.search(r"^inflint-fix\.+Failed$", first.stdout, re.MULTILINE), first.stdout
    assert "files were modified by this hook" in first.stdout
    assert 'return ["vf"]' in (project / "a b.py").read_text()
    assert "InferenceOnlyAPI" in (project / "critic.py").read_text()

    second = try_repo()
    assert second.returncode == 0, second.stdout
    assert re.search(r"^inflint\.+Passed$", second.stdout, re.MULTILINE), second.stdout
    assert re.search(r"^inflint-fix\.+Passed$", second.stdout, re.MULTILINE), second.stdout

    installed = re.findall(r"Successfully installed (.*)", log.read_text(encoding="utf-8"))
    names = {word.rpartition("-")[0] for line in installed for word in line.split()}
    assert {"inflint", "click", "libcst", "packaging", "pathspec"} <= names
    assert not names & {"torch", "ray", "numpy", "rich", "watchfiles", "flake8"}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Classes whose bases are in other files, by way of a package that hands one on."""
    top = tmp_path / "policies"
    top.mkdir()
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'p'\nversion = '1'\n")
    (top / "__init__.py").write_text("from .base import Base as House\n")
    (top / "base.py").write_text(f"{HEAD}\nclass Base(TorchRLModule):{BODY}")
    (top / "listed.py").write_text(
        "from ray.rllib.core.rl_module.apis import InferenceOnlyAPI\n"
        "from policies import House\n\n\n"
        "class Listed(House, InferenceOnlyAPI):\n"
        "    def get_non_inference_attributes(self):\n"
        '        return ["vf", "nothing"]\n'
    )
    (top / "reader.py").write_text(
        "from .listed import Listed\n\n\n"
        "class Reader(Listed):\n"
        "    def _forward_exploration(self, batch, **kwargs):\n"
        '        return {"value": self.vf(batch["obs"])}\n'
    )
    (top / "bare.py").write_text("from .base import Base\n\n\nclass Bare(Base):\n    pass\n")
    return top


def test_changed_files_alone_get_the_same_answer(inflint: Inflint, package: Path) -> None:
    """Bases that have not changed are read, though they are not among the arguments."""
    whole = keyed(inflint.check(package))
    alone = [keyed(inflint.check(path)) for path in sorted(package.glob("*.py"))]
    assert set().union(*alone) == whole
    assert sum(map(len, alone)) == len(whole)
    codes = {(Path(f["path"]).name, f["code"]) for f in map(json.loads, whole)}
    assert {("listed.py", "INF203"), ("reader.py", "INF202"), ("base.py", "INF101")} <= codes


def test_a_list_in_a_mixin_that_has_not_changed(inflint: Inflint, package: Path) -> None:
    (package / "mixin.py").write_text(
        'class Listing:\n    def get_non_inference_attributes(self):\n        return ["vf", "pi"]\n'
    )
    (package / "mixed.py").write_text(
        "from ray.rllib.core.rl_module.apis import InferenceOnlyAPI\n"
        "from . import base\n"
        "from .mixin import Listing\n\n\n"
        "class Mixed(Listing, base.Base, InferenceOnlyAPI):\n"
        "    pass\n"
    )

    def mixed(path: Path) -> set[tuple[str, str, int]]:
        found = [f for f in inflint.check(path) if f["class"] == "Mixed"]
        return {(Path(f["path"]).name, f["code"], f["line"]) for f in found}

    assert ("mixin.py", "INF202", 3) in mixed(package)
    assert mixed(package / "mixed.py") == mixed(package)
    mixin = package / "mixin.py"
    mixin.write_text(mixin.read_text().rstrip("\n") + "  # noqa: INF202\n")
    assert ("mixin.py", "INF202", 3) not in mixed(package / "mixed.py")


def keyed(findings: list[dict[str, Any]]) -> set[str]:
    """Findings without their fix, which depends on the files that may be edited."""
    return {json.dumps({**f, "fix": None}, sort_keys=True) for f in findings}
