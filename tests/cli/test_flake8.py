"""The plugin under a real flake8."""

from __future__ import annotations

import ast
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from inflint.flake8 import Plugin
from tests.report.projects import BODY, HEAD, TWICE, USED, WITHOUT_API

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("flake8")


def flake8(cwd: Path, *args: str, stdin: str | None = None) -> tuple[int, list[str]]:
    result = subprocess.run(
        [sys.executable, "-m", "flake8", "--isolated", "--format=%(path)s:%(row)d:%(col)d:%(code)s",
         *args],
        input=stdin, capture_output=True, text=True, cwd=cwd, check=False,
    )  # fmt: skip
    assert result.stderr == ""
    return result.returncode, sorted(result.stdout.splitlines())


def test_findings_beside_those_of_flake8(tmp_path: Path) -> None:
    (tmp_path / "actor.py").write_text(USED, encoding="utf-8")
    code, lines = flake8(tmp_path, "--extend-ignore", "E", "actor.py")
    assert code == 1
    assert lines == [
        "actor.py:16:17:INF203",
        "actor.py:16:22:INF202",
        "actor.py:2:1:F401",
    ]


def test_select_ignore_and_noqa(tmp_path: Path) -> None:
    (tmp_path / "actor.py").write_text(USED, encoding="utf-8")
    found = ["./actor.py:16:17:INF203", "./actor.py:16:22:INF202"]
    assert flake8(tmp_path, "--select", "INF") == (1, found)
    assert flake8(tmp_path, "--select", "INF202") == (1, found[1:])
    assert flake8(tmp_path, "--select", "INF", "--ignore", "INF2") == (0, [])
    lines = USED.splitlines()
    lines[15] += "  # noqa: INF203"
    (tmp_path / "actor.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert flake8(tmp_path, "--select", "INF") == (1, found[1:])


def test_bases_in_other_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "base.py").write_text(f"{HEAD}\nclass Base(TorchRLModule):{BODY}")
    own = (
        "from ray.rllib.core.rl_module.apis import InferenceOnlyAPI\n"
        "from base import Base\n\n\n"
        "class Own(Base, InferenceOnlyAPI):\n"
        "    def get_non_inference_attributes(self):\n"
        '        return ["pi", "vf"]\n'
    )
    (tmp_path / "own.py").write_text(own)
    assert flake8(tmp_path, "--select", "INF", "own.py") == (1, ["own.py:7:17:INF202"])


def test_standard_input(tmp_path: Path) -> None:
    (tmp_path / "saved.py").write_text("x = 1\n")
    args = ("--select", "INF", "--stdin-display-name", "saved.py", "-")
    assert flake8(tmp_path, *args, stdin=WITHOUT_API) == (1, ["saved.py:7:1:INF101"])
    (tmp_path / "saved.py").write_text(WITHOUT_API)
    assert flake8(tmp_path, *args, stdin="x = 1\n") == (0, [])


def test_encodings_and_files_that_cannot_be_parsed(tmp_path: Path) -> None:
    text = f"# coding: latin-1\n# é\n{WITHOUT_API}"
    (tmp_path / "latin.py").write_bytes(text.encode("latin-1"))
    (tmp_path / "bom.py").write_bytes(b"\xef\xbb\xbf" + WITHOUT_API.encode())
    (tmp_path / "broken.py").write_text("class M(TorchRLModule):\n    def f(self:\n")
    code, lines = flake8(tmp_path, "--select", "INF")
    assert (code, lines) == (1, ["./bom.py:7:1:INF101", "./latin.py:9:1:INF101"])
    broken = flake8(tmp_path, "--select", "INF,E9", "broken.py")[1]
    assert [line.rpartition(":")[2] for line in broken] == ["E999"]


def test_two_classes_of_one_name(tmp_path: Path) -> None:
    (tmp_path / "twice.py").write_text(TWICE)
    found = ["./twice.py:16:1:INF101", "./twice.py:7:1:INF101"]
    assert flake8(tmp_path, "--select", "INF") == (1, found)


def test_what_the_plugin_yields(tmp_path: Path) -> None:
    lines = WITHOUT_API.splitlines(keepends=True)
    plugin = Plugin(ast.parse(WITHOUT_API), str(tmp_path / "m.py"), lines)
    ((line, column, text, origin),) = plugin.run()
    assert (line, column, origin) == (7, 0, Plugin)
    assert text.startswith("INF101 Critic: EnvRunners carry vf")


def test_a_file_without_modules_costs_no_parsing(tmp_path: Path) -> None:
    code = (
        "import ast, sys\n"
        "from inflint.flake8 import Plugin\n"
        "text = 'from enum import Enum\\nclass A(Enum):\\n    X = 1\\n'\n"
        "assert list(Plugin(ast.parse(text), 'a.py', text.splitlines(True)).run()) == []\n"
        "print(sorted({'libcst', 'inflint.model.universe'} & set(sys.modules)))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert result.stdout == "[]\n"
