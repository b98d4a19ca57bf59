"""What a call really used: submodules that ran, Parameters and buffers that an operation read."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.nn.modules.module import register_module_forward_pre_hook
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from inflint.runtime.paths import covers
from inflint.runtime.sizes import storage_of, tensors_of, total_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence


@dataclass(frozen=True)
class Trace:
    """What one or more calls used, by path; an object with two names has both.

    Attributes:
        modules: Submodules whose ``forward`` ran. The module itself is not among them.
        tensors: Registered Parameters and buffers that an operation read, whether through
            their module or by a functional call.
        hidden: Modules and Parameters that were used though torch does not register them,
            such as those in a plain list; their path, or the name of their class where no
            attribute leads to them.
    """

    modules: frozenset[str]
    tensors: frozenset[str]
    hidden: tuple[str, ...]

    def uses(self, path: str) -> bool:
        """Whether anything at or below the path was used."""
        return any(covers(path, name) for name in (*self.tensors, *self.modules, *self.hidden))

    def reads(self, path: str) -> bool:
        """Whether a tensor at or below the path was read."""
        return any(covers(path, name) for name in (*self.tensors, *self.hidden))


def trace(module: nn.Module, call: Callable[[], object]) -> Trace:
    """Run a call and note what of the module it uses.

    It works on real modules, and on those built on the meta device or under fake tensors:
    operations are observed where torch dispatches them, and no value is looked at. Reading a
    shape or a dtype is no use. Compiled parts run eagerly meanwhile.

    Args:
        module: Any module.
        call: A function without arguments that calls the module.

    Raises:
        Exception: What the call raises.
    """
    with recording(module) as recorder:
        call()
    return recorder.trace()


@contextmanager
def recording(module: nn.Module) -> Iterator[Recorder]:
    """Record all use of a module within the block, also if the block raises."""
    recorder = Recorder(module)
    with ExitStack() as stack:
        handle = register_module_forward_pre_hook(recorder.entered)
        stack.callback(handle.remove)
        if hasattr(torch.compiler, "set_stance"):
            stack.enter_context(torch.compiler.set_stance("force_eager"))
        stack.enter_context(_Operations(recorder))
        yield recorder


@dataclass(frozen=True)
class _Region:
    name: str
    start: int
    end: int


class Recorder:
    """Collects what is used; see :func:`recording`."""

    def __init__(self, module: nn.Module) -> None:
        self._module = module
        self._names = _by_identity(module.named_modules(remove_duplicate=False))
        self._regions: dict[int, list[_Region]] = {}
        for name, tensor in named_tensors(module):
            self._regions.setdefault(storage_of(tensor), []).append(_region(name, tensor))
        self._modules: set[str] = set()
        self._tensors: set[str] = set()
        self._hidden: dict[int, object] = {}

    def entered(self, module: nn.Module, inputs: object) -> None:  # noqa: ARG002
        """A module is about to run."""
        names = self._names.get(id(module))
        if names is None:
            if any(storage_of(t) not in self._regions for t in tensors_of(module)):
                self._hidden.setdefault(id(module), module)
        else:
            self._modules.update(names)

    def read(self, values: Iterable[object]) -> None:
        """An operation got these arguments."""
        for value in values:
            if not isinstance(value, torch.Tensor):
                continue
            regions = self._regions.get(storage_of(value))
            if regions is not None:
                seen = _region("", value)
                self._tensors.update(
                    r.name for r in regions if r.start < seen.end and seen.start < r.end
                )
            elif isinstance(value, nn.Parameter):
                self._hidden.setdefault(id(value), value)

    def trace(self) -> Trace:
        """What was collected so far."""
        modules = frozenset(self._modules - {""})
        return Trace(modules, frozenset(self._tensors), tuple(self._hidden_names()))

    def _hidden_names(self) -> list[str]:
        homes = {id(value): path for path, value in unregistered(self._module)}
        names: dict[str, None] = {}
        inside = {
            id(tensor)
            for value in self._hidden.values()
            if isinstance(value, nn.Module)
            for tensor in tensors_of(value)
        }
        for key, value in self._hidden.items():
            if key in homes:
                names[homes[key]] = None
            elif key not in inside and not self._within(value, homes):
                names[f"<{type(value).__name__}>"] = None
        return list(names)

    def _within(self, value: object, homes: dict[int, str]) -> bool:
        """Whether another hidden module that was used holds this one."""
        return any(
            value is not other and any(value is part for part in other.modules())
            for key, other in self._hidden.items()
            if isinstance(other, nn.Module) and key in homes
        )


class _Operations(TorchDispatchMode):  # type: ignore[no-untyped-call]
    def __init__(self, recorder: Recorder) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._recorder = recorder

    def __torch_dispatch__(
        self,
        func: Any,
        types: Any,
        args: Sequence[Any] = (),
        kwargs: Any = None,
    ) -> Any:
        kwargs = kwargs or {}
        self._recorder.read(tree_leaves((args, kwargs)))
        return func(*args, **kwargs)


def unregistered(module: nn.Module) -> Iterator[tuple[str, object]]:
    """Modules and Parameters in plain lists, tuples and dicts of a module, with their paths.

    torch neither trains nor saves nor sends them.
    """
    registered = {id(m) for m in module.modules()} | {id(t) for t in tensors_of(module)}
    for prefix, part in module.named_modules():
        for name, value in part.__dict__.items():
            if name in {"_modules", "_parameters", "_buffers"}:
                continue
            for path, item in _inside(value, f"{prefix}.{name}" if prefix else name, depth=4):
                if id(item) not in registered:
                    yield path, item


def _inside(value: object, path: str, depth: int) -> Iterator[tuple[str, object]]:
    if isinstance(value, (nn.Module, nn.Parameter)):
        yield path, value
        return
    if not depth:
        return
    if isinstance(value, dict):
        pairs = [(str(key), item) for key, item in value.items()]
    elif isinstance(value, (list, tuple)):
        pairs = [(str(index), item) for index, item in enumerate(value)]
    else:
        return
    for key, item in pairs:
        yield from _inside(item, f"{path}.{key}", depth - 1)


@dataclass(frozen=True)
class UnusedPart:
    """A part with weights that no call used.

    Attributes:
        path: The largest part of which nothing was used.
        size: Bytes of its parameters and buffers.
    """

    path: str
    size: int


def unused_parts(module: nn.Module, used: Trace, listed: Iterable[str]) -> Iterator[UnusedPart]:
    """The maximal parts that hold tensors, of which no tensor was read, and that no path lists.

    A part that is listed only in pieces is looked into, and the other pieces are given. Below
    the module itself, single buffers are constants of their part, and no parts.
    """
    yield from _unused_below(module, "", used, tuple(listed))


def _unused_below(
    module: nn.Module, prefix: str, used: Trace, listed: tuple[str, ...]
) -> Iterator[UnusedPart]:
    own: list[tuple[str, Any]] = [*module._modules.items()]
    if not _is_layer(module):
        own += module._parameters.items()
    if not prefix:
        own += module._buffers.items()
    for name, value in own:
        path = f"{prefix}{name}"
        if value is None or any(covers(p, path) for p in listed):
            continue
        if not any(True for _ in tensors_of(value)):
            continue
        whole = not used.reads(path) and not any(covers(path, p) for p in listed)
        if whole:
            yield UnusedPart(path, total_bytes(tensors_of(value)))
        elif isinstance(value, nn.Module):
            yield from _unused_below(value, f"{path}.", used, listed)


def _is_layer(module: nn.Module) -> bool:
    """Whether it is one of torch's own, whose tensors belong together: a BatchNorm's counter."""
    containers = (nn.ParameterList, nn.ParameterDict)
    return type(module).__module__.startswith("torch.") and not isinstance(module, containers)


def named_tensors(module: nn.Module) -> Iterator[tuple[str, torch.Tensor]]:
    """The registered Parameters and buffers of a module, under each of their names."""
    yield from module.named_parameters(remove_duplicate=False)
    yield from module.named_buffers(remove_duplicate=False)


def _by_identity(named: Iterable[tuple[str, nn.Module]]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for name, value in named:
        found.setdefault(id(value), []).append(name)
    return found


def _region(name: str, tensor: torch.Tensor) -> _Region:
    """The elements of its storage that a tensor spans, in bytes."""
    try:
        size = tensor.element_size()
        start = int(tensor.storage_offset()) * size
        shape, strides = tensor.size(), tensor.stride()
        last = sum((int(n) - 1) * int(s) for n, s in zip(shape, strides, strict=True))
        return _Region(name, start, start + (last + 1) * size if tensor.numel() else start + 1)
    except (NotImplementedError, RuntimeError, ValueError):
        return _Region(name, 0, 1)
