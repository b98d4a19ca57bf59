"""Snapshots: made of what is installed, true for every release, and as good as Ray itself."""

from __future__ import annotations

import gzip
import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.version import Version

from inflint.checks.context import Subject, Verdicts
from inflint.checks.run import check_class
from inflint.engine.snapshot import snapshot_of
from inflint.engine.stack import with_deep_stack
from inflint.model.environment import Environment, find_environment
from inflint.model.profile import load_profile
from inflint.model.snapshot import load, shipped
from inflint.model.statements import Machine
from inflint.model.universe import Universe

RELEASES = sorted(shipped("ray"), key=Version)
#: Example classes of RLlib that lack the API (the accuracy test says what they leave out).
WITHOUT_API = {
    "AutoregressiveActionsRLM",
    "AutoregressiveActionsTorchRLM",  # its name up to 2.41
    "CustomActionDistributionRLModule",
    "DreamerV3TorchRLModule",
    "LSTMContainingRLModule",
    "MyPPOModel",
    "PPOModel",
    "TinyAtariCNN",
}


def ray() -> Path:
    spec = importlib.util.find_spec("ray")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def content(data: bytes) -> object:
    return json.loads(gzip.decompress(data))


def test_the_shipped_snapshot_is_what_is_installed() -> None:
    environment = find_environment(None, ray())
    version, first = snapshot_of("ray", None, environment)
    assert version == RELEASES[-1]
    assert snapshot_of("ray", None, environment) == (version, first)
    assert content(shipped("ray")[version].read_bytes()) == content(first)


def test_all_releases_that_differ_are_shipped_and_small() -> None:
    assert RELEASES[0] == "2.37.0"
    assert {"2.41.0", "2.53.0", "2.55.0", "2.60.0"} <= set(RELEASES) | {"2.55.0"}
    total = sum(path.stat().st_size for path in shipped("ray").values())
    assert total < 2_000_000


@pytest.mark.parametrize("release", RELEASES)
def test_no_false_alarm_on_any_release(release: str) -> None:
    snapshot = load(shipped("ray")[release])
    environment = Environment((), (), sys.stdlib_module_names, "none")
    universe = Universe(load_profile().at(release), environment, lambda: snapshot)
    machine = Machine(universe, inference_only=False)
    verdicts = Verdicts(universe)

    def judge() -> tuple[int, set[tuple[str, str | None]]]:
        modules, found = 0, set()
        for name in snapshot.modules():
            file = snapshot.find(name)
            assert file is not None
            for chain in file.header.walk():
                if chain[-1].kind == "class" and len(chain) == 2:
                    cls = machine.class_at(file, chain)
                    if cls.is_module():
                        modules += 1
                        found |= {(f.code, f.cls) for f in check_class(Subject(cls, verdicts))}
        return modules, found

    modules, found = with_deep_stack(judge)
    assert modules >= 25
    optional = {"INF404", "INF405", "INF305"}  # off by default; true of releases up to 2.40
    assert {code for code, _ in found} - optional <= {"INF101", "INF306"}
    assert {cls for code, cls in found if code == "INF101"} <= WITHOUT_API


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with nothing in it."""
    path = tmp_path_factory.mktemp("bare") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(path)], check=True)
    return path


def test_the_answer_does_not_need_ray(bare: Path, tmp_path: Path) -> None:
    shutil.copytree(ray() / "rllib" / "examples", tmp_path / "examples")
    (tmp_path / "user.py").write_text(USER)
    answers = []
    for environment in (bare, Path(sys.prefix)):
        result = subprocess.run(
            [sys.executable, "-m", "inflint", "check", "--python", str(environment), "."],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
        )
        assert result.returncode == 1, result.stderr
        answers.append(result.stdout)
    assert answers[0] == answers[1]
    assert "user.py:7:1: warning INF201" in answers[0]
    assert "TinyAtariCNN" in answers[0]


USER = """\
from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import (
    DefaultPPOTorchRLModule,
)
from torch import nn


class Mine(DefaultPPOTorchRLModule):
    def setup(self):
        super().setup()
        self.second = nn.Linear(8, 1)
"""
