"""Verifying plain torch modules: no framework is involved, and nested paths work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import torch
from torch import nn

from inflint.runtime import (
    CannotVerifyError,
    InferenceOnlyAPI,
    Options,
    Report,
    subjects_of,
    torch_subject,
    verify,
)
from inflint.runtime.spaces import parse_space

from .plain_modules import OBSERVATIONS, Dqn, Ppo, Sac

if TYPE_CHECKING:
    from collections.abc import Callable

PPO_KEPT = 4 * (4 * 8 + 8) + 4 * (8 * 2 + 2)
PPO_LISTED = 4 * (4 * 8 + 8) + 4 * (8 + 1)


def _rules(report: Report) -> set[tuple[str, str]]:
    return {(c.rule, c.path) for c in report.refutations}


@pytest.mark.parametrize(
    ("make", "inputs"), [(Ppo, OBSERVATIONS), (Dqn, OBSERVATIONS), (Sac, OBSERVATIONS[:, :3])]
)
def test_pull_request_examples_are_proven(make: Callable[[], Any], inputs: torch.Tensor) -> None:
    report = verify(torch_subject(make(), (inputs,)))
    assert report.proven
    assert report.causes == ()
    assert [p.path for p in report.listed if not p.resolves or not p.removed or p.used] == []
    [call] = report.calls
    assert (call.name, call.ran, call.equal) == ("forward", True, True)


def test_bytes_of_the_nested_example() -> None:
    report = verify(torch_subject(Ppo(), (OBSERVATIONS,)), runners=3)
    savings = report.savings
    assert savings is not None
    assert (savings.full, savings.sent, savings.runner) == (
        PPO_KEPT + PPO_LISTED,
        PPO_KEPT,
        PPO_KEPT,
    )
    assert savings.per_sync == 3 * PPO_LISTED
    assert report.keys == ("_encoder.pol.weight", "_encoder.pol.bias", "pi.weight", "pi.bias")


class ListsTooMuch(Ppo):
    def get_non_inference_attributes(self) -> list[str]:
        return ["_encoder.pol", "_encoder.vf", "value"]


class ListsTooLittle(Ppo):
    def get_non_inference_attributes(self) -> list[str]:
        return ["value"]


class ForgetsTheList(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.pi = nn.Linear(4, 2)
        self.vf = nn.Linear(4, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.pi(x)


class Misspells(ForgetsTheList):
    def get_non_inference_attribute(self) -> list[str]:
        return ["vf"]


class Swallows(ForgetsTheList, InferenceOnlyAPI):
    """Goes on without what it lists, and gives something else."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.pi(x) + (self.vf(x) if hasattr(self, "vf") else 0)

    def get_non_inference_attributes(self) -> list[str]:
        return ["vf"]


class UsesAPlainList(nn.Module, InferenceOnlyAPI):
    def __init__(self) -> None:
        super().__init__()
        self.layers = [nn.Linear(4, 4)]
        self.pi = nn.Linear(4, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.pi(self.layers[0](x))

    def get_non_inference_attributes(self) -> list[str]:
        return []


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (ListsTooMuch, {("listed-but-used", "_encoder.pol")}),
        (ListsTooLittle, {("unlisted-component", "_encoder.vf")}),
        (ForgetsTheList, {("unlisted-component", "vf")}),
        (Misspells, {("misspelled-method", ""), ("unlisted-component", "vf")}),
        (Swallows, {("outputs-differ", "")}),
        (UsesAPlainList, {("unregistered-modules", "layers.0")}),
    ],
)
def test_refuted(make: Callable[[], Any], expected: set[tuple[str, str]]) -> None:
    assert _rules(verify(torch_subject(make(), (OBSERVATIONS,)))) == expected


def test_the_given_module_is_not_changed() -> None:
    module = Ppo()
    before = {key: value.clone() for key, value in module.state_dict().items()}
    verify(torch_subject(module, (OBSERVATIONS,)))
    after = module.state_dict()
    assert list(after) == list(before)
    assert all(torch.equal(after[key], before[key]) for key in before)
    assert module.training


def test_other_calls_than_forward() -> None:
    calls = {"values": lambda m: m.compute_values(OBSERVATIONS)}
    report = verify(torch_subject(Ppo(), calls=calls))
    assert ("listed-but-used", "value") in _rules(report)
    assert ("listed-but-used", "_encoder.vf") in _rules(report)


class Dropout(Ppo):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.dropout(super().forward(x), 0.5, self.training)


def test_inference_is_evaluation() -> None:
    assert verify(torch_subject(Dropout(), (OBSERVATIONS,))).proven


class Large(Ppo):
    """256 GB in one layer that no inference uses; only the meta device can hold it."""

    def __init__(self) -> None:
        with torch.device("meta"):
            super().__init__()
            self.value = nn.Linear(8, 8 * 10**9 // 9)

    def __deepcopy__(self, memo: Any) -> Large:
        return Large()


def test_a_module_on_the_meta_device_is_sized_and_traced() -> None:
    report = verify(torch_subject(Large(), (OBSERVATIONS.to("meta"),)), static=False)
    assert report.proven
    assert report.simulated
    assert report.savings is not None
    width = 8 * 10**9 // 9
    assert report.savings.full - report.savings.sent == 4 * (4 * 8 + 8) + 4 * 9 * width


def test_own_failure_is_not_the_lists() -> None:
    with pytest.raises(CannotVerifyError, match="own forward raises RuntimeError") as caught:
        verify(torch_subject(Ppo(), (torch.zeros(3, 5),)))
    assert caught.value.place is not None


# Targets.


class WithExample(Ppo):
    example_input_array = OBSERVATIONS


def _pair() -> Any:
    return Ppo(), (OBSERVATIONS,)


def _needs_arguments(value: int) -> Any:
    return value


@pytest.mark.parametrize("target", [WithExample, WithExample(), _pair, (Ppo(), OBSERVATIONS)])
def test_targets(target: Any) -> None:
    [subject] = subjects_of(target, Options())
    assert verify(subject).proven


@pytest.mark.ray
def test_inputs_from_a_space() -> None:
    space = parse_space("Box(-1, 1, (4,))")
    [subject] = subjects_of(Ppo, Options(observation_space=space))
    assert verify(subject).proven


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (Ppo, "needs inputs"),
        (3, "is a int"),
        (_needs_arguments, "raises TypeError"),
        ("nowhere", "is neither"),
    ],
)
def test_no_targets(target: Any, message: str) -> None:
    with pytest.raises(CannotVerifyError, match=message):
        subjects_of(target, Options())
