"""Removal at the owner, in any order, through whatever a path leads through."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import torch
from torch import nn

from inflint.runtime.contract import ContractError
from inflint.runtime.paths import UnresolvedPathError, resolve
from inflint.runtime.state import inference_state, load_inference_state
from inflint.runtime.strip import NotRemovableError, RemovedPart, strip_for_inference

from .plain_modules import OBSERVATIONS, Dqn, Everything, Ppo, Sac

LINEAR_4_8 = 4 * (4 * 8 + 8)
LINEAR_8_1 = 4 * (8 + 1)


def _absent(module: nn.Module, path: str) -> bool:
    try:
        found = resolve(module, path).value
    except UnresolvedPathError:
        return True
    return isinstance(found, RemovedPart)


def test_nested_path_and_not_its_namesake_on_the_module() -> None:
    module = Everything()
    done = strip_for_inference(module, ["_encoder.vf"])
    [removed] = done.removed
    assert (removed.path, removed.kind, removed.size) == ("_encoder.vf", "module", LINEAR_4_8)
    assert _absent(module, "_encoder.vf")
    assert module.vf.weight.shape == (1, 8)


UPSTREAM = [
    ["_encoder.vf"],
    ["_encoder.vf", "vf"],
    ["vf", "_encoder.vf"],
    ["heads.1"],
    ["nets.critic"],
    ["alias", "_encoder.vf"],
    ["_encoder.vf", "alias"],
    ["stack", "stack.0"],
    ["stack.0", "stack"],
    ["vf", "vf", "_encoder.vf", "_encoder.vf"],
]
"""The ten kinds of lists that removal at the root gets wrong or only happens to get right."""


@pytest.mark.parametrize("paths", UPSTREAM, ids=" ".join)
def test_lists_that_a_removal_at_the_root_gets_wrong(paths: list[str]) -> None:
    full, stripped = Everything(), Everything()
    done = strip_for_inference(stripped, paths)
    assert all(_absent(stripped, path) for path in paths)
    assert {r.path for r in done.removed} == set(paths)
    state = inference_state(full, paths)
    load_inference_state(stripped, state)
    assert torch.equal(full(OBSERVATIONS), stripped(OBSERVATIONS))
    assert set(stripped.state_dict()) == set(state)


@pytest.mark.parametrize("paths", UPSTREAM, ids=" ".join)
def test_order_does_not_matter(paths: list[str]) -> None:
    keys = set()
    for order in itertools.islice(itertools.permutations(paths), 24):
        module = Everything()
        strip_for_inference(module, order)
        keys.add(tuple(module.state_dict()))
    assert len(keys) == 1


def test_absent_and_none_are_skipped() -> None:
    module = Everything()
    done = strip_for_inference(module, ["target_vf", "nothing", "plain.0", "nothing.vf", "vf"])
    assert done.skipped == ("target_vf", "nothing", "plain.0", "nothing.vf")
    assert [r.path for r in done.removed] == ["vf"]


def test_stripping_twice_is_stripping_once() -> None:
    module = Ppo()
    assert len(strip_for_inference(module).removed) == 2
    again = strip_for_inference(module)
    assert again.removed == ()
    assert again.freed == 0


def test_elements_keep_their_index_and_key() -> None:
    module = Everything()
    last = module.heads[2]
    strip_for_inference(module, ["heads.1"])
    assert len(module.heads) == 3
    assert module.heads[2] is last
    with pytest.raises(AttributeError, match=r"heads\.1"):
        module.heads[1](torch.zeros(1, 8))


@pytest.mark.parametrize("paths", [["heads.1", "heads.2"], ["heads.2", "heads.1"]])
def test_last_elements_leave_nothing(paths: list[str]) -> None:
    module = Everything()
    strip_for_inference(module, paths)
    assert len(module.heads) == 1


def test_used_layer_of_a_sequence_fails_loudly() -> None:
    module = Everything()
    strip_for_inference(module, ["stack.0"])
    with pytest.raises(AttributeError, match=r"stack\.0"):
        module.stack(torch.zeros(1, 8))


def test_parameters_buffers_and_elements() -> None:
    module = Everything()
    strip_for_inference(module, ["scale", "mean", "scales.0", "biases.critic", "vf.bias", "level"])
    keys = set(module.state_dict())
    assert {"scales.1", "biases.pi", "vf.weight"} <= keys
    assert not {"scale", "mean", "scales.0", "biases.critic", "vf.bias"} & keys
    assert list(module.biases) == ["pi"]
    assert not hasattr(module, "level")


def test_freed_bytes_leave_out_what_is_tied_or_has_another_name() -> None:
    done = strip_for_inference(Everything(), ["tied"])
    assert done.removed[0].size == LINEAR_4_8
    assert done.freed == 4 * 8
    done = strip_for_inference(Everything(), ["alias"])
    assert done.removed[0].size == LINEAR_4_8
    assert done.freed == 0
    assert strip_for_inference(Everything(), ["alias", "_encoder.vf"]).freed == LINEAR_4_8
    assert strip_for_inference(Everything(), ["vf", "vf.weight"]).freed == LINEAR_8_1


@pytest.mark.parametrize("path", ["policy", "forward", "nets.keys"])
def test_what_only_the_class_has_is_refused_and_nothing_is_removed(path: str) -> None:
    module = Everything()
    with pytest.raises(NotRemovableError, match=path):
        strip_for_inference(module, ["vf", path])
    assert module.vf is not None


def test_a_list_that_is_none_is_refused() -> None:
    module = Ppo()
    module.get_non_inference_attributes = lambda: "value"  # type: ignore[method-assign]
    with pytest.raises(ContractError, match="string"):
        strip_for_inference(module)
    assert module.value is not None


@pytest.mark.parametrize(
    ("make", "inputs", "freed"),
    [
        (Ppo, OBSERVATIONS, LINEAR_4_8 + LINEAR_8_1),
        (Dqn, OBSERVATIONS, LINEAR_4_8 + 4 * (8 * 2 + 2) + LINEAR_8_1),
        (Sac, OBSERVATIONS[:, :3], 4 * (LINEAR_4_8 + LINEAR_8_1)),
    ],
)
def test_pull_request_examples(make: Any, inputs: torch.Tensor, freed: int) -> None:
    full, stripped = make(), make()
    done = strip_for_inference(stripped)
    assert done.freed == freed
    assert [r.path for r in done.removed] == full.get_non_inference_attributes()
    assert not torch.equal(full(inputs), stripped(inputs))
    ignored = load_inference_state(stripped, inference_state(full))
    assert ignored == ()
    assert torch.equal(full(inputs), stripped(inputs))
