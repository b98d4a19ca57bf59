"""Inputs of an EnvRunner's forward calls, of one time step.

Observations have shape ``(B, ...)``, or ``(B, 1, ...)`` if the module is stateful; states have
shape ``(B, ...)``. Sources: the env-to-module connectors of Ray 2.60.0 (``BatchIndividualItems``,
``AddTimeDimToBatchAndZeroPad``, ``AddStatesFromEpisodesToBatch``, ``NumpyToTensor``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from ray.rllib.core.columns import Columns

from inflint.runtime.samples import BATCH


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
