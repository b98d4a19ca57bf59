"""What the shell offers: click's own completion, and the rules' codes and names."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from inflint.checks.pages import rules


def complete(words: str, shell: str = "bash") -> list[str]:
    """What bash is offered for the last of the words."""
    count = len(words.split(" ")) - 1
    result = subprocess.run(
        [sys.executable, "-c", "from inflint.cli import main; main(prog_name='inflint')"],
        capture_output=True,
        text=True,
        check=True,
        env={
            **os.environ,
            "_INFLINT_COMPLETE": f"{shell}_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": str(count),
        },
    )
    return result.stdout.splitlines()


def test_commands() -> None:
    assert complete("inflint che") == ["plain,check"]
    assert {"plain,check", "plain,fix", "plain,explain"} <= set(complete("inflint "))


def test_rules_for_explain() -> None:
    assert complete("inflint explain INF20") == [
        f"plain,{code}" for code in rules() if code.startswith("INF20")
    ]
    assert complete("inflint explain inf202") == ["plain,INF202"]
    assert complete("inflint explain listed") == ["plain,listed-but-used"]


@pytest.mark.parametrize("command", ["check", "fix"])
@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_rules_in_lists(command: str, option: str) -> None:
    offered = complete(f"inflint {command} {option} INF101,unlisted")
    assert offered == ["plain,INF101,unlisted-component"]


def test_formats() -> None:
    assert complete("inflint check --format js") == ["plain,json", "plain,jsonl"]
    assert complete("inflint check --output sa") == ["plain,sarif="]
    assert complete("inflint check --output sarif=o") == ["file,sarif=o"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts(shell: str, tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-c", "from inflint.cli import main; main(prog_name='inflint')"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "_INFLINT_COMPLETE": f"{shell}_source"},
    )
    assert f"_INFLINT_COMPLETE={shell}_complete" in result.stdout


def test_python_m_and_version() -> None:
    from importlib.metadata import version

    for command in (["-m", "inflint"], [str(Path(sys.executable).with_name("inflint"))]):
        line = [sys.executable, *command] if command[0] == "-m" else command
        result = subprocess.run([*line, "--version"], capture_output=True, text=True, check=True)
        assert result.stdout == f"inflint, version {version('inflint')}\n"
