"""What a run needs not, it does not import; and what it reads, it does not keep."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.engine import projects
from tests.engine.projects import write

START = "    def setup(self):\n"
HEAVY = ("libcst", "torch", "ray", "rich", "numpy", "packaging", "tomllib", "pathspec", "json")
PROBE = """
import sys
from inflint.cli import main
try:
    main()
except SystemExit as end:
    code = end.code
print(code, *sorted({m.partition(".")[0] for m in sys.modules}), file=sys.stderr)
"""


def modules(*arguments: str) -> tuple[str, set[str]]:
    """The exit code and the top-level modules of a run."""
    command = [sys.executable, "-c", PROBE, "check", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    code, *names = done.stderr.split()
    return code, set(names)


def test_nothing_heavy_for_files_without_modules(tmp_path: Path) -> None:
    text = "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    pass\n"
    write(tmp_path, {"a.py": projects.PLAIN, "b.py": text})
    for options in ([], ["--no-cache"], ["--jobs", "2"]):
        code, found = modules(str(tmp_path), *options)
        assert code == "0"
        assert not found & set(HEAVY)


def test_no_libcst_where_nothing_has_changed(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "", "m.py": projects.module("M")})
    assert modules(str(tmp_path))[0] == "1"
    code, found = modules(str(tmp_path))
    assert code == "1"
    assert not found & {"libcst", "torch", "ray", "rich", "multiprocessing"}


AGAIN = """
import sys
from inflint.start import main
sys.argv = ["inflint", *sys.argv[1:]]
try:
    main()
except SystemExit:
    print(*sys.modules, file=sys.stderr)
"""


@pytest.mark.skipif(os.name != "posix", reason="nothing is said again elsewhere")
def test_next_to_nothing_for_the_same_command_again(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "", "m.py": projects.module("M")})
    command = [sys.executable, "-c", AGAIN, "check", str(tmp_path), "--exit-zero"]
    for _ in range(20):
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        if "click" not in done.stderr.split():
            break
        time.sleep(0.5)  # what has changed a moment ago may change again unseen
    found = done.stderr.split()
    assert "1 finding" in done.stdout
    assert not {"click", "pathlib", "typing", "dataclasses", "json", "inflint.cli"} & set(found)


def test_neither_torch_nor_ray_ever(tmp_path: Path) -> None:
    write(tmp_path, {"m.py": projects.module("M")})
    code, found = modules(str(tmp_path), "--no-cache")
    assert code == "1"
    assert not found & {"libcst", "torch", "ray", "rich"}


def test_libcst_for_what_the_parser_does_not_tell(tmp_path: Path) -> None:
    shown = projects.module("M").replace(START, START + '        print(f"{self=}")\n', 1)
    write(tmp_path, {"m.py": projects.module("M"), "n.py": shown})
    assert shown != projects.module("M")
    _, found = modules(str(tmp_path), "--no-cache")
    assert "libcst" in found


# Not ru_maxrss: that begins with what the parent had when it started the process.
PEAK = """
from pathlib import Path
from inflint.cli import main
try:
    main()
except SystemExit:
    pass
status = Path("/proc/self/status").read_text()
print("peak", status.partition("VmHWM:")[2].split()[0])
"""


@pytest.mark.ray
@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
def test_peak_memory_on_ray() -> None:
    """28 MB of source, of which next to nothing is kept."""
    spec = importlib.util.find_spec("ray")
    assert spec is not None
    assert spec.origin is not None
    top = str(Path(spec.origin).parent)
    # One release: this checkout asks for a range, of which both ends would be checked.
    release = importlib.metadata.version("ray")
    options = ["--no-cache", "--jobs", "1", "--target-ray", release]
    command = [sys.executable, "-c", PEAK, "check", top, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout.split()[-1]) < 80 * 1024
