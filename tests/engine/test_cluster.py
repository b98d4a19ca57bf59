"""The same result from a real local Ray, one of whose workers is killed meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from typing import TYPE_CHECKING

import pytest

from inflint.engine import cluster
from inflint.engine.checking import Settings, check_cached
from inflint.engine.run import Request
from tests.engine import projects
from tests.engine.projects import write
from tests.engine.test_cache import COLD, seen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.ray


@pytest.fixture(scope="module")
def ray() -> Iterator[object]:
    import ray

    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False)
    yield ray
    ray.shutdown()


@pytest.fixture
def top(tmp_path: Path) -> Path:
    files = {f"m{n}.py": projects.module(f"M{n}") for n in range(9)}
    for n in range(9):
        files[f"d{n}.py"] = projects.DERIVED.replace("base", f"m{n}").replace("Base", f"M{n}")
    bad = f"{projects.HEAD}\nclass Bad(TorchRLModule):\n    def f(:\n"
    write(tmp_path, {**files, "bad.py": bad, "pyproject.toml": ""})
    return tmp_path


def test_the_same_result(ray: object, top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "BATCH", 3)
    request = Request((top,))
    expected = seen(check_cached(request, COLD))
    assert seen(check_cached(request, Settings(cache=False, ray=True))) == expected
    assert len([f for f in expected if getattr(f, "code", "") == "INF101"]) >= 9


def test_a_worker_is_killed(ray: object, top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "BATCH", 1)
    request = Request((top,))
    expected = seen(check_cached(request, COLD))
    killed: list[int] = []

    def kill() -> None:
        deadline = time.monotonic() + 20
        while not killed and time.monotonic() < deadline:
            names = subprocess.run(
                ["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True
            ).stdout.splitlines()
            for line in names:
                if "ray::_look" in line:
                    killed.append(int(line.split()[0]))
                    os.kill(killed[0], signal.SIGKILL)
                    break

    thread = threading.Thread(target=kill)
    thread.start()
    found = seen(check_cached(request, Settings(cache=False, ray=True)))
    thread.join()
    assert killed
    assert found == expected
