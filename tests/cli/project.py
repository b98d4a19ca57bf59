"""Modules with known findings, and the command line run on them in this process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner, Result

from inflint.cli import main

if TYPE_CHECKING:
    from pathlib import Path

IMPORTS = """\
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


"""
# Line 7 is the header of the class; vf is built on line 10 and listed on line 16.
LISTED = (
    IMPORTS
    + """\
class M(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        self.pi = nn.Linear(4, 2)
        self.vf = nn.Linear(4, 1)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}

    def get_non_inference_attributes(self):
        return ["vf"]
"""
)
USED = LISTED.replace('["vf"]', '["pi", "vf"]')
"""One INF202 on line 16, on pi."""
UNLISTED = LISTED.replace('["vf"]', "[]")
"""One INF201 on vf."""
PLAIN = LISTED.replace("(TorchRLModule, InferenceOnlyAPI)", "(TorchRLModule)").split(
    "\n    def get_non"
)[0]
"""One INF101 on line 7."""


def run(*args: object) -> Result:
    result = CliRunner().invoke(main, [str(a) for a in args])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def found(*args: object) -> list[dict[str, Any]]:
    """The findings of `inflint check`, as JSON has them."""
    result = run("check", "--format", "json", *args)
    assert result.exit_code in (0, 1), result.output
    findings: list[dict[str, Any]] = json.loads(result.stdout)["findings"]
    return findings


def codes(*args: object) -> list[str]:
    return [finding["code"] for finding in found(*args)]


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path
