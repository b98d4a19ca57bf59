"""Builds the copies of a subject, runs them, and keeps what happened."""

from __future__ import annotations

import random
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from inflint.runtime.contract import Declared, declared
from inflint.runtime.outputs import difference
from inflint.runtime.places import CannotVerifyError, brief, place_of
from inflint.runtime.report import CallResult
from inflint.runtime.sizes import state_bytes, storage_of
from inflint.runtime.tracing import Recorder, Trace, recording

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from torch import nn

    from inflint.runtime.subject import Subject

LARGEST_BUILD = 1 << 30
"""Bytes of a full copy's state above which nothing is built for real: three copies are needed."""

_NO_TRACE = Trace(frozenset(), frozenset(), ())


@dataclass(frozen=True)
class Attempt:
    """A copy, or the exception that its building raised."""

    module: nn.Module | None
    error: Exception | None = None


@dataclass(frozen=True)
class Runs:
    """The inference calls on one copy.

    Attributes:
        outputs: What they returned, by name.
        failures: What they raised, by name.
        trace: What they used, those that failed included.
    """

    outputs: Mapping[str, object]
    failures: Mapping[str, Exception]
    trace: Trace


@dataclass(frozen=True)
class Evidence:
    """All that was observed.

    Attributes:
        full: The learner's copy, with target networks.
        declared: What it lists.
        whole: The inference-only copy from which nothing was removed.
        runner: The inference-only copy.
        whole_runs: The calls on ``whole``.
        runner_runs: The calls on ``runner``, after the sync.
        sent: The state that ``full`` sends.
        sync_error: What loading it into ``runner`` raised.
        results: The calls on ``runner``, compared with ``full``.
        simulated: Whether all copies are on the meta device.
    """

    full: nn.Module
    declared: Declared
    whole: Attempt
    runner: Attempt
    whole_runs: Runs
    runner_runs: Runs
    sent: Mapping[str, Any]
    sync_error: Exception | None
    results: tuple[CallResult, ...]
    simulated: bool

    @property
    def missing_keys(self) -> tuple[str, ...]:
        """Keys that the inference-only copy has and the sent state lacks."""
        if self.runner.module is None:
            return ()
        return tuple(key for key in self.runner.module.state_dict() if key not in self.sent)

    @property
    def stale(self) -> tuple[str, ...]:
        """Those of them that an inference call read, and that are not sent under another name."""
        if self.runner.module is None:
            return ()
        state = self.runner.module.state_dict()
        sent = {storage_of(state[key]) for key in state if key in self.sent}
        read = (key for key in self.missing_keys if key in self.runner_runs.trace.tensors)
        return tuple(key for key in read if storage_of(state[key]) not in sent)


def too_large(subject: Subject) -> bool:
    """Whether the full copy is too large to build; found out on the meta device."""
    try:
        with torch.device("meta"):
            full = subject.build_full()
    except Exception:  # noqa: BLE001 - user code that needs real values
        return False
    return state_bytes(full.state_dict()) > LARGEST_BUILD


def gather(subject: Subject, seed: int, progress: Callable[[str], None]) -> Evidence:
    """Build and run the copies.

    All inference calls are made twice on each copy, and the sync is between them: what a call
    makes the first time is there, and counters agree.

    Raises:
        ContractError: The list is none.
        CannotVerifyError: The full copy can't compute its own inference calls.
        Exception: What building the full copy raises.
    """
    progress("sizing")
    simulated = too_large(subject)
    with _device(simulated=simulated):
        progress("building the full copy")
        _seed(seed)
        full = subject.build_full()
        names = declared(full)
        progress("building the inference-only copy")
        _seed(seed + 1)
        whole = _attempt(partial(subject.build_listing, ()))
        _seed(seed + 1)
        runner = _attempt(subject.build_runner)
        if not simulated:
            _disturb(full, seed + 2)
        progress("running inference calls")
        for module in (full, whole.module, runner.module):
            _run(subject, module, seed, watched=False)
        expected = _run(subject, full, seed, watched=False)
        whole_runs = _run(subject, whole.module, seed)
        _refuse_own_failures(subject, expected)
        progress("syncing weights")
        sent, sync_error = _sync(subject, full, runner.module)
        seen = _run(subject, runner.module, seed)
        results = tuple(_compare(expected, seen, synced=sync_error is None))
    return Evidence(
        full, names, whole, runner, whole_runs, seen, sent, sync_error, results, simulated
    )


def can_go(
    subject: Subject, paths: Sequence[str], seed: int, *, simulated: bool
) -> tuple[str, ...]:
    """Those of some paths that an inference-only copy can be built and run without."""
    if not paths or _runs_without(subject, tuple(paths), seed, simulated=simulated):
        return tuple(paths)
    return tuple(p for p in paths if _runs_without(subject, (p,), seed, simulated=simulated))


def _runs_without(subject: Subject, paths: tuple[str, ...], seed: int, *, simulated: bool) -> bool:
    with _device(simulated=simulated):
        _seed(seed)
        attempt = _attempt(partial(subject.build_listing, paths))
        if attempt.module is None:
            return False
        return not _run(subject, attempt.module, seed, watched=False).failures


def _device(*, simulated: bool) -> AbstractContextManager[Any]:
    return torch.device("meta") if simulated else nullcontext()


def _seed(seed: int) -> None:
    torch.manual_seed(seed)
    np.random.seed(seed)
    random.seed(seed)


def _attempt(build: Callable[[], nn.Module]) -> Attempt:
    try:
        return Attempt(build())
    except Exception as error:  # noqa: BLE001 - any exception is evidence
        return Attempt(None, error)


def _disturb(module: nn.Module, seed: int) -> None:
    """Make all weights differ from those of any other copy, zero biases and heads included."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.is_floating_point() and parameter.numel():
                noise = torch.randn(parameter.shape, generator=generator).to(parameter)
                scale = parameter.std() if parameter.numel() > 1 else parameter.abs().mean()
                parameter.add_(noise * (0.1 * scale + 0.01))


def _run(subject: Subject, module: nn.Module | None, seed: int, *, watched: bool = True) -> Runs:
    if module is None:
        return Runs({}, {}, _NO_TRACE)
    outputs: dict[str, object] = {}
    failures: dict[str, Exception] = {}
    recorder: Recorder | None
    with recording(module) if watched else nullcontext() as recorder:
        try:
            calls = subject.calls(module)
        except Exception as error:  # noqa: BLE001 - the copy lacks what its inputs depend on
            return Runs({}, {"state": error}, _NO_TRACE)
        for call in calls:
            _seed(seed)
            try:
                outputs[call.name] = call.run(module)
            except Exception as error:  # noqa: BLE001 - any exception is evidence
                failures[call.name] = error
    return Runs(outputs, failures, recorder.trace() if recorder is not None else _NO_TRACE)


def _refuse_own_failures(subject: Subject, runs: Runs) -> None:
    for name, error in runs.failures.items():
        message = f"{subject.name}: the full module's own {name} raises {brief(error)}"
        raise CannotVerifyError(message, place_of(error)) from error


def _sync(
    subject: Subject, full: nn.Module, runner: nn.Module | None
) -> tuple[Mapping[str, Any], Exception | None]:
    try:
        sent = subject.send(full)
    except Exception as error:  # noqa: BLE001 - any exception is evidence
        return {}, error
    try:
        if runner is not None:
            subject.receive(runner, sent)
    except Exception as error:  # noqa: BLE001 - any exception is evidence
        return sent, error
    return sent, None


def _compare(expected: Runs, seen: Runs, *, synced: bool) -> list[CallResult]:
    results = []
    for name, error in seen.failures.items():
        results.append(CallResult(name, ran=False, equal=None, detail=brief(error)))
    for name, value in seen.outputs.items():
        if not synced:
            results.append(CallResult(name, ran=True, equal=None, detail="no weights were loaded"))
            continue
        unequal = difference(expected.outputs.get(name), value)
        results.append(CallResult(name, ran=True, equal=not unequal, detail=unequal))
    return results
