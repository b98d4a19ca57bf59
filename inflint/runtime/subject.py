"""What is verified: a module in its three copies, and the calls that inference makes."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import torch

from inflint.runtime.contract import has_list
from inflint.runtime.sizes import state_bytes
from inflint.runtime.state import inference_state, load_inference_state
from inflint.runtime.strip import strip_for_inference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from torch import nn

    from inflint.runtime.evidence import Evidence
    from inflint.runtime.report import Cause


@dataclass(frozen=True)
class Call:
    """An inference call.

    Attributes:
        name: As it is shown.
        run: Calls the given copy and returns tensors, or nested dicts and lists of them.
    """

    name: str
    run: Callable[[Any], object]


class Subject(Protocol):
    """How a kind of module is built, called and synced."""

    @property
    def name(self) -> str:
        """The target."""

    @property
    def module_class(self) -> type:
        """The module's class."""

    @property
    def nested_paths_work(self) -> bool:
        """Whether whoever strips the module can remove what lies below another part."""

    def build_full(self) -> nn.Module:
        """The copy of the learner, with its target networks."""

    def carried(self, full: nn.Module) -> int:
        """Bytes of a full copy's state, without what only a Learner adds to it."""

    def build_listing(self, paths: tuple[str, ...]) -> nn.Module:
        """An inference-only copy as it would be if just these paths were listed."""

    def build_runner(self) -> nn.Module:
        """An inference-only copy as it really is: what is listed was removed."""

    def calls(self, module: nn.Module) -> Sequence[Call]:
        """What inference calls; inputs fit the given copy and are the same every time."""

    def send(self, full: nn.Module) -> Mapping[str, Any]:
        """The state that a full copy sends."""

    def receive(self, runner: nn.Module, state: Mapping[str, Any]) -> None:
        """Load such a state."""

    def build_failed(self, error: Exception) -> Cause | None:
        """Why the full copy can't be built, if that is the list's fault."""

    def diagnose(self, evidence: Evidence) -> Iterable[Cause]:
        """What only this kind of module has to say."""


@dataclass(frozen=True)
class TorchSubject:
    """A plain ``torch.nn.Module`` that implements the contract; no framework is involved.

    Attributes:
        name: As it is shown.
        module: The full module. It is copied, never changed.
        inferences: The inference calls; each gets a copy of the module.
    """

    name: str
    module: nn.Module
    inferences: tuple[Call, ...]

    nested_paths_work = True

    @property
    def module_class(self) -> type:
        """The module's class."""
        return type(self.module)

    def build_full(self) -> nn.Module:
        """A copy."""
        return copy.deepcopy(self.module)

    def carried(self, full: nn.Module) -> int:
        """Bytes of the whole state: nothing is added later."""
        return state_bytes(full.state_dict())

    def build_listing(self, paths: tuple[str, ...]) -> nn.Module:
        """A copy in evaluation mode without these paths."""
        module = copy.deepcopy(self.module).eval()
        strip_for_inference(module, paths)
        return module

    def build_runner(self) -> nn.Module:
        """A stripped copy in evaluation mode."""
        module = copy.deepcopy(self.module).eval()
        strip_for_inference(module)
        return module

    def calls(self, module: nn.Module) -> Sequence[Call]:  # noqa: ARG002 - same for all copies
        """The inference calls, without gradients and in evaluation mode."""
        return tuple(Call(call.name, _evaluating(call.run)) for call in self.inferences)

    def send(self, full: nn.Module) -> Mapping[str, Any]:
        """The reduced state."""
        return inference_state(full)

    def receive(self, runner: nn.Module, state: Mapping[str, Any]) -> None:
        """Load it."""
        load_inference_state(runner, state)

    def build_failed(self, error: Exception) -> Cause | None:  # noqa: ARG002
        """A copy that fails is no fault of the list."""
        return None

    def diagnose(self, evidence: Evidence) -> Iterable[Cause]:
        """Whether it implements the contract at all."""
        from inflint.runtime.diagnosis import misspelled

        if not has_list(evidence.full):
            yield from misspelled(self.module_class)


def _evaluating(run: Callable[[Any], object]) -> Callable[[Any], object]:
    def call(module: nn.Module) -> object:
        training = module.training
        module.eval()
        try:
            with torch.no_grad():
                return run(module)
        finally:
            module.train(training)

    return call


def torch_subject(
    module: nn.Module,
    inputs: Sequence[object] = (),
    *,
    name: str = "",
    calls: Mapping[str, Callable[[Any], object]] | None = None,
) -> TorchSubject:
    """A plain module as something to verify.

    Args:
        module: A full module.
        inputs: What to call it with: positional arguments, of the shapes that it expects.
        name: As it is shown; by default the class's name.
        calls: Other inference calls instead, by name; each gets the module.
    """
    arguments = tuple(inputs)
    chosen = calls or {"forward": lambda m: m(*arguments)}
    shown = name or type(module).__qualname__
    return TorchSubject(shown, module, tuple(Call(n, run) for n, run in chosen.items()))
