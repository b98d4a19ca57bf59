"""Observations sampled from spaces, in batches."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium as gym
import numpy as np
import torch

BATCH = 4
"""Rows of each batch: an EnvRunner with four environments."""

MASK = "action_mask"
"""The usual key of a mask of valid actions in a Dict observation."""


def observations(space: gym.Space[Any], seed: int, count: int = BATCH) -> Any:
    """Samples of a space, batched as connectors do.

    Args:
        space: Box, Discrete, MultiDiscrete, MultiBinary, Dict or Tuple, nested at will. Boxes
            without bounds give normal values. Under the key ``action_mask`` of a Dict, each
            row has at least one valid action.
        seed: The same seed gives the same samples. The space itself is not changed.
        count: Rows.

    Returns:
        Tensors of shape ``(count, ...)`` in the structure of the space, with its dtypes; but
        float32 for float64.
    """
    space = copy.deepcopy(space)
    space.seed(seed)
    return _stack([_sample(space) for _ in range(count)], space)


def _sample(space: gym.Space[Any]) -> Any:
    if isinstance(space, gym.spaces.Dict):
        return {
            key: _mask(part) if key == MASK else _sample(part) for key, part in space.spaces.items()
        }
    if isinstance(space, gym.spaces.Tuple):
        return tuple(_sample(part) for part in space.spaces)
    return space.sample()


def _mask(space: gym.Space[Any]) -> Any:
    drawn = np.asarray(space.sample())
    return ((drawn > np.median(drawn)) | (drawn == drawn.max())).astype(drawn.dtype)


def _stack(samples: list[Any], space: gym.Space[Any]) -> Any:
    if isinstance(space, gym.spaces.Dict):
        return {k: _stack([s[k] for s in samples], part) for k, part in space.spaces.items()}
    if isinstance(space, gym.spaces.Tuple):
        parts = enumerate(space.spaces)
        return tuple(_stack([s[i] for s in samples], part) for i, part in parts)
    stacked = torch.from_numpy(np.stack([np.asarray(s) for s in samples]))
    return stacked.float() if stacked.dtype == torch.float64 else stacked
