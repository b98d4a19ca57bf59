"""The API's import: found, merged or written where it is right at run time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fix.harness import check_noop, check_transformed

if TYPE_CHECKING:
    from pathlib import Path

CLASS = """

class Policy(TorchRLModule{api}):
    def setup(self):
        self.pi = nn.Linear(4, 2)
        self.vf = nn.Linear(4, 1)
{method}
    def _forward(self, batch, **kwargs):
        return {{"action_dist_inputs": self.pi(batch["obs"])}}
"""
METHOD = '\n    def get_non_inference_attributes(self):\n        return ["vf"]\n'
APIS = "ray.rllib.core.rl_module.apis"
TORCH = "from ray.rllib.core.rl_module.torch import TorchRLModule\n"
NN = "from torch import nn\n"
REST = TORCH + NN
LONG = f"from {APIS} import SelfSupervisedLossAPI, TargetNetworkAPI\n"

CASES = {
    "merged, sorted": (
        f"from {APIS} import ValueFunctionAPI\n{REST}",
        f"from {APIS} import InferenceOnlyAPI, ValueFunctionAPI\n{REST}",
    ),
    "merged, not sorted": (
        f"from {APIS} import ValueFunctionAPI, QNetAPI\n{REST}",
        f"from {APIS} import ValueFunctionAPI, QNetAPI, InferenceOnlyAPI\n{REST}",
    ),
    "merged behind a constant": (
        f"from {APIS} import TARGET_NETWORK_ACTION_DIST_INPUTS\n{REST}",
        (
            f"from {APIS} import (\n    TARGET_NETWORK_ACTION_DIST_INPUTS,\n"
            "    InferenceOnlyAPI,\n)\n"
            f"{REST}"
        ),
    ),
    "merged with an alias": (
        f"from {APIS} import ValueFunctionAPI as V\n{REST}",
        f"from {APIS} import InferenceOnlyAPI, ValueFunctionAPI as V\n{REST}",
    ),
    "merged in parentheses": (
        f"from {APIS} import (QNetAPI, ValueFunctionAPI)\n{REST}",
        f"from {APIS} import (InferenceOnlyAPI, QNetAPI, ValueFunctionAPI)\n{REST}",
    ),
    "merged on lines": (
        f"from {APIS} import (\n    ValueFunctionAPI,  # values\n)\n{REST}",
        f"from {APIS} import (\n    InferenceOnlyAPI,\n    ValueFunctionAPI,  # values\n)\n{REST}",
    ),
    "merged last on lines": (
        f"from {APIS} import (\n    ValueFunctionAPI,\n    QNetAPI,  # q\n)\n{REST}",
        (
            f"from {APIS} import (\n    ValueFunctionAPI,\n    QNetAPI,  # q\n"
            f"    InferenceOnlyAPI,\n)\n{REST}"
        ),
    ),
    "merged last on lines without a comma": (
        f"from {APIS} import (\n    ValueFunctionAPI,\n    QNetAPI  # q\n)\n{REST}",
        (
            f"from {APIS} import (\n    ValueFunctionAPI,\n    QNetAPI,  # q\n"
            f"    InferenceOnlyAPI\n)\n{REST}"
        ),
    ),
    "merged over a continued line": (
        f"from {APIS} import ValueFunctionAPI, \\\n    QNetAPI\n{REST}",
        f"from {APIS} import ValueFunctionAPI, \\\n    QNetAPI, InferenceOnlyAPI\n{REST}",
    ),
    "merged before a semicolon": (
        f"from {APIS} import QNetAPI; import os\n{REST}",
        f"from {APIS} import InferenceOnlyAPI, QNetAPI; import os\n{REST}",
    ),
    "merged, too wide": (
        f"{LONG}{REST}",
        (
            f"from {APIS} import (\n    InferenceOnlyAPI,\n    SelfSupervisedLossAPI,\n"
            f"    TargetNetworkAPI,\n)\n{REST}"
        ),
    ),
    "new, between": (
        f"from ray.rllib.core.columns import Columns\n{REST}",
        (
            f"from ray.rllib.core.columns import Columns\nfrom {APIS} import InferenceOnlyAPI\n"
            f"{REST}"
        ),
    ),
    "new, first": (
        f"import os\n\n{REST}",
        f"import os\n\nfrom {APIS} import InferenceOnlyAPI\n{REST}",
    ),
    "new, behind plain imports": (
        f"import ray.rllib.core.rl_module.torch as rt\n{NN}\nTorchRLModule = rt.TorchRLModule\n",
        (
            "import ray.rllib.core.rl_module.torch as rt\n"
            f"from {APIS} import InferenceOnlyAPI\n{NN}\nTorchRLModule = rt.TorchRLModule\n"
        ),
    ),
    "docstring and __future__": (
        f'"""Doc."""\n\nfrom __future__ import annotations\n\n{REST}',
        (
            '"""Doc."""\n\nfrom __future__ import annotations\n\n'
            f"from {APIS} import InferenceOnlyAPI\n{REST}"
        ),
    ),
    "type checking": (
        (
            f"from typing import TYPE_CHECKING\n\n{REST}\nif TYPE_CHECKING:\n"
            f"    from {APIS} import InferenceOnlyAPI\n"
        ),
        (
            f"from typing import TYPE_CHECKING\n\nfrom {APIS} import InferenceOnlyAPI\n{REST}\n"
            f"if TYPE_CHECKING:\n    from {APIS} import InferenceOnlyAPI\n"
        ),
    ),
    "after all in a try that must succeed": (
        f"try:\n    {TORCH}    {NN}except ImportError:\n    raise\n",
        (
            f"try:\n    from {APIS} import InferenceOnlyAPI\n    {TORCH}    {NN}"
            "except ImportError:\n    raise\n"
        ),
    ),
    "sorted into a star's list": (
        f"from {APIS} import *\n{REST}",
        f"from {APIS} import *\n{REST}",
    ),
    "two statements on a line": (
        f"{TORCH.strip()}; {NN}",
        f"from {APIS} import InferenceOnlyAPI\n{TORCH.strip()}; {NN}",
    ),
}


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES)
def test_import(tmp_path: Path, before: str, after: str) -> None:
    check_transformed(
        before + CLASS.format(api="", method=""),
        after + CLASS.format(api=", InferenceOnlyAPI", method=METHOD),
        tmp_path,
    )


THERE = {
    "plain": (f"from {APIS} import InferenceOnlyAPI\n", "InferenceOnlyAPI"),
    "alias": (f"from {APIS} import InferenceOnlyAPI as IOA\n", "IOA"),
    "other route": (
        f"from {APIS}.inference_only_api import InferenceOnlyAPI\n",
        "InferenceOnlyAPI",
    ),
    "module": ("from ray.rllib.core.rl_module import apis\n", "apis.InferenceOnlyAPI"),
    "module alias": (f"import {APIS} as a\n", "a.InferenceOnlyAPI"),
    "dotted": (f"import {APIS}\n", f"{APIS}.InferenceOnlyAPI"),
}


@pytest.mark.parametrize(("imports", "name"), THERE.values(), ids=THERE)
def test_what_is_imported_is_used(tmp_path: Path, imports: str, name: str) -> None:
    head = imports + TORCH + NN
    base = f", {name}"
    body = CLASS.format(api=base, method=METHOD)
    check_transformed(head + CLASS.format(api="", method=""), head + body, tmp_path)


def test_through_another_module(tmp_path: Path) -> None:
    (tmp_path / "common.py").write_text(f"from {APIS} import InferenceOnlyAPI\n", encoding="utf-8")
    head = f"from common import InferenceOnlyAPI\n{REST}"
    check_transformed(
        head + CLASS.format(api="", method=""),
        head + CLASS.format(api=", InferenceOnlyAPI", method=METHOD),
        tmp_path,
    )


BOUND = {
    "class": "class InferenceOnlyAPI: ...\n",
    "assignment": "InferenceOnlyAPI = object\n",
    "other import": "from mine import InferenceOnlyAPI\n",
    "fallback": f"try:\n    from {APIS} import InferenceOnlyAPI\nexcept ImportError:\n"
    "    InferenceOnlyAPI = object\n",
}


@pytest.mark.parametrize("bound", BOUND.values(), ids=BOUND)
def test_a_name_that_means_something_else(tmp_path: Path, bound: str) -> None:
    source = TORCH + NN + bound + CLASS.format(api="", method="")
    check_noop(source, tmp_path, "means something else")


def test_an_optional_framework(tmp_path: Path) -> None:
    head = f"{NN}try:\n    {TORCH}except ImportError:\n    pass\n"
    check_noop(head + CLASS.format(api="", method=""), tmp_path, "without the framework")


def test_inside_the_same_block(tmp_path: Path) -> None:
    def indented(text: str) -> str:
        return "".join(f"    {x}" if x.strip() else x for x in text.splitlines(keepends=True))

    for opening in ("if True:\n", "def make():\n", "try:\n"):
        end = "except ImportError:\n    pass\n" if opening.startswith("try") else ""
        before = indented(TORCH + NN + CLASS.format(api="", method=""))
        after = indented(
            f"from {APIS} import InferenceOnlyAPI\n{REST}"
            + CLASS.format(api=", InferenceOnlyAPI", method=METHOD)
        )
        check_transformed(opening + before + end, opening + after + end, tmp_path)
