"""Taking the listed parts off a module: what an inference process need not hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from torch import nn

from inflint.runtime.contract import declared
from inflint.runtime.paths import Resolved, UnresolvedPathError, resolve
from inflint.runtime.sizes import storage_sizes, tensors_of, total_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable


class NotRemovableError(AttributeError):
    """A listed path can't be deleted, because only its owner's class has it.

    Attributes:
        path: The path.
    """

    def __init__(self, path: str, kind: str) -> None:
        super().__init__(f"{path!r} is a {kind}: only instance attributes can be removed")
        self.path = path


@dataclass(frozen=True)
class Removed:
    """A part that was taken off.

    Attributes:
        path: As listed.
        kind: As in :class:`~inflint.runtime.paths.Resolved`.
        size: Bytes of the parameters and buffers that it held, each counted once.
    """

    path: str
    kind: str
    size: int


@dataclass(frozen=True)
class Stripped:
    """What :func:`strip_for_inference` did.

    Attributes:
        removed: The parts that are gone, in the order listed.
        skipped: Listed paths that were absent or None.
        freed: Bytes of the tensors that the module does not hold any more, under any name.
            Weights tied to a part that stays are not among them.
    """

    removed: tuple[Removed, ...]
    skipped: tuple[str, ...]
    freed: int


class RemovedPart(nn.Module):
    """Holds the place of an element that others follow, so that they keep their index."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path

    def forward(self, *args: object, **kwargs: object) -> NoReturn:  # noqa: ARG002
        """Refuse.

        Raises:
            AttributeError: Always; as for any other part that was removed.
        """
        raise AttributeError(f"{self.path!r} was removed for inference", name=self.path)


def strip_for_inference(module: nn.Module, paths: Iterable[str] | None = None) -> Stripped:
    """Delete each listed path at its owner, in place.

    All paths are resolved before the first is deleted, so neither order nor duplicates nor
    parents listed with their children matter. An element of a ``ModuleList`` or ``Sequential``
    that others follow leaves a :class:`RemovedPart`, so that their indices and keys stay.

    Args:
        module: Any module. It is changed.
        paths: What to remove; by default what the module itself lists.

    Raises:
        ContractError: The module's own list is no list of paths. Nothing is removed.
        NotRemovableError: A path names a method, property or class attribute. Nothing is
            removed.
    """
    listed = declared(module).paths if paths is None else tuple(dict.fromkeys(paths))
    found: list[Resolved] = []
    skipped: list[str] = []
    for path in listed:
        try:
            part = resolve(module, path)
        except UnresolvedPathError:
            skipped.append(path)
            continue
        if part.value is None:
            skipped.append(path)
            continue
        if part.kind == "class attribute":
            raise NotRemovableError(path, _class_kind(part))
        found.append(part)
    before = storage_sizes(module)
    removed = tuple(Removed(p.path, p.kind, total_bytes(tensors_of(p.value))) for p in found)
    for part in sorted(found, key=_last_first):
        _delete(part)
    after = storage_sizes(module)
    freed = sum(size for key, size in before.items() if key not in after)
    return Stripped(removed, tuple(skipped), freed)


def _class_kind(part: Resolved) -> str:
    inherited: Any = getattr(type(part.owner), part.leaf, None)
    if isinstance(inherited, property):
        return "property"
    return "method" if callable(inherited) else "class attribute"


def _last_first(part: Resolved) -> int:
    return -int(part.leaf) if part.leaf.isdecimal() else 0


def _delete(part: Resolved) -> None:
    owner, leaf = part.owner, part.leaf
    if isinstance(owner, nn.ParameterDict):
        if leaf in owner:
            del owner[leaf]
    elif isinstance(owner, (nn.ModuleList, nn.Sequential)) and leaf in owner._modules:
        if leaf == next(reversed(owner._modules)):
            delattr(owner, leaf)
        else:
            owner._modules[leaf] = RemovedPart(part.path)
    elif isinstance(owner, nn.Module) and leaf in owner._modules:
        del owner._modules[leaf]
    elif leaf in getattr(owner, "__dict__", {}) or _registered(owner, leaf):
        delattr(owner, leaf)


def _registered(owner: object, leaf: str) -> bool:
    return isinstance(owner, nn.Module) and (leaf in owner._parameters or leaf in owner._buffers)
