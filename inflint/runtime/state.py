"""The reduced state: what a learner sends to those who only compute actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from inflint.runtime.contract import declared
from inflint.runtime.paths import UnresolvedPathError, covers, resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from torch import nn


class IncompleteStateError(ValueError):
    """A state lacks weights that the module needs.

    Attributes:
        missing: The keys, in the module's order.
    """

    def __init__(self, missing: tuple[str, ...]) -> None:
        super().__init__(f"the state lacks {', '.join(missing)}; nothing was loaded")
        self.missing = missing


class ShapeMismatchError(ValueError):
    """A state has weights of other shapes than the module.

    Attributes:
        keys: The keys, in the module's order.
    """

    def __init__(self, keys: tuple[str, ...], message: str) -> None:
        super().__init__(message)
        self.keys = keys


def inference_state(
    module: nn.Module, paths: Iterable[str] | None = None
) -> dict[str, torch.Tensor]:
    """The state dict without the keys at or below a listed path, by whole path segments.

    ``"vf"`` leaves out ``vf.weight`` and keeps ``vf2.weight``. The tensors are those of the
    module, not copies, as in ``state_dict()``.

    Args:
        module: A full module, or one that is stripped already.
        paths: What to leave out; by default what the module itself lists.

    Raises:
        ContractError: The module's own list is no list of paths.
    """
    listed = list(declared(module).paths if paths is None else paths)
    listed += [_key(module, path) for path in listed]
    state: dict[str, torch.Tensor] = module.state_dict()
    return {k: v for k, v in state.items() if not any(covers(p, k) for p in listed)}


def _key(module: nn.Module, path: str) -> str:
    """The path as the state's keys spell it."""
    try:
        return resolve(module, path).key
    except UnresolvedPathError:
        return path


def load_inference_state(module: nn.Module, state: Mapping[str, Any]) -> tuple[str, ...]:
    """Load a state into a stripped module, all of it or nothing.

    Args:
        module: The module; it is changed.
        state: Tensors or NumPy arrays by key, of the module's shapes.

    Returns:
        The keys of the state that the module has no place for; they are ignored.

    Raises:
        IncompleteStateError: The module has a parameter or buffer that the state lacks.
        ShapeMismatchError: A tensor has another shape.
    """
    own = module.state_dict()
    missing = tuple(key for key in own if key not in state)
    if missing:
        raise IncompleteStateError(missing)
    ready = {key: _tensor(value) for key, value in state.items()}
    wrong = tuple(
        key
        for key, value in own.items()
        if isinstance(value, torch.Tensor) and value.shape != getattr(ready[key], "shape", None)
    )
    if wrong:
        told = "; ".join(f"{key} is {_shape(ready[key])}, not {_shape(own[key])}" for key in wrong)
        raise ShapeMismatchError(wrong, f"{told}; nothing was loaded")
    module.load_state_dict({key: ready[key] for key in own})
    return tuple(key for key in state if key not in own)


def _tensor(value: Any) -> Any:
    return torch.as_tensor(value) if isinstance(value, np.ndarray) else value


def _shape(value: Any) -> str:
    return str(tuple(value.shape)) if hasattr(value, "shape") else type(value).__name__
