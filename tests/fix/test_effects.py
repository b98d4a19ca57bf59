"""Safe edits of a list leave alone what some class that shares it may need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.corpus.corpus_cases import CASES
from tests.fix.harness import check_noop, check_transformed

if TYPE_CHECKING:
    from pathlib import Path

HEAD = """\
import functools

from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Base(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        self.pi = nn.Linear(4, 2)
        self.vf = nn.Linear(4, 1)
        self.q = nn.Linear(4, 1)

    def _forward(self, batch, **kwargs):
        return {"action_dist_inputs": self.pi(batch["obs"])}

    def get_non_inference_attributes(self):
        return ["q"]
"""
HEIR = """

class Heir(Base):
    def _forward_inference(self, batch, **kwargs):
        return {"action_dist_inputs": %s}
"""


def test_a_subclass_that_may_need_a_name(tmp_path: Path) -> None:
    repaired = HEAD.replace('["q"]', '["q", "vf"]')
    plain = HEIR % 'self.pi(batch["obs"])'
    check_transformed(HEAD + plain, repaired + plain, tmp_path)
    for read in (
        'getattr(self, batch["part"])(batch["obs"])',
        'self.vf(batch["obs"]) if batch.get("t") else self.pi(batch["obs"])',
    ):
        check_noop(HEAD + HEIR % read, tmp_path, "Heir may need vf")


def test_a_subclass_that_a_decorator_may_change(tmp_path: Path) -> None:
    check_noop((CASES / "class_registries.py").read_text(), tmp_path, "Replaced may need vf")


def test_a_list_that_comes_to_life(tmp_path: Path) -> None:
    """A string is no list: what it names is removed only once it is one."""
    text = HEAD.replace('["q"]', '"q"')
    asked = 'self.pi(batch["obs"]) * (2 if "q" in self._modules else 1)'
    repaired = HEAD.replace('["q"]', '["q", "vf"]')
    check_transformed(text, repaired, tmp_path)
    check_noop(text.replace('self.pi(batch["obs"])', asked), tmp_path, "Base may need q")


def test_a_list_that_comes_to_life_is_known(tmp_path: Path) -> None:
    """What a config says, no second check can look at."""
    dead = HEAD.replace("(TorchRLModule, InferenceOnlyAPI)", "(TorchRLModule)")
    unknown = 'return self.model_config["drop"]'
    reason = "not all of what it lists is known"
    check_noop(dead.replace('return ["q"]', unknown), tmp_path, reason)
    check_noop(
        HEAD.replace(
            'attributes(self):\n        return ["q"]', f"attribute(self):\n        {unknown}"
        ),
        tmp_path,
        reason,
    )
    check_noop(HEAD.replace('return ["q"]', f"yield from {unknown[7:]}"), tmp_path, reason)


def test_a_list_that_comes_to_life_names_nothing_late(tmp_path: Path) -> None:
    """A generator's names are known, and what is built after the removal is among them."""
    late = """
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.q = nn.Linear(4, 1)
"""
    text = HEAD.replace("        self.q = nn.Linear(4, 1)\n", "").replace(
        'return ["q"]', 'yield from ["q"]'
    )
    text = text.replace("    def setup", f"{late[1:]}\n    def setup")
    heir = """

class Heir(Base):
    def get_non_inference_attributes(self):
        return super().get_non_inference_attributes()
"""
    check_noop(text + heir, tmp_path, "the edit would bring INF304 (q)", codes="INF204")


def test_a_list_that_comes_to_life_is_one(tmp_path: Path) -> None:
    """What is wrong with it did no harm while nobody asked for it."""
    dead = HEAD.replace("(TorchRLModule, InferenceOnlyAPI)", "(TorchRLModule)")
    for text, reason in (
        (
            '    @property\n    def get_non_inference_attributes(self):\n        return ["q"]',
            "no list",
        ),
        ('    def get_non_inference_attributes(self):\n        return "q"', "no list"),
        ('    def get_non_inference_attributes(self):\n        return ["q.bias", "q"]', "order"),
    ):
        source = dead.replace(
            '    def get_non_inference_attributes(self):\n        return ["q"]', text
        )
        check_noop(source, tmp_path, reason, codes="INF102")


def test_a_comma_wakes_two_names(tmp_path: Path) -> None:
    """Neither name was removed while they were run together."""
    text = HEAD.replace('return ["q"]', 'return ["q" "vf"]')
    asked = 'self.pi(batch["obs"]) if getattr(self, "vf", None) is None else self.vf(batch["obs"])'
    check_noop(
        text.replace('self.pi(batch["obs"])', asked), tmp_path, "Base may need vf", codes="INF204"
    )


def test_a_name_that_is_asked_for(tmp_path: Path) -> None:
    """A presence test that is decided now is not once the list is alive."""
    dead = HEAD.replace("(TorchRLModule, InferenceOnlyAPI)", "(TorchRLModule)")
    asked = (
        'self.q(batch["obs"]) if getattr(self, "q", None) is not None else self.pi(batch["obs"])'
    )
    check_noop(
        dead.replace('self.pi(batch["obs"])', asked), tmp_path, "Base may need q", codes="INF102"
    )
