"""Several processes: the same result, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from inflint.engine.reading import read_all
from inflint.engine.workers import Death, processes, spread
from inflint.sources.disk import Disk
from tests.engine import projects
from tests.engine.projects import write

if TYPE_CHECKING:
    from pathlib import Path

if not hasattr(os, "fork") or sys.platform == "darwin":
    pytest.skip("no fork", allow_module_level=True)


def test_all_tasks_are_done_whatever_the_count() -> None:
    for count, ahead in ((1, 0), (2, 0), (3, 0), (7, 0), (1, 4), (3, 4), (7, 40)):
        results = dict(spread(lambda tasks: (n * n for n in tasks), list(range(20)), count, ahead))
        assert results == {n: n * n for n in range(20)}


@pytest.mark.parametrize("ahead", [0, 3])
def test_a_death_costs_one_task(ahead: int) -> None:
    def serve(tasks):  # type: ignore[no-untyped-def]
        for task in tasks:
            if task == 3:
                os.kill(os.getpid(), signal.SIGKILL)
            yield task
        yield "over"

    found = list(spread(serve, list(range(10)), 2, ahead))
    results = {number: result for number, result in found if number is not None}
    assert results.pop(3) == Death(-9)
    assert results == {n: n for n in range(10) if n != 3}
    assert {r for n, r in found if n is None} == {"over"}


def test_how_many_pay() -> None:
    assert processes(3, 100, 8) == 3
    assert processes(3, 2, 8) == 2
    assert processes(None, 7, 8) == 1
    assert 1 <= processes(None, 10_000, 8) <= 8


@pytest.fixture
def top(tmp_path: Path) -> Path:
    files = {f"m{n}.py": projects.module(f"M{n}") for n in range(9)}
    files |= {
        f"d{n}.py": f"from m{n} import M{n}\n\n\nclass D{n}(M{n}):\n    pass\n" for n in range(9)
    }
    files |= {
        "bad.py": f"{projects.HEAD}\nclass Bad(TorchRLModule):\n    def f(:\n",
        "pyproject.toml": "",
    }
    write(tmp_path, files)
    return tmp_path


def run(top: Path, *options: str, code: str = "") -> subprocess.CompletedProcess[str]:
    main = f"{code}\nfrom inflint.cli import main\nmain()"
    command = [sys.executable, "-c", main, "check", str(top), "--no-cache", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_reading_is_shared_out(tmp_path: Path) -> None:
    """The same summaries and faults, in the same order, and one that dies is made up for."""
    text = "from m{0} import A as B\n\nclass C{0}(B): pass\nm{0} = f(C7 = B)"
    files = {f"n{n}.py": text.format(n).replace("C7 =", f"C{n} =") for n in range(200)}
    write(tmp_path, files)
    names = [str(tmp_path / name) for name in files]
    names[100] = str(tmp_path / "missing.py")
    marks = (b"C7",)
    found, stamps = [], []
    for disk, jobs in ((Disk(recording=True), 1), (Disk(recording=True), 3), (Deadly(), 2)):
        found.append(list(read_all(names, marks, disk, jobs)))
        stamps.append({name: seen.digest for name, seen in disk.seen.items()})
    assert found[0] == found[1] == found[2]
    assert stamps[0] == stamps[1] == stamps[2]
    assert [n for n, read in enumerate(found[0]) if read.summary is None] == [100]
    assert [n for n, read in enumerate(found[0]) if read.summary and read.summary.marked] == [7]


class Deadly(Disk):
    """Kills every process but the one it was made in."""

    def __init__(self) -> None:
        super().__init__(recording=True)
        self._own = os.getpid()

    def read(self, path: str | Path) -> bytes:
        if os.getpid() != self._own and str(path).endswith("n70.py"):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().read(path)


@pytest.mark.parametrize("target", ["2.60.0", ">=2.40,<2.60"])
def test_byte_for_byte_the_same(top: Path, target: str) -> None:
    outputs = set()
    for jobs in ("1", "2", "3", "8", "auto"):
        done = run(top, "--jobs", jobs, "--format", "json", "--target-ray", target)
        assert done.returncode == 1, done.stderr
        outputs.add(done.stdout)
    assert len(outputs) == 1
    assert "INF900" in outputs.pop()


UNPLANNED = """
import inflint.engine.fixing as fixing
def plan(*given):
    raise ZeroDivisionError
fixing.plan = plan
"""


def test_edits_are_planned_for_what_is_reported(top: Path) -> None:
    """Not for findings of rules that nobody asked for: planning takes longer than finding."""
    for codes, fails in (("INF900", False), ("INF900,INF101", True)):
        done = run(top, "--jobs", "2", "--select", codes, code=UNPLANNED)
        assert ("ZeroDivisionError" in done.stderr) is fails
        assert "INF900" in done.stdout or fails


KILL = """
import os, signal
from inflint.engine.examine import Examiner
look = Examiner.examine
def examine(self, path):
    if path.name == "m4.py":
        {how}
    return look(self, path)
Examiner.examine = examine
"""


def test_a_dead_worker_is_an_error_that_names_its_file(top: Path) -> None:
    done = run(top, "--jobs", "2", code=KILL.format(how="os.kill(os.getpid(), signal.SIGKILL)"))
    assert done.returncode == 2
    assert "m4.py: not checked" in done.stderr
    assert "signal 9" in done.stderr
    assert "m5.py" in done.stdout
    assert "m4.py:" not in done.stdout


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_fault_of_inflint_names_its_file(top: Path, jobs: str) -> None:
    done = run(top, "--jobs", jobs, code=KILL.format(how="raise ZeroDivisionError"))
    assert done.returncode == 2
    assert "m4.py: not checked" in done.stderr
    assert "ZeroDivisionError" in done.stderr
    assert "m5.py" in done.stdout


def test_interrupted_runs_leave_no_process(top: Path) -> None:
    code = KILL.format(how="import time; time.sleep(60)")
    main = f"{code}\nfrom inflint.cli import main\nmain()"
    command = [sys.executable, "-c", main, "check", str(top), "--no-cache", "--jobs", "3"]
    process = subprocess.Popen(command, start_new_session=True, stderr=subprocess.DEVNULL)
    group = process.pid
    time.sleep(3)
    os.killpg(group, signal.SIGINT)  # as a terminal does
    assert process.wait(20) != 0
    with pytest.raises(ProcessLookupError):
        os.killpg(group, 0)


def test_workers_end_when_their_parent_is_killed(top: Path) -> None:
    code = KILL.format(how="import time; time.sleep(4)")
    main = f"{code}\nfrom inflint.cli import main\nmain()"
    command = [sys.executable, "-c", main, "check", str(top), "--no-cache", "--jobs", "3"]
    process = subprocess.Popen(command, start_new_session=True)
    time.sleep(2)
    process.kill()
    process.wait()
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.2)
    pytest.fail("a worker outlives its parent")
