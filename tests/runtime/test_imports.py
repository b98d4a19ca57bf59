"""What is imported, and by what: the checker from source stays light."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import inflint

PACKAGE = Path(inflint.__file__).parent
HEAVY = ("torch", "ray", "gymnasium", "numpy", "rich")


def _imported(code: str, cwd: Path) -> set[str]:
    script = f"import sys\n{code}\nprint('\\n'.join(sys.modules))"
    command = [sys.executable, "-c", script]
    environment = {"PYTHONPATH": str(PACKAGE.parent), "PATH": "", "HOME": str(cwd)}
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=cwd, env=environment, timeout=120
    )
    return {line.split(".")[0] for line in done.stdout.splitlines()}


@pytest.mark.parametrize(
    "command",
    [
        "import inflint.cli",
        "import inflint.runtime, inflint.testing, inflint.cli.verify",
        "from inflint.runtime.settings import load_settings",
        "run(['check', 'module.py'])",
        "run(['check', 'module.py', '--format', 'json'])",
        "run(['inspect', 'module.py'])",
        "run(['verify', '--help'])",
        "run(['--help'])",
    ],
)
def test_neither_torch_nor_ray_is_imported(command: str, tmp_path: Path) -> None:
    source = """
        from ray.rllib.core.rl_module.torch import TorchRLModule
        from torch import nn


        class Policy(TorchRLModule):
            def setup(self):
                self.pi = nn.Linear(4, 2)
                self.vf = nn.Linear(4, 1)

            def _forward(self, batch, **kwargs):
                return {"action_dist_inputs": self.pi(batch["obs"])}
    """
    lines = (line[8:] for line in source.splitlines())
    (tmp_path / "module.py").write_text("\n".join(lines), encoding="utf-8")
    prelude = (
        "from contextlib import redirect_stdout\n"
        "from io import BytesIO, TextIOWrapper\n"
        "def run(args):\n"
        "    from inflint.cli import main\n"
        "    with redirect_stdout(TextIOWrapper(BytesIO())):\n"
        "        try:\n"
        "            main(args)\n"
        "        except SystemExit as end:\n"
        "            assert end.code in (0, 1), end.code\n"
    )
    imported = _imported(prelude + command, tmp_path)
    assert "inflint" in imported
    assert not imported.intersection(HEAVY)


def test_only_the_runtime_knows_the_runtime() -> None:
    allowed = {"cli/verify.py", "testing.py", "report/verify_text.py", "report/verify_json.py"}
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith("runtime/") and name not in allowed:
            assert "inflint.runtime" not in path.read_text(encoding="utf-8"), name


def test_only_one_package_imports_ray() -> None:
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith("runtime/rllib/") and name != "engine/cluster.py":
            text = path.read_text(encoding="utf-8")
            assert "import ray" not in text, name
            assert "from ray" not in text, name


def test_plain_modules_need_no_ray(tmp_path: Path) -> None:
    code = (
        "import torch\n"
        "from torch import nn\n"
        "from inflint.runtime import InferenceOnlyAPI\n"
        "from inflint.testing import assert_inference_only\n"
        "class M(nn.Module, InferenceOnlyAPI):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.pi, self.vf = nn.Linear(4, 2), nn.Linear(4, 1)\n"
        "    def forward(self, x):\n"
        "        return self.pi(x)\n"
        "    def get_non_inference_attributes(self):\n"
        "        return ['vf']\n"
        "assert_inference_only((M(), torch.ones(1, 4)))\n"
    )
    imported = _imported(code, tmp_path)
    assert "torch" in imported
    assert not imported.intersection({"ray", "gymnasium"})
