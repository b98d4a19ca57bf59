"""``--watch``, with a real process and real changes."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inflint.engine.watch import matters, roots
from tests.report.projects import USED, WITHOUT_API

if TYPE_CHECKING:
    from collections.abc import Iterator

WAIT = 60
"""Seconds until a run must have come; it comes in one or two."""


class Watching:
    """A watching process; its lines arrive as it prints them."""

    def __init__(self, cwd: Path, *args: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "inflint", "check", "--watch", "--format", "concise", *args],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=cwd,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))

    def run(self) -> list[str]:
        """The lines of the next run."""
        lines = []
        while True:
            line = self._lines.get(timeout=WAIT)
            if line == "watching for changes; Ctrl-C ends":
                return lines
            lines.append(line)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'p'\n")
    (tmp_path / "actor.py").write_text(USED, encoding="utf-8")
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "base.py").write_text(WITHOUT_API)
    return tmp_path


@pytest.fixture
def watching(project: Path) -> Iterator[Watching]:
    pytest.importorskip("watchfiles")
    found = Watching(project, "actor.py")
    yield found
    found.process.kill()
    found.process.wait()


def test_checks_now_and_after_each_change(watching: Watching, project: Path) -> None:
    first = watching.run()
    assert [line.split(" ")[2] for line in first] == ["INF203", "INF202"]
    (project / "actor.py").write_text(USED.replace('"pi", ', ""), encoding="utf-8")
    changed, *second = watching.run()
    assert changed == "changed: actor.py"
    assert [line.split(" ")[2] for line in second] == ["INF203"]
    (project / "notes.html").write_text("no matter")
    replaced = project / "actor.py.new"
    replaced.write_text("x = 1\n")
    replaced.replace(project / "actor.py")  # as editors save
    assert watching.run() == ["changed: actor.py"]


def test_a_base_elsewhere_in_the_project_counts(watching: Watching, project: Path) -> None:
    watching.run()
    (project / "actor.py").write_text(
        "from ray.rllib.core.rl_module.apis import InferenceOnlyAPI\n"
        "from lib.base import Critic\n\n\n"
        "class Own(Critic, InferenceOnlyAPI):\n"
        "    def get_non_inference_attributes(self):\n"
        '        return ["vf"]\n'
    )
    assert watching.run() == ["changed: actor.py"]
    base = project / "lib" / "base.py"
    base.write_text(WITHOUT_API.replace("batch[Columns.OBS]", "self.vf(batch[Columns.OBS])"))
    changed, finding = watching.run()
    assert changed == "changed: lib/base.py"
    assert finding.startswith("actor.py:7:17: error INF202")


def test_ctrl_c_ends_it(watching: Watching) -> None:
    watching.run()
    watching.process.send_signal(signal.SIGINT)
    assert watching.process.wait(WAIT) == 130


def test_without_watchfiles(project: Path) -> None:
    code = (
        "import sys\nsys.modules['watchfiles'] = None\n"
        "import inflint.cli\ninflint.cli.main(['check', '--watch'])\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=project
    )
    assert result.returncode == 2
    assert result.stderr == "inflint: --watch needs watchfiles: pip install 'inflint[watch]'\n"


def test_roots(project: Path) -> None:
    inner = project / "src" / "pkg"
    inner.mkdir(parents=True)
    (inner / "a.py").write_text("")
    assert roots([inner, inner / "a.py", project]) == [project]
    other = project.parent / f"{project.name}-other"
    other.mkdir()
    assert roots([other, project / "actor.py"]) == sorted([other, project])


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.py", True),
        ("deep/b.ipynb", True),
        ("pyproject.toml", True),
        (".gitignore", True),
        ("requirements-dev.txt", True),
        ("report.txt", False),
        ("report.json", False),
        ("report.sarif", False),
        (".venv/lib/x.py", False),
        ("a/__pycache__/x.py", False),
    ],
)
def test_what_matters(path: str, expected: bool) -> None:
    top = Path("/srv/dist")  # its own name is no reason to leave it out
    assert matters(top / path, [top]) is expected
    assert not matters(top / path, [top], {top / path})
