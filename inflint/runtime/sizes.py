"""Bytes of tensors. All sizes are bytes; tensors on the meta device count as if they were real."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.nn.parameter import is_lazy

if TYPE_CHECKING:
    from collections.abc import Iterator


def tensor_bytes(tensor: Any) -> int:
    """Bytes of a tensor or array; zero for anything else."""
    if isinstance(tensor, torch.Tensor):
        if is_lazy(tensor):
            return 0
        return tensor.numel() * tensor.element_size()
    return int(getattr(tensor, "nbytes", 0))


def state_bytes(state: Mapping[str, Any], path: str | None = None) -> int:
    """Bytes of a state, or of the part of it below a path, as they are sent: aliases twice."""
    from inflint.runtime.paths import covers

    return sum(tensor_bytes(v) for k, v in state.items() if path is None or covers(path, k))


def tensors_of(value: Any) -> Iterator[torch.Tensor]:
    """The tensors that a value holds: a module's, a tensor itself, or a plain container's."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, nn.Module):
        yield from value.parameters()
        yield from value.buffers()
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from tensors_of(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors_of(item)


def total_bytes(tensors: Iterable[torch.Tensor]) -> int:
    """Bytes of tensors, each object counted once."""
    return sum(tensor_bytes(t) for t in {id(t): t for t in tensors}.values())


def storage_of(tensor: torch.Tensor) -> int:
    """Identifies the storage that a tensor is a view of, on any device; its own if it has none."""
    try:
        return int(tensor.untyped_storage()._cdata)
    except (NotImplementedError, RuntimeError, ValueError):
        return -id(tensor)


def storage_sizes(module: nn.Module) -> dict[int, int]:
    """The storages that a module holds, registered or in plain attributes, and their bytes."""
    found: dict[int, int] = {}
    plain = [
        value
        for part in module.modules()
        for name, value in part.__dict__.items()
        if name not in {"_parameters", "_buffers", "_modules"}
    ]
    for tensor in (*tensors_of(module), *tensors_of(plain)):
        if not is_lazy(tensor):
            found[storage_of(tensor)] = tensor.untyped_storage().nbytes()
    return found
