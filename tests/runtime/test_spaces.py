"""Spaces from text, and samples of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from gymnasium import spaces

from inflint.runtime.places import CannotVerifyError
from inflint.runtime.samples import observations
from inflint.runtime.spaces import parse_space

BOX = spaces.Box(-1.0, 1.0, (4,), np.float32)


@pytest.mark.parametrize(
    ("text", "space"),
    [
        ("Box(-1, 1, (4,))", BOX),
        ("Box(-1.0, 1.0, (4,), float32)", BOX),
        ("Box(low=-inf, high=inf, shape=(2, 3))", spaces.Box(-np.inf, np.inf, (2, 3), np.float32)),
        ("Box(0, 255, (84, 84, 4), uint8)", spaces.Box(0, 255, (84, 84, 4), np.uint8)),
        ("Discrete(6)", spaces.Discrete(6)),
        ("MultiDiscrete([2, 3])", spaces.MultiDiscrete([2, 3])),
        ("Tuple([Discrete(2), Box(-1, 1, (4,))])", spaces.Tuple([spaces.Discrete(2), BOX])),
        ("Dict({'a': Discrete(2)})", spaces.Dict({"a": spaces.Discrete(2)})),
        ("Dict(a=Discrete(2))", spaces.Dict({"a": spaces.Discrete(2)})),
    ],
)
def test_spaces(text: str, space: Any) -> None:
    assert parse_space(text) == space


@pytest.mark.parametrize(
    "text",
    ["Box(", "open('x')", "Box(-1, 1, __import__('os'))", "Discrete(0)", "x", "spaces.Discrete(2)"],
)
def test_nothing_else_is_evaluated(text: str) -> None:
    with pytest.raises(CannotVerifyError, match="is no space"):
        parse_space(text)


def test_batches_have_the_structure_of_the_space() -> None:
    space = spaces.Dict(
        {
            "pos": BOX,
            "pair": spaces.Tuple([spaces.Discrete(3), spaces.MultiDiscrete([2, 5])]),
            "image": spaces.Box(0, 255, (8, 8, 3), np.uint8),
        }
    )
    drawn = observations(space, seed=0, count=5)
    assert drawn["pos"].shape == (5, 4)
    assert drawn["pos"].dtype == torch.float32
    assert drawn["pair"][0].shape == (5,)
    assert drawn["pair"][1].shape == (5, 2)
    assert drawn["image"].dtype == torch.uint8


def test_a_seed_gives_the_same_samples_and_leaves_the_space_alone() -> None:
    space = spaces.Box(-1.0, 1.0, (4,), np.float32, seed=7)
    untouched = spaces.Box(-1.0, 1.0, (4,), np.float32, seed=7)
    assert torch.equal(observations(space, 1), observations(space, 1))
    assert not torch.equal(observations(space, 1), observations(space, 2))
    assert np.array_equal(space.sample(), untouched.sample())


def test_masks_leave_an_action() -> None:
    space = spaces.Dict(
        {"action_mask": spaces.Box(0.0, 1.0, (6,), np.float32), "observations": BOX}
    )
    masks = observations(space, seed=3, count=64)["action_mask"]
    assert set(masks.unique().tolist()) == {0.0, 1.0}
    assert (masks.sum(dim=1) >= 1).all()
