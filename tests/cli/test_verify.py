"""``inflint verify`` as its users call it, and `assert_inference_only` in their suites."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from inflint.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.ray

MODULES = """
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
import gymnasium as gym
import torch
from torch import nn


class Right(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        self.pi = nn.Linear(self.observation_space.shape[0], 2)
        self.vf = nn.Linear(self.observation_space.shape[0], self.model_config.get("width", 1))

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}

    def get_non_inference_attributes(self):
        return ["vf"]


class Wrong(Right):
    def get_non_inference_attributes(self):
        return ["vf", "pi"]


class Broken(Right):
    def setup(self):
        super().setup()
        self.size = 1 / 0


def config():
    spec = RLModuleSpec(module_class=Right)
    return PPOConfig().environment("CartPole-v1").rl_module(rl_module_spec=spec)


def multi():
    spec = RLModuleSpec(
        module_class=Right,
        observation_space=gym.spaces.Box(-1.0, 1.0, (4,)),
        action_space=gym.spaces.Discrete(2),
    )
    return MultiRLModuleSpec(rl_module_specs={"a": spec, "b": spec})


def plain():
    return nn.Linear(4, 2), torch.ones(1, 4)
"""

PI, VF = 4 * (4 * 2 + 2), 4 * (4 + 1)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "user_policies.py").write_text(MODULES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    path = list(sys.path)
    yield tmp_path
    sys.path[:] = path
    sys.modules.pop("user_policies", None)


def _run(*args: str) -> Result:
    result = CliRunner().invoke(main, ["verify", *args])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def _modules(*args: str) -> Any:
    return json.loads(_run(*args, "--format", "json").stdout)["modules"]


@pytest.mark.usefixtures("project")
def test_proven() -> None:
    result = _run("user_policies.py:Right", "--env", "CartPole-v1", "--num-env-runners", "4")
    assert result.exit_code == 0
    assert "vf" in result.stdout
    assert f"{PI:,} of {PI + VF:,} bytes" in result.stdout
    assert f"{VF} bytes of memory per EnvRunner, {4 * VF} bytes per weight sync" in result.stdout
    assert "1 of 1 module proven." in result.stdout


@pytest.mark.usefixtures("project")
def test_refuted_with_path_exception_and_line() -> None:
    result = _run("user_policies:Wrong", "--env", "CartPole-v1")
    line = MODULES.splitlines().index(
        "        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}"
    )
    assert result.exit_code == 1
    assert "error INF202 listed-but-used pi" in result.stdout
    assert "AttributeError: 'Wrong' object has no attribute 'pi'" in result.stdout
    assert f"user_policies.py:{line + 1} in _forward" in result.stdout


@pytest.mark.usefixtures("project")
def test_not_run_with_exception_and_line() -> None:
    result = _run("user_policies.py:Broken", "--env", "CartPole-v1")
    line = MODULES.splitlines().index("        self.size = 1 / 0")
    assert result.exit_code == 2
    assert "ZeroDivisionError: division by zero" in result.stderr
    assert f"user_policies.py:{line + 1} in setup" in result.stderr


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    "args",
    [
        ("user_policies.py:Right",),
        ("user_policies.py:Nobody", "--env", "CartPole-v1"),
        ("user_policies.py:Right", "--env", "NoSuchEnv-v0"),
        ("user_policies.py:Right", "--observation-space", "Bix(4)"),
        ("user_policies.py:Right", "--env", "CartPole-v1", "--model-config", "[1]"),
        ("user_policies.py:Right", "--env", "CartPole-v1", "--num-env-runners", "0"),
        (),
    ],
)
def test_what_can_not_be_run_is_exit_code_2(args: tuple[str, ...]) -> None:
    result = _run(*args)
    assert result.exit_code == 2
    assert result.stderr


@pytest.mark.usefixtures("project")
def test_other_targets_are_run_before_the_exit_code() -> None:
    result = _run("user_policies.py:Broken", "user_policies.py:Right", "--env", "CartPole-v1")
    assert result.exit_code == 2
    assert "1 of 1 module proven." in result.stdout


@pytest.mark.usefixtures("project")
def test_spaces_model_config_and_json() -> None:
    spaces = ("--observation-space", "Box(-1, 1, (6,))", "--action-space", "Discrete(2)")
    [report] = _modules("user_policies:Right", *spaces, "--model-config", '{"width": 5}')
    assert report["proven"] is True
    [listed] = report["listed"]
    assert listed["size"] == 4 * (6 * 5 + 5)
    assert report["savings"]["sent"] == 4 * (6 * 2 + 2)
    assert report["savings"]["per_sync"] == 4 * (6 * 5 + 5)
    assert report["keys"] == ["pi.weight", "pi.bias"]


@pytest.mark.usefixtures("project")
def test_functions_that_return_a_config_a_multi_spec_or_a_module() -> None:
    names = [
        report["name"]
        for target in ("config", "multi", "plain")
        for report in _modules(f"user_policies:{target}")
    ]
    assert names == [
        "user_policies:config",
        "user_policies:multi[a]",
        "user_policies:multi[b]",
        "user_policies:plain",
    ]


def test_no_arguments_are_needed_with_the_table(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "pyproject.toml").write_text(
        '[tool.inflint.verify]\nenv = "CartPole-v1"\nnum-env-runners = 2\n'
        'targets = ["user_policies.py:Right", "user_policies.py:config"]\n',
        encoding="utf-8",
    )
    (project / "inner").mkdir()
    monkeypatch.chdir(project / "inner")
    result = _run()
    assert result.exit_code == 0
    assert "2 of 2 modules proven." in result.stdout
    assert "to 2 EnvRunners" in result.stdout


def test_an_unknown_key_of_the_table_is_told(project: Path) -> None:
    (project / "pyproject.toml").write_text(
        '[tool.inflint.verify]\nenviron = "CartPole-v1"\n', encoding="utf-8"
    )
    result = _run("user_policies.py:Right")
    assert result.exit_code == 2
    assert "no key 'environ'" in result.stderr


def test_another_file_of_the_same_name_is_refused(project: Path) -> None:
    assert _run("user_policies.py:Right", "--env", "CartPole-v1").exit_code == 0
    other = project / "other" / "user_policies.py"
    other.parent.mkdir()
    other.write_text(MODULES, encoding="utf-8")
    result = _run(f"{other}:Right", "--env", "CartPole-v1")
    assert result.exit_code == 2
    assert str(other) in result.stderr
    assert str(project / "user_policies.py") in result.stderr


@pytest.mark.usefixtures("project")
def test_in_a_users_suite() -> None:
    from inflint.testing import assert_inference_only

    [report] = assert_inference_only("user_policies:Right", env="CartPole-v1")
    assert report.proven
    with pytest.raises(AssertionError) as caught:
        assert_inference_only("user_policies:Wrong", env="CartPole-v1")
    message = str(caught.value)
    assert message.startswith("not inference-only:\nuser_policies:Wrong")
    assert "error INF202 listed-but-used pi" in message
    assert "refuted: listed-but-used" in message
    assert "\x1b" not in message
