"""The GitHub Action's shell steps, as a runner executes them, and both files' shapes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.report.projects import USED

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., tuple[int, str, dict[str, str]]]

yaml = pytest.importorskip("yaml")

GITHUB = Path(__file__).parents[1] / ".github"
ACTION = yaml.safe_load((GITHUB / "actions" / "inflint" / "action.yml").read_text("utf-8"))
STEPS: dict[str, dict[str, Any]] = {step["name"]: step for step in ACTION["runs"]["steps"]}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs one step with values for its environment: exit code, output and step outputs."""
    (tmp_path / "temp").mkdir()

    def execute(name: str, **env: str) -> tuple[int, str, dict[str, str]]:
        step = STEPS[name]
        assert step["shell"] == "bash"
        assert set(step["env"]) == set(env)
        outputs = tmp_path / "outputs"
        outputs.write_text("")
        result = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
            cwd=tmp_path,
            env={
                **os.environ,
                **env,
                "RUNNER_TEMP": str(tmp_path / "temp"),
                "GITHUB_OUTPUT": str(outputs),
                "INFLINT_BIN": str(Path(sys.executable).parent),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        pairs = (line.partition("=") for line in outputs.read_text().splitlines())
        return result.returncode, result.stdout, {key: value for key, _, value in pairs}

    return execute


def test_check_annotates_and_writes_sarif(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a b.py").write_text(USED, encoding="utf-8")
    (tmp_path / "c.py").write_text("x = 1\n")
    code, output, outputs = run("Check", INFLINT_PATHS="a b.py\nc.py\n", INFLINT_ARGS="")
    assert code == 0
    assert [line.split(" ")[0] for line in output.splitlines()] == ["::warning", "::error"]
    assert outputs["exit-code"] == "1"
    assert '"ruleId": "INF202"' in Path(outputs["sarif-file"]).read_text(encoding="utf-8")


def test_check_hands_arguments_on_and_evaluates_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "actor.py").write_text(USED, encoding="utf-8")
    _, output, outputs = run("Check", INFLINT_PATHS=".", INFLINT_ARGS="--select INF203")
    assert [line.split(" ")[0] for line in output.splitlines()] == ["::warning"]
    _, _, outputs = run("Check", INFLINT_PATHS="$(touch gone)", INFLINT_ARGS="`touch gone`")
    assert outputs["exit-code"] == "2"
    assert not (tmp_path / "gone").exists()


@pytest.mark.parametrize(
    ("code", "fail", "expected"),
    [("0", "true", 0), ("1", "true", 1), ("1", "false", 0), ("2", "true", 2), ("2", "false", 2)],
)
def test_result(run: Run, code: str, fail: str, expected: int) -> None:
    assert run("Result", CODE=code, FAIL=fail)[0] == expected


def test_install_takes_the_action_own_release(tmp_path: Path) -> None:
    """The path from the action to the project is right; a pip that only prints is called."""
    fake = tmp_path / "python3"
    fake.write_text(
        "#!/bin/sh\n"
        'mkdir -p "$3/bin"; printf \'#!/bin/sh\\necho "$@" >> %s\\n\' "$LOG" > "$3/bin/python"\n'
        'chmod +x "$3/bin/python"\n'
    )
    fake.chmod(0o755)
    log = tmp_path / "log"
    for version in ("", "0.1.0"):
        subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", STEPS["Install inflint"]["run"]],
            env={
                "PATH": f"{tmp_path}:{os.environ['PATH']}",
                "LOG": str(log),
                "RUNNER_TEMP": str(tmp_path),
                "GITHUB_ENV": str(tmp_path / "env"),
                "GITHUB_ACTION_PATH": str(GITHUB / "actions" / "inflint"),
                "INFLINT_VERSION": version,
            },
            check=True,
        )
    own, released = (line.split()[-1] for line in log.read_text().splitlines())
    assert (Path(own) / "pyproject.toml").samefile(GITHUB.parent / "pyproject.toml")
    assert released == "inflint==0.1.0"
    assert f"INFLINT_BIN={tmp_path}/inflint/bin" in (tmp_path / "env").read_text()


def test_workflow_runs_what_ci_runs() -> None:
    workflow = yaml.safe_load((GITHUB / "workflows" / "ci.yml").read_text("utf-8"))
    steps = workflow["jobs"]["test"]["steps"]
    assert [step["run"] for step in steps if "run" in step] == [".ci/run"]
    assert os.access(GITHUB.parent / ".ci" / "run", os.X_OK)


def test_hooks() -> None:
    hooks = yaml.safe_load((GITHUB.parent / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert [(hook["id"], hook["entry"]) for hook in hooks] == [
        ("inflint", "inflint check --force-exclude"),
        ("inflint-fix", "inflint fix --write --force-exclude"),
    ]
    for hook in hooks:
        assert hook["require_serial"] is True
        assert hook["types_or"] == ["python", "jupyter"]
