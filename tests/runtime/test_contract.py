"""What a module declares, and what is no list."""

from __future__ import annotations

from typing import Any

import pytest
from torch import nn

from inflint.runtime.contract import ContractError, InferenceOnlyAPI, declared, has_list


def _module(value: Any) -> nn.Module:
    class Module(nn.Module, InferenceOnlyAPI):
        def get_non_inference_attributes(self) -> Any:
            return value() if callable(value) else value

    return Module()


def test_the_method_is_required() -> None:
    class Module(nn.Module, InferenceOnlyAPI):
        pass

    with pytest.raises(TypeError, match="get_non_inference_attributes"):
        Module()


def test_paths_in_order_without_duplicates() -> None:
    found = declared(_module(["vf", "encoder.vf", "vf"]))
    assert found.paths == ("vf", "encoder.vf")
    assert found.duplicates == ("vf",)
    assert not found.grows


def test_any_class_with_the_method_counts() -> None:
    class Foreign:
        def get_non_inference_attributes(self) -> list[str]:
            return ["vf"]

    assert has_list(Foreign())
    assert declared(Foreign()).paths == ("vf",)


def test_no_method_no_paths() -> None:
    assert not has_list(nn.Linear(1, 1))
    assert declared(nn.Linear(1, 1)).paths == ()


def test_tuples_and_sets_are_lists_of_names() -> None:
    assert declared(_module(("a", "b"))).paths == ("a", "b")
    assert set(declared(_module({"a", "b"})).paths) == {"a", "b"}


def test_a_list_that_grows_is_seen() -> None:
    shared: list[str] = []

    def grow() -> list[str]:
        shared.append("vf")
        return list(shared)

    assert declared(_module(grow)).grows


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ("vf", "string"),
        (None, "none"),
        (lambda: (name for name in ["vf"]), "one-shot"),
        (lambda: iter(["vf"]), "one-shot"),
        ([nn.Identity()], "not-names"),
        ([["vf"]], "not-names"),
        (3, "not-names"),
        (lambda: {}["vf"], "raises"),
    ],
)
def test_faults(value: Any, fault: str) -> None:
    with pytest.raises(ContractError) as caught:
        declared(_module(value))
    assert caught.value.fault == fault


def test_a_property_is_no_method() -> None:
    class Module(nn.Module):
        @property
        def get_non_inference_attributes(self) -> list[str]:
            return ["vf"]

    with pytest.raises(ContractError, match="property") as caught:
        declared(Module())
    assert caught.value.fault == "not-callable"
