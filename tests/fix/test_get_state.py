"""INF402: ``get_state()`` hands the flag on, whatever its signature looks like."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fix.harness import check_noop, check_transformed, module

if TYPE_CHECKING:
    from pathlib import Path

LIST = 'def get_non_inference_attributes(self):\n    return ["vf", "aux", "third"]\n\n'
CODES = "INF402"


def source(method: str) -> str:
    return module(LIST + method)


SIGNATURES = {
    "def get_state(self):\n    return super().get_state()": (
        "def get_state(self, *, inference_only=False, **kwargs):\n"
        "    return super().get_state(inference_only=inference_only, **kwargs)"
    ),
    "def get_state(self, components=None, ):\n    return super().get_state(components, )": (
        "def get_state(self, components=None, *, inference_only=False, **kwargs, ):\n"
        "    return super().get_state(components, inference_only=inference_only, **kwargs, )"
    ),
    "def get_state(self, *args):\n    return super().get_state(*args)": (
        "def get_state(self, *args, inference_only=False, **kwargs):\n"
        "    return super().get_state(*args, inference_only=inference_only, **kwargs)"
    ),
    "def get_state(self, *args, **kwargs):\n    return super().get_state(*args)": (
        "def get_state(self, *args, **kwargs):\n    return super().get_state(*args, **kwargs)"
    ),
    "def get_state(this, a: str = '', *, b=0):\n    return TorchRLModule.get_state(this, a)": (
        "def get_state(this, a: str = '', *, b=0, inference_only: bool = False, **kwargs):\n"
        "    return TorchRLModule.get_state(this, a, inference_only=inference_only, **kwargs)"
    ),
    "def get_state(\n    self,\n    a=0,  # a\n):\n    return super().get_state(\n        a)": (
        "def get_state(\n    self,\n    a=0,  # a\n    *,\n    inference_only=False,\n"
        "    **kwargs,\n):\n    return super().get_state(\n        a,\n"
        "        inference_only=inference_only,\n        **kwargs)"
    ),
    "def get_state(self, inference_only=False, **rest):\n    return dict(super().get_state())": (
        "def get_state(self, inference_only=False, **rest):\n"
        "    return dict(super().get_state(inference_only=inference_only))"
    ),
    "def get_state(self, **kwargs):\n    return super().get_state(components=None)": (
        "def get_state(self, **kwargs):\n"
        "    return super().get_state(\n"
        '        components=None, inference_only=kwargs.get("inference_only", False)\n'
        "    )"
    ),
}


@pytest.mark.parametrize("before", SIGNATURES)
def test_signatures(tmp_path: Path, before: str) -> None:
    check_transformed(source(before), source(SIGNATURES[before]), tmp_path, codes=CODES)


@pytest.mark.parametrize(
    ("method", "reason"),
    [
        ("def get_state(self, **kwargs):\n    return self.state_dict()", "never calls the get_st"),
        (
            "def get_state(self, **kwargs):\n    return super().get_state(inference_only=False)",
            "says itself",
        ),
        (
            "def get_state(self):\n    kwargs = {}\n    return super().get_state(**kwargs)",
            "has a variable kwargs already",
        ),
    ],
)
def test_no_fix(tmp_path: Path, method: str, reason: str) -> None:
    check_noop(source(method), tmp_path, reason, unsafe=True, codes=CODES)


def test_keys_that_will_be_missing_make_it_unsafe(tmp_path: Path) -> None:
    method = (
        "def get_state(self, **kwargs):\n"
        "    state = super().get_state({})\n"
        '    state["vf.weight"] = state["vf.weight"].clone()\n'
        "    return state"
    )
    before, after = source(method.format("")), source(method.format("**kwargs"))
    check_noop(before, tmp_path, "may count on the keys of vf", codes=CODES)
    check_transformed(before, after, tmp_path, unsafe=True, codes=CODES)


def test_the_parent_comes_first(tmp_path: Path) -> None:
    """A parent that would not take the flag is mended before its subclass."""
    child = (
        "\n\nclass Child(Policy):\n    def get_state(self, **kwargs):\n"
        "        return super().get_state({})\n"
    )
    parent = "def get_state(self{}):\n    return super().get_state({})"
    flag = ", *, inference_only=False, **kwargs"
    handed = "inference_only=inference_only, **kwargs"
    before = source(parent.format("", "")) + child.format("")
    after = source(parent.format(flag, handed)) + child.format("**kwargs")
    check_transformed(before, after, tmp_path, codes=CODES)
