"""Compares what two copies returned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch

RELATIVE, ABSOLUTE = 1e-5, 1e-6
"""Tolerances: the copies do the same operations, but a library may choose another kernel."""


def difference(expected: object, given: object) -> str:
    """Where the stripped copy's output differs; empty if nowhere.

    What only the full copy gives, or the stripped one gives as None, is no difference: it may
    come from a part that was removed. A caller that needs it must compare a subset.
    """
    reference = dict(leaves(expected))
    ours = {key: value for key, value in leaves(given) if value is not None}
    if reference and not ours:
        return "the stripped module gives nothing"
    for key, value in ours.items():
        if key not in reference:
            return f"{key or 'the output'} is given by the stripped module only"
        unequal = _unequal(reference[key], value)
        if unequal:
            return f"{key or 'the output'}: {unequal}"
    return ""


def leaves(value: object, path: str = "") -> Iterator[tuple[str, Any]]:
    """The leaves of nested mappings and sequences, with their paths."""
    if isinstance(value, Mapping):
        pairs = [(str(key), item) for key, item in value.items()]
    elif isinstance(value, (list, tuple)):
        pairs = [(str(index), item) for index, item in enumerate(value)]
    else:
        yield path, value
        return
    for key, item in pairs:
        yield from leaves(item, f"{path}.{key}" if path else key)


def _unequal(expected: Any, given: Any) -> str:
    if isinstance(expected, np.ndarray):
        expected = torch.as_tensor(expected)
    if isinstance(given, np.ndarray):
        given = torch.as_tensor(given)
    if isinstance(expected, torch.Tensor) and isinstance(given, torch.Tensor):
        return _tensors_unequal(expected, given)
    if isinstance(expected, type) and isinstance(given, type):
        # A factory may make a new class of the same name in each call.
        expected, given = expected.__qualname__, given.__qualname__
    if isinstance(expected, (bool, int, float, str)) and expected != given:
        return f"{given!r}, not {expected!r}"
    return ""


def _tensors_unequal(expected: torch.Tensor, given: torch.Tensor) -> str:
    if expected.shape != given.shape:
        return f"shape {tuple(given.shape)}, not {tuple(expected.shape)}"
    if expected.device.type == "meta" or given.device.type == "meta":
        return ""
    if expected.dtype != given.dtype:
        return f"{given.dtype}, not {expected.dtype}"
    if not expected.is_floating_point():
        return "" if torch.equal(expected, given) else "other values"
    if torch.allclose(expected, given, rtol=RELATIVE, atol=ABSOLUTE, equal_nan=True):
        return ""
    largest = (expected - given).abs().nan_to_num(nan=float("inf")).max().item()
    return f"differs by up to {largest:.3g}"
