"""The reduced state, and loading it."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from inflint.runtime.state import (
    IncompleteStateError,
    ShapeMismatchError,
    inference_state,
    load_inference_state,
)
from inflint.runtime.strip import strip_for_inference

from .plain_modules import Everything, Ppo


def test_keys_of_the_nested_example() -> None:
    assert list(inference_state(Ppo())) == [
        "_encoder.pol.weight",
        "_encoder.pol.bias",
        "pi.weight",
        "pi.bias",
    ]


def test_prefixes_are_whole_segments() -> None:
    module = nn.ModuleDict({name: nn.Linear(1, 1) for name in ("vf", "vf2", "vf_encoder")})
    kept = inference_state(module, ["vf"])
    assert {key.split(".")[0] for key in kept} == {"vf2", "vf_encoder"}


def test_parameters_and_elements_by_path() -> None:
    kept = inference_state(Everything(), ["scale", "heads.1", "biases.critic", "_encoder.vf"])
    assert not {"scale", "heads.1.weight", "biases.critic", "_encoder.vf.bias"} & set(kept)
    assert {"scales.0", "heads.0.weight", "heads.2.weight", "vf.bias", "alias.bias"} <= set(kept)


def test_inside_compiled_parts() -> None:
    module = Everything()
    module._encoder = torch.compile(module._encoder)
    kept = inference_state(module, ["_encoder.vf"])
    assert "_encoder._orig_mod.pol.weight" in kept
    assert "_encoder._orig_mod.vf.weight" not in kept


def test_a_stripped_module_has_the_same_state() -> None:
    module = Ppo()
    before = list(inference_state(module))
    strip_for_inference(module)
    assert list(inference_state(module)) == before


def test_missing_keys_are_named_and_nothing_is_loaded() -> None:
    full, stripped = Ppo(), Ppo()
    strip_for_inference(stripped)
    state = inference_state(full)
    del state["pi.bias"], state["_encoder.pol.weight"]
    before = stripped.pi.weight.clone()
    with pytest.raises(IncompleteStateError, match=r"pi\.bias") as caught:
        load_inference_state(stripped, state)
    assert caught.value.missing == ("_encoder.pol.weight", "pi.bias")
    assert torch.equal(stripped.pi.weight, before)


def test_a_full_module_refuses_a_reduced_state() -> None:
    with pytest.raises(IncompleteStateError) as caught:
        load_inference_state(Ppo(), inference_state(Ppo()))
    assert "value.weight" in caught.value.missing


def test_other_shapes_are_refused_and_nothing_is_loaded() -> None:
    full, stripped = Ppo(), Ppo()
    strip_for_inference(stripped)
    state = inference_state(full)
    state["pi.bias"] = torch.zeros(3)
    before = stripped.pi.weight.clone()
    with pytest.raises(ShapeMismatchError, match=r"pi\.bias is \(3,\), not \(2,\)"):
        load_inference_state(stripped, state)
    assert torch.equal(stripped.pi.weight, before)


def test_what_is_too_much_is_ignored_and_returned() -> None:
    full, stripped = Ppo(), Ppo()
    strip_for_inference(stripped)
    ignored = load_inference_state(stripped, full.state_dict())
    assert ignored == ("_encoder.vf.weight", "_encoder.vf.bias", "value.weight", "value.bias")
    assert torch.equal(stripped.pi.weight, full.pi.weight)


def test_numpy_arrays_are_loaded() -> None:
    full, stripped = Ppo(), Ppo()
    strip_for_inference(stripped)
    load_inference_state(stripped, {k: v.numpy() for k, v in inference_state(full).items()})
    assert torch.equal(stripped.pi.weight, full.pi.weight)
