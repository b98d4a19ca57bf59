"""The pitfalls of RLlib's API that have a fix: the fixed code runs under RLlib in both modes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inflint.engine.run import Request, check
from tests.fix.harness import CODES
from tests.fix.test_under_ray import faults, write_fixes

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("ray.rllib")
pytestmark = [pytest.mark.ray]

SOURCE = """\
{first}import abc

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.learner.utils import make_target_network
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn

NAMES = ["vf"]


class Policy({bases}):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 1)
        self.scale = 2.0
        self.shared = self.model_config.get("shared", False)
        self.log_std = nn.Parameter(torch.zeros(3))

    def make_target_networks(self):
        self.old_pi = make_target_network(self.pi)

    def _forward(self, batch, **kwargs):
        logits = self.pi(batch[Columns.OBS]) * self.scale * self.log_std.exp()
        return {{Columns.ACTION_DIST_INPUTS: logits}}

    def get_initial_state(self):
        return {{}} if self.scale else {{"h": torch.zeros(1)}}

    def _forward_train(self, batch, **kwargs):
        return {{**self._forward(batch), "vf": self.vf(batch[Columns.OBS])}}
"""
BOTH = "TorchRLModule, InferenceOnlyAPI"
DEF = "get_non_inference_attributes(self):"
TEMPLATE = """
    def {name}
        {body}
"""


def method(body: str, name: str = DEF) -> str:
    return TEMPLATE.format(name=name, body=body.replace("\n", "\n        "))


NO_METHOD = ""
#: The row of the pitfall table: bases, method, and whether the fix has to be asked for.
ROWS: dict[str, tuple[str, str, bool]] = {
    "a: no base": ("TorchRLModule", method('return ["vf", "old_pi"]'), False),
    "b: no method": (BOTH, NO_METHOD, False),
    "c: wrong name": (
        BOTH,
        method('return ["vf", "old_pi"]', DEF.replace("non_inf", "non_only_inf")),
        False,
    ),
    "c: wrong name, no base": (
        "TorchRLModule",
        method('return ["vf", "old_pi"]', DEF.replace("attributes", "attribute")),
        False,
    ),
    "d: a string": (BOTH, method('return "vf"'), False),
    "d: in parentheses": (BOTH, method('return ("vf")'), False),
    "d': no return": (BOTH, method('names = ["vf"]\nnames.append("old_pi")'), False),
    "d': append": (BOTH, method('names = ["vf"]\nreturn names.append("old_pi")'), False),
    "d'': generator": (BOTH, method('yield "vf"\nyield "old_pi"'), False),
    "d''': property": (BOTH, "\n    @property" + method('return ["vf", "old_pi"]'), False),
    "d''': modules": (BOTH, method("return [self.vf]"), False),
    "d''': missing comma": (BOTH, method('return ["vf" "old_pi"]'), False),
    "e: listed and used": (BOTH, method('return ["vf", "pi", "old_pi"]'), False),
    "h: typo": (BOTH, method('return ["vff", "old_pi"]'), True),
    "h: self.": (BOTH, method('return ["self.vf", "old_pi"]'), True),
    "h: blank": (BOTH, method('return ["vf ", "old_pi"]'), True),
    "i: value head": (BOTH, method('return ["old_pi"]'), False),
    "i: no API": ("TorchRLModule", NO_METHOD, False),
    "j: target network": (BOTH, method('return ["vf"]'), False),
    "l: precedence": (
        BOTH,
        method('return ["vf"] + [] if self.shared else ["old_pi"]'),
        True,
    ),
    "m: a number": (BOTH, method('return ["vf", "old_pi", "scale"]'), False),
    "m: a parameter": (BOTH, method('return ["vf", "old_pi", "log_std"]'), False),
    "n: shared list": (BOTH, method('names = NAMES\nnames += ["old_pi"]\nreturn names'), False),
    "n: append": (BOTH, method('NAMES.append("old_pi")\nreturn NAMES'), False),
    "s: read by get_initial_state": (BOTH, method('return ["vf", "scale", "old_pi"]'), False),
    "t: before ABC": ("TorchRLModule, abc.ABC", NO_METHOD, False),
    "t: before object": ("TorchRLModule, object", NO_METHOD, False),
    "v: twice": (BOTH, method('return ["vf", "old_pi", "vf"]'), False),
    "w: child and parent": (BOTH, method('return ["vf.weight", "vf", "old_pi"]'), False),
}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What is wrong with each row's fixed code."""
    directory = tmp_path_factory.mktemp("rows")
    jobs = []
    for index, (row, (bases, text, unsafe)) in enumerate(ROWS.items()):
        module = directory / f"row_{index}" / f"fixed_{index}.py"
        module.parent.mkdir()
        source = SOURCE.format(first=f'"""{row}"""\n\n', bases=bases) + text
        module.write_text(source, encoding="utf-8")
        assert check(Request((module,))).findings, row
        write_fixes(module, unsafe=unsafe)
        left = check(Request((module,), codes=CODES)).findings
        assert left == (), row
        module.rename(directory / module.name)
        jobs.append({"id": row, "module": module.stem, "name": "Policy"})
    return faults(directory, jobs, tmp_path_factory.mktemp("jobs"))


@pytest.mark.parametrize("row", ROWS)
def test_fixed_code_works(results: dict[str, list[str]], row: str) -> None:
    assert results[row] == []


def test_a_shared_list_no_longer_grows(tmp_path: Path) -> None:
    path = tmp_path / "shared.py"
    text = method('NAMES.append("old_pi")\nreturn NAMES')
    path.write_text(SOURCE.format(first="", bases=BOTH) + text, encoding="utf-8")
    write_fixes(path)
    assert 'return [*NAMES, "old_pi"]' in path.read_text(encoding="utf-8")
