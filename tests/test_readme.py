"""The README is true: its outputs are what inflint prints, its table is what `rules/` says."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from inflint.checks.pages import rules
from inflint.cli import main

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
    assert result.exit_code == 1
    shown = OUTPUTS[command]
    if installed:  # the README shows the first line of each finding
        heads = [line for line in result.stdout.splitlines() if re.match(r"\S+:\d+:\d+: ", line)]
        assert heads == shown.splitlines()
    else:
        assert result.stdout == shown


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
