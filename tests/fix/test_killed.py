"""A process that is killed while it writes leaves each file old or new."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from tests.fix.test_bytes import AFTER, BEFORE

if TYPE_CHECKING:
    from pathlib import Path

FILES = 1000


def test_kill_while_writing(tmp_path: Path) -> None:
    paths = [tmp_path / f"policy_{index}.py" for index in range(FILES)]
    rng = random.Random(0)
    command = [sys.executable, "-m", "inflint", "fix", "--write", str(tmp_path)]
    stopped_midway = 0
    for _ in range(2):
        for path in paths:
            path.write_text(BEFORE, encoding="utf-8")
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while paths[0].read_text(encoding="utf-8") == BEFORE:
            assert process.poll() is None, "it ended without writing"
            time.sleep(0.005)
        time.sleep(rng.uniform(0.0, 0.3))
        process.send_signal(signal.SIGKILL)
        process.wait()
        states = [path.read_text(encoding="utf-8") for path in paths]
        assert set(states) <= {BEFORE, AFTER}
        stopped_midway += len(set(states)) == 2
    assert stopped_midway, "no run was stopped in the middle"
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0
    assert {path.read_text(encoding="utf-8") for path in paths} == {AFTER}
