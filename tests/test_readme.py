"""The README is true: its outputs are what inflint prints, its table is what `rules/` says."""

from __future__ import annotations

import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from inflint.checks.pages import rules
from inflint.cli import main
from inflint.report.formats import FORMATS

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
_BLOCK = re.compile(r"^<!-- (\w+): (.+?) -->\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)
BLOCKS = _BLOCK.findall(README)
FILES = {name: text for kind, name, text in BLOCKS if kind == "file"}
OUTPUTS = {command: text for kind, command, text in BLOCKS if kind == "output"}


def site_packages() -> Path:
    spec = importlib.util.find_spec("ray")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent.parent


@pytest.mark.parametrize("command", OUTPUTS)
def test_output(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    installed = "ray/" in command
    monkeypatch.chdir(site_packages() if installed else tmp_path)
    result = CliRunner().invoke(main, command.split())
    assert result.exit_code == 1, result.output
    shown = OUTPUTS[command]
    if installed:  # the README shows the first line of each finding
        heads = [line for line in result.stdout.splitlines() if re.match(r"\S+:\d+:\d+: ", line)]
        assert heads == shown.splitlines()
    else:
        assert result.stdout == shown


def test_configurations_are_those_of_the_hooks_and_the_action() -> None:
    yaml = pytest.importorskip("yaml")
    root = Path(__file__).parent.parent
    shown = {name: yaml.safe_load(text) for kind, name, text in BLOCKS if kind == "yaml"}
    hooks = yaml.safe_load((root / ".pre-commit-hooks.yaml").read_text("utf-8"))
    (repository,) = shown["pre-commit"]["repos"]
    assert {h["id"] for h in repository["hooks"]} == {h["id"] for h in hooks}
    step = shown["action"]["jobs"]["inflint"]["steps"][-1]
    place = step["uses"].partition("@")[0].split("/", 2)[2]
    action = yaml.safe_load((root / place / "action.yml").read_text("utf-8"))
    assert set(step["with"]) <= set(action["inputs"])


def test_formats_are_all_described() -> None:
    rows = re.search(r"^\| format \| for \|\n(.*?)^$", README, re.DOTALL | re.MULTILINE)
    assert rows is not None
    first = [row.split("|")[1] for row in rows[1].splitlines()[1:]]
    assert re.findall(r"`(\w+)`", " ".join(first)) == list(FORMATS)


@pytest.mark.skipif(shutil.which("bash") is None, reason="it is for bash")
def test_completion_line(tmp_path: Path) -> None:
    line = re.search(r"^<!-- completion -->\n```sh\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    assert line is not None
    code = "from inflint.cli import main; main(prog_name='inflint')"
    program = tmp_path / "inflint"
    program.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, "-c", code])} "$@"\n')
    program.chmod(0o755)
    script = f"PATH={shlex.quote(str(tmp_path))}:$PATH\n{line[1]}\ncomplete -p inflint"
    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert "inflint" in result.stdout, result.stderr


def test_rule_table() -> None:
    found = re.search(r"<!-- rules -->\n(.*?)<!-- /rules -->", README, re.DOTALL)
    assert found is not None
    rows = [
        f"| [{rule.code}]({rule.page}) | {rule.name} | {rule.severity} | {rule.summary} |"
        for rule in rules().values()
    ]
    head = ["| code | name | severity | what it reports |", "|---|---|---|---|"]
    assert found[1].splitlines() == [*head, *rows]


def test_each_command_is_described() -> None:
    assert isinstance(main, click.Group)
    names = main.list_commands(click.Context(main))
    assert names
    for name in names:
        assert f"`inflint {name}" in README
