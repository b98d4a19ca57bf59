"""INF401: modules in a plain list or dict go into torch's own container."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fix.harness import IMPORTS, check_noop, check_transformed

if TYPE_CHECKING:
    from pathlib import Path

CODES = "INF401"
READS = "for layer in self.nets: h = layer(h)"
BY_KEY = 'h = self.nets["a"](h)'

GROWN = "nets = [nn.Linear(4, 4)]\nnets.append(nn.Linear(4, 4))\nself.nets = nets"
LONG = "[nn.Sequential(nn.Linear(4, 44), nn.ReLU(), nn.Linear(44, 4), nn.Tanh())]"
RLLIBS = """\
from ray.rllib.utils.framework import try_import_torch

torch, nn = try_import_torch()"""


def source(build: str, read: str = READS, head: str = IMPORTS, more: str = "") -> str:
    lines = "".join(f"        {line}\n" for line in build.splitlines())
    return (
        f"{head}class Policy(TorchRLModule):\n    def setup(self):\n{lines}\n"
        "    def _forward(self, batch, **kwargs):\n        h = batch[Columns.OBS]\n"
        f"        {read}\n        return {{Columns.ACTION_DIST_INPUTS: h}}\n{more}"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("self.nets = [nn.Linear(4, 4)]", "self.nets = nn.ModuleList([nn.Linear(4, 4)])"),
        ("self.nets = (nn.Linear(4, 4),)", "self.nets = nn.ModuleList((nn.Linear(4, 4),))"),
        (
            "self.nets = nn.Linear(4, 4), nn.Linear(4, 4)  # two",
            "self.nets = nn.ModuleList((nn.Linear(4, 4), nn.Linear(4, 4)))  # two",
        ),
        (
            "self.nets = []\nself.nets.append(nn.Linear(4, 4))",
            "self.nets = nn.ModuleList()\nself.nets.append(nn.Linear(4, 4))",
        ),
        (
            GROWN,
            GROWN.replace("= nets", "= nn.ModuleList(nets)"),
        ),
        (
            "self.nets = [\n    nn.Linear(4, 4),  # one\n]",
            "self.nets = nn.ModuleList([\n    nn.Linear(4, 4),  # one\n])",
        ),
        (
            f"self.nets = {LONG}",
            f"self.nets = nn.ModuleList(\n    {LONG}\n)",
        ),
    ],
)
def test_lists(tmp_path: Path, before: str, after: str) -> None:
    check_transformed(source(before), source(after), tmp_path, unsafe=True, codes=CODES)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            'self.nets = {"a": nn.Linear(4, 4)}',
            'self.nets = nn.ModuleDict({"a": nn.Linear(4, 4)})',
        ),
        (
            'self.nets = {}\nself.nets["a"] = nn.Linear(4, 4)',
            'self.nets = nn.ModuleDict()\nself.nets["a"] = nn.Linear(4, 4)',
        ),
        (
            'self.nets = {f"{n}": nn.Linear(4, 4) for n in ("a", "b")}',
            'self.nets = nn.ModuleDict({f"{n}": nn.Linear(4, 4) for n in ("a", "b")})',
        ),
    ],
)
def test_dicts(tmp_path: Path, before: str, after: str) -> None:
    first, second = source(before, BY_KEY), source(after, BY_KEY)
    check_transformed(first, second, tmp_path, unsafe=True, codes=CODES)


@pytest.mark.parametrize(
    ("old", "new", "call", "name"),
    [
        ("from torch import nn", "import torch", "torch.nn.Linear", "torch.nn"),
        ("from torch import nn", "import torch.nn as N", "N.Linear", "N"),
        (
            "from torch import nn",
            RLLIBS,
            "nn.Linear",
            "nn",
        ),
    ],
)
def test_spelled_as_in_the_file(tmp_path: Path, old: str, new: str, call: str, name: str) -> None:
    head = IMPORTS.replace(old, new)
    before = source(f"self.nets = [{call}(4, 4)]", head=head)
    after = source(f"self.nets = {name}.ModuleList([{call}(4, 4)])", head=head)
    check_transformed(before, after, tmp_path, unsafe=True, codes=CODES)


def test_imported_where_the_file_does_not_have_it(tmp_path: Path) -> None:
    head = IMPORTS.replace("from torch import nn\n", "from torch.nn import Linear\n")
    before = source("self.nets = [Linear(4, 4)]", head=head)
    new = "from torch import nn\nfrom torch.nn import Linear\n"
    after_head = head.replace("from torch.nn import Linear\n", new)
    after = source("self.nets = nn.ModuleList([Linear(4, 4)])", head=after_head)
    check_transformed(before, after, tmp_path, unsafe=True, codes=CODES)


def test_it_is_unsafe(tmp_path: Path) -> None:
    check_noop(source("self.nets = [nn.Linear(4, 4)]"), tmp_path, "older checkpoints", codes=CODES)


@pytest.mark.parametrize(
    ("build", "read", "reason"),
    [
        ("self.nets = [nn.Linear(4, 4), None]", "h = self.nets[0](h)", "not all that it holds"),
        ("self.nets = [[nn.Linear(4, 4)]]", "h = self.nets[0][0](h)", "not all that it holds"),
        ('self.nets = {"a.b": nn.Linear(4, 4)}', 'h = self.nets["a.b"](h)', "cannot have a key"),
        ('self.nets = {"keys": nn.Linear(4, 4)}', 'h = self.nets["keys"](h)', "cannot have a key"),
        ("self.nets = {1: nn.Linear(4, 4)}", "h = self.nets[1](h)", "only has strings as keys"),
        ("self.nets = {nn.Linear(4, 4)}", READS, "no container that does the same"),
        ("self.nets = [nn.Linear(4, 4)]", "h = self.nets[:1][0](h)", "it is sliced"),
        ("self.nets = [nn.Linear(4, 4)]", "h = ([] + self.nets)[0](h)", "only a plain container"),
        ("self.nets = [nn.Linear(4, 4)]", "h = self.nets.copy()[0](h)", "has no copy"),
        ('self.nets = {"a": nn.Linear(4, 4)}', 'h = self.nets.get("a")(h)', "has no get"),
        ("self.nets = [nn.Linear(4, 4)]", "if self.nets != []: h = self.nets[0](h)", "compared"),
        (
            "nets = []\nself.nets = nets\nnets.append(nn.Linear(4, 4))",
            READS,
            "nets is used after it is assigned",
        ),
        ("self.nets = self.more = [nn.Linear(4, 4)]", READS, "together with something else"),
    ],
)
def test_no_fix(tmp_path: Path, build: str, read: str, reason: str) -> None:
    check_noop(source(build, read), tmp_path, reason, unsafe=True, codes=CODES)


def test_the_subclass_needs_a_list(tmp_path: Path) -> None:
    more = (
        "\n\nclass Other(Policy):\n    def _forward_train(self, batch, **kwargs):\n"
        "        return self.nets.index(1)\n"
    )
    text = source("self.nets = [nn.Linear(4, 4)]", more=more)
    check_noop(text, tmp_path, "has no index", unsafe=True, codes=CODES)


def test_handed_on(tmp_path: Path) -> None:
    text = source("self.nets = [nn.Linear(4, 4)]", "h = apply(self.nets, h)")
    check_noop(text, tmp_path, "handed on at line 13", codes=CODES)


def test_a_list_of_what_is_a_module_now_follows(tmp_path: Path) -> None:
    listed = (
        "\n    def get_non_inference_attributes(self):\n        return [{}]\n"
        "\n    def _forward_train(self, batch, **kwargs):\n        return self.more[0](batch)\n"
    )
    build = "self.net = nn.Linear(4, 2)\nself.more = {}"
    head = f"{IMPORTS}class Policy(TorchRLModule, InferenceOnlyAPI):"

    def text(value: str, name: str) -> str:
        plain = source(build.format(value), "h = self.net(h)", more=listed.format(name))
        return plain.replace(f"{IMPORTS}class Policy(TorchRLModule):", head)

    before = text("[nn.Linear(4, 4)]", "self.more")
    after = text("nn.ModuleList([nn.Linear(4, 4)])", '"more"')
    check_transformed(before, after, tmp_path, unsafe=True, codes="INF204 INF401")
