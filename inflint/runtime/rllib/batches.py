"""Inputs of an EnvRunner's forward calls, sampled from spaces.

Observations have shape ``(B, ...)``, or ``(B, 1, ...)`` if the module is stateful; states have
shape ``(B, ...)``. Sources: the env-to-module connectors of Ray 2.60.0 (``BatchIndividualItems``,
``AddTimeDimToBatchAndZeroPad``, ``AddStatesFromEpisodesToBatch``, ``NumpyToTensor``).
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import gymnasium as gym
import numpy as np
import torch
from ray.rllib.core.columns import Columns
from ray.rllib.utils.torch_utils import convert_to_torch_tensor

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
        Tensors of shape ``(count, ...)`` in the structure of the space.
    """
    space = copy.deepcopy(space)
    space.seed(seed)
    return convert_to_torch_tensor(_stack([_sample(space) for _ in range(count)], space))


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
    return np.stack([np.asarray(s) for s in samples])


def batch(observation: Any, state: Any, device: torch.device | None) -> dict[str, Any]:
    """A batch of one time step.

    Args:
        observation: Tensors of shape ``(B, ...)``.
        state: Tensors of shape ``(B, ...)``, or None for a module without state.
        device: Where the module is; None for the CPU.
    """
    if state is None:
        return {Columns.OBS: _map(observation, lambda t: t.to(device))}
    return {
        Columns.OBS: _map(observation, lambda t: t.unsqueeze(1).to(device)),
        Columns.STATE_IN: _map(state, lambda t: t.to(device)),
    }


def first_state(initial: Any, count: int = BATCH) -> Any:
    """A module's initial state, repeated for each row of a batch."""

    def repeat(value: Any) -> torch.Tensor:
        tensor = torch.as_tensor(value)
        return tensor.unsqueeze(0).expand(count, *tensor.shape).clone()

    return _map(initial, repeat)


def _map(value: Any, function: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _map(item, function) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_map(item, function) for item in value)
    return function(value)
