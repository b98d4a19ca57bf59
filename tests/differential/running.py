"""What generated classes really do: built under RLlib, traced, stripped, synced, compared.

The *reference* of a class is the module as an EnvRunner has it, with all weights of the Learner
and without RLlib's own removal, so that a wrong list cannot hide the truth; only listed names
that its own code does without (behind ``hasattr``, say) are taken off it. A path is *unused* if
the reference computes the same without it, and *used* if a traced call ran or read it.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import itertools
import re
import sys
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any
from unittest import mock

import gymnasium as gym
import numpy as np
import torch
import tree
from ground_truth import delete, dqn, paths_of, ppo, sac, same
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule

from inflint.runtime.paths import covers
from inflint.runtime.tracing import Trace, recording

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path
    from types import CodeType

    from inflint.syntax.facts import Span
    from tests.differential.programs import Program

METHOD = "get_non_inference_attributes"
SPACES = {
    "observation_space": gym.spaces.Box(-1.0, 1.0, (2,), np.float32),
    "action_space": gym.spaces.Discrete(2),
}
BATCH = 3
OBSERVATIONS = torch.tensor([[0.3, -0.7], [0.9, 0.2], [-0.4, 0.6]])
_CONFIGS = {"PPO": ppo, "DQN": dqn, "SAC": sac}


@dataclass(frozen=True)
class Outcome:
    """What each inference call gave, or the error that it raised."""

    values: dict[str, Any]
    errors: dict[str, str]

    def differing(self, other: Outcome) -> list[str]:
        """The calls that gave something else."""
        return [
            name
            for name, value in self.values.items()
            if name in other.values and not same(value, other.values[name])
        ]


@dataclass(frozen=True)
class Deployed:
    """A class as RLlib deploys it: a Learner, an EnvRunner, a weight sync, inference.

    Attributes:
        stage: Where it failed: ``learner``, ``runner``, ``get_state``, ``sync``,
            ``inference``, or ``stale`` where it computes with weights that were never synced;
            empty where it did not fail.
        error: With what.
        listed: What the Learner lists, each time that it is asked; None where it cannot say.
        sent: The keys that a sync carries.
        survivors: Listed paths that are still there on the EnvRunner.
        lost: Paths that it lost though they are not listed.
    """

    stage: str
    error: str = ""
    listed: tuple[Any, ...] | None = None
    sent: frozenset[str] = frozenset()
    survivors: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()
    attributes: frozenset[str] = frozenset()
    outcome: Outcome | None = None


@dataclass
class Bench:
    """One class under one model config."""

    cls: type[Any]
    config: dict[str, Any]
    problem: str = ""
    names: tuple[str, ...] = ()
    trace: Trace | None = None
    _spared: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        plain = {METHOD: lambda _: [], "__module__": self.cls.__module__}
        self._untrimmed = type(self.cls.__name__, (self.cls,), plain)
        try:
            learner = build(self._untrimmed, self.config, inference_only=False, seed=2)
            _make_targets(learner)
            self.state = {k: v.clone() for k, v in learner.state_dict().items()}
            runner = build(self._untrimmed, self.config, inference_only=True, seed=1)
        except Exception as error:  # noqa: BLE001 - whatever the class does wrong
            self.problem = f"{type(error).__name__}: {error}"
            return
        self.paths = sorted({*paths_of(learner), *paths_of(runner)}, key=_by_depth)
        self.on_runner = frozenset(paths_of(runner))
        self.missing = set(runner.load_state_dict(self.state, strict=False).missing_keys)
        self.keys = frozenset(self.state)
        self._names_of = _names_by_object(runner)
        with recording(runner) as recorder:
            self.full = probe(runner)
        self.trace = recorder.trace()
        if self.full.errors:
            self.problem = next(iter(self.full.errors.values()))
            return
        self.reference = self.full
        self.names = tuple(self._listed(runner, self.cls))
        if issubclass(self.cls, InferenceOnlyAPI):
            self._spared = self._harmless(self.names)
            if self._spared:
                self.reference, _, self.trace = self._attempt(self._spared, traced=True)

    def _harmless(self, names: Sequence[str]) -> tuple[str, ...]:
        """Those of the names that the class's own code does without, all of them together.

        What it goes on using through a reference that torch does not know is not among them,
        nor what it asks for once the others are gone.
        """
        spared = [n for n in names if self._does_without([n])]
        while spared and not self._does_without(spared):
            errors = " ".join(self._attempt(spared)[0].errors.values())
            asked = {m for m in re.findall(r"no attribute '(\w+)'", errors) if m in spared}
            if not asked:
                return ()
            spared = [n for n in spared if n not in asked]
        return tuple(spared)

    def _does_without(self, paths: Sequence[str]) -> bool:
        outcome, _, trace = self._attempt(paths, traced=True)
        if outcome.errors or trace is None or self.trace is None:
            return False
        return set(trace.hidden) <= set(self.trace.hidden)

    @cached_property
    def intended(self) -> Outcome:
        """What the reference would compute if RLlib asked for the class's list."""
        if issubclass(self.cls, InferenceOnlyAPI):
            return self.reference
        return self._attempt(self._harmless(self.names))[0]

    def _listed(self, module: Any, cls: type[Any]) -> list[str]:
        """What a class itself lists, as far as it can be removed."""
        try:
            names = getattr(cls, METHOD)(module)
            return [n for n in names if isinstance(n, str) and n and _has(module, n)]
        except Exception:  # noqa: BLE001 - a list that is none removes nothing
            return []

    def _attempt(
        self, paths: Iterable[str], *, traced: bool = False
    ) -> tuple[Outcome, set[str], Trace | None]:
        """A runner without some paths: what it computes, and which weights it missed."""
        paths = list(paths)
        try:
            module = build(self._untrimmed, self.config, inference_only=True, seed=1, without=paths)
        except Exception as error:  # noqa: BLE001 - any error means that no EnvRunner starts
            return Outcome({}, {"build": f"{type(error).__name__}: {error}"}), set(), None
        state = {k: v for k, v in self.state.items() if not any(covers(p, k) for p in paths)}
        missing = set(module.load_state_dict(state, strict=False).missing_keys) - self.missing
        if not traced:
            return probe(module), missing, None
        with recording(module) as recorder:
            outcome = probe(module)
        return outcome, missing, recorder.trace()

    def why_needed(self, paths: Iterable[str]) -> str | None:
        """Why inference needs some of the paths, or None if it gets by without all of them."""
        outcome, missing, _ = self._attempt([*self._spared, *paths])
        if outcome.errors:
            return next(iter(outcome.errors.values()))
        if missing:
            return f"keys missing at the sync: {sorted(missing)}"
        differing = self.reference.differing(outcome)
        return f"{differing[0]} differs" if differing else None

    def uses(self, paths: list[str]) -> list[str]:
        """Those of the paths that a traced inference call ran or read.

        What it used may have another name that stays: then it need not have come this way.
        """
        if self.trace is None:
            return []
        used = [*self.trace.tensors, *self.trace.modules]
        gone = [
            name
            for name in used
            if not any(
                not any(covers(p, other) for p in paths)
                for other in self._names_of.get(name, (name,))
            )
        ]
        return [p for p in paths if any(covers(p, name) for name in gone)]

    def solo(self, names: list[str]) -> Deployed:
        """What becomes of the class if it lists just these names."""
        alone = {METHOD: lambda _: list(names), "__module__": self.cls.__module__}
        bases = (
            (self.cls,) if issubclass(self.cls, InferenceOnlyAPI) else (self.cls, InferenceOnlyAPI)
        )
        cls = type(self.cls.__name__, bases, alone)
        return deploy(cls, self.config, self.reference, self.on_runner)

    @cached_property
    def returned(self) -> Any:
        """What the class's own method returns on a Learner; the error that it raises."""
        module = build(self._untrimmed, self.config, inference_only=False, seed=2)
        try:
            return getattr(self.cls, METHOD)(module)
        except Exception as error:  # noqa: BLE001 - a wrong method may raise anything
            return error

    @cached_property
    def grows(self) -> bool:
        """Whether what the class's own method returns grows with each call."""
        module = build(self._untrimmed, self.config, inference_only=False, seed=2)
        method = getattr(self.cls, METHOD)
        first = len(method(module))
        return len(method(module)) > first

    def reaches(self, file: str, span: Span) -> bool:
        """Whether building the full module for an EnvRunner and running it evaluates a place.

        Python tells what each instruction belongs to from 3.11 on; before, the line has to do.
        """
        reached = False

        def trace(frame: Any, event: str, _: Any) -> Any:
            nonlocal reached
            code = frame.f_code
            if code.co_filename != file:
                return None
            frame.f_trace_opcodes = True
            if event == "opcode" and frame.f_lineno == span.line:
                reached = reached or _is_within(code, frame.f_lasti, span)
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            probe(build(self._untrimmed, self.config, inference_only=True, seed=1))
        finally:
            sys.settrace(before)
        return reached

    @cached_property
    def deployed(self) -> Deployed:
        """What RLlib makes of the class."""
        return self.deploy(self.cls)

    def deploy(self, cls: type[Any]) -> Deployed:
        """What RLlib makes of the class, or of what a fix made of it."""
        reference = self.intended if issubclass(cls, InferenceOnlyAPI) else self.full
        if cls is not self.cls and self.names and issubclass(cls, InferenceOnlyAPI):
            module = build(cls, self.config, inference_only=False, seed=2)
            still = set(self._listed(module, cls))
            if not still.issuperset(self.names):  # what it no longer lists has to be there
                listed = [n for n in self.names if n in still]
                reference = self._attempt(self._harmless(listed))[0]
        return deploy(cls, self.config, reference, self.on_runner)


def _is_within(code: CodeType, offset: int, span: Span) -> bool:
    """Whether the instruction at an offset belongs to an expression."""
    if not hasattr(code, "co_positions"):
        return True
    place = next(itertools.islice(code.co_positions(), offset // 2, None))
    line, end_line, column, end_column = (-1 if each is None else each for each in place)
    begins = (span.line, span.column) <= (line, column)
    return begins and (end_line, end_column) <= (span.end_line, span.end_column)


def _names_by_object(module: Any) -> dict[str, tuple[str, ...]]:
    """All names of what a registered name leads to."""
    found: dict[int, list[str]] = {}
    for name, value in (
        *module.named_modules(remove_duplicate=False),
        *module.named_parameters(remove_duplicate=False),
        *module.named_buffers(remove_duplicate=False),
    ):
        found.setdefault(id(value), []).append(name)
    return {name: tuple(names) for names in found.values() for name in names}


def _by_depth(path: str) -> tuple[int, str]:
    return path.count("."), path


def build(
    cls: Any,
    config: dict[str, Any],
    *,
    inference_only: bool,
    seed: int,
    without: Iterable[str] = (),
) -> Any:
    """A module, with some paths deleted where RLlib removes what is listed."""
    torch.default_generator.manual_seed(seed)
    arguments = {**SPACES, "inference_only": inference_only, "model_config": dict(config)}
    if not without:
        return cls(**arguments)
    construct = TorchRLModule.__init__

    def construct_and_delete(module: Any, *args: Any, **kwargs: Any) -> None:
        construct(module, *args, **kwargs)
        for path in without:
            _take_off(module, path)

    with mock.patch.object(TorchRLModule, "__init__", construct_and_delete):
        module = cls(**arguments)
    for path in without:  # once more: what is built after super().__init__()
        _take_off(module, path)
    return module


def _take_off(module: Any, path: str) -> None:
    """Delete a path; an element of a plain list leaves its place empty."""
    owner, _, leaf = path.rpartition(".")
    holder = functools.reduce(_part, owner.split("."), module) if owner else module
    if isinstance(holder, list):
        holder[int(leaf)] = None
    elif holder is not None:
        delete(module, path)


def _part(owner: Any, name: str) -> Any:
    if isinstance(owner, list):
        return owner[int(name)]
    if isinstance(owner, dict):
        return owner.get(name)
    return getattr(owner, name, None)


def deploy(cls: Any, config: dict[str, Any], reference: Outcome, paths: frozenset[str]) -> Deployed:
    """Build a Learner's module and an EnvRunner's, sync, and run inference, as RLlib does."""
    try:
        learner = build(cls, config, inference_only=False, seed=2)
        _make_targets(learner)
    except Exception as error:  # noqa: BLE001
        return Deployed("learner", _told(error))
    listed = _lists(learner)
    try:
        runner = build(cls, config, inference_only=True, seed=1)
    except Exception as error:  # noqa: BLE001
        return Deployed("runner", _told(error), listed)
    left = frozenset(paths_of(runner))
    survivors = frozenset(
        n for n in listed or () if isinstance(n, str) and (n in left or _has(runner, n))
    )
    wanted = [n for n in listed or () if isinstance(n, str)]
    lost = frozenset(p for p in paths - left if not any(covers(n, p) for n in wanted))
    seen: dict[str, Any] = {
        "listed": listed,
        "survivors": survivors,
        "lost": lost,
        "attributes": frozenset(vars(runner)),
    }
    try:
        sent = learner.get_state(inference_only=True)
    except Exception as error:  # noqa: BLE001
        return Deployed("get_state", _told(error), **seen)
    seen["sent"] = frozenset(sent)
    try:
        runner.set_state(sent)
    except Exception as error:  # noqa: BLE001
        return Deployed("sync", _told(error), **seen)
    outcome = probe(runner)
    if outcome.errors:
        return Deployed("inference", next(iter(outcome.errors.values())), outcome=outcome, **seen)
    differing = reference.differing(outcome)
    if differing:
        return Deployed("stale", f"{', '.join(differing)} differs", outcome=outcome, **seen)
    return Deployed("", outcome=outcome, **seen)


def _lists(learner: Any) -> tuple[Any, ...] | None:
    """What a Learner lists; None where it cannot say."""
    if not isinstance(learner, InferenceOnlyAPI):
        return None
    try:
        return tuple(getattr(learner, METHOD)())
    except Exception:  # noqa: BLE001 - a wrong method may raise anything
        return None


def _has(module: Any, path: str) -> bool:
    return functools.reduce(_part, path.split("."), module) is not None


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _make_targets(learner: Any) -> None:
    if hasattr(learner, "make_target_networks"):
        learner.make_target_networks()


def probe(module: Any) -> Outcome:
    """Call all that an EnvRunner calls."""
    values: dict[str, Any] = {}
    errors: dict[str, str] = {}

    def call(name: str, function: Any) -> Any:
        try:
            torch.default_generator.manual_seed(0)
            with torch.no_grad():
                values[name] = function()
        except Exception as error:  # noqa: BLE001 - any error means that inference is broken
            errors[name] = f"{name}: {_told(error)}"
        return values.get(name)

    call("is_stateful", module.is_stateful)
    state = call("get_initial_state", module.get_initial_state)
    call("inference_dist", module.get_inference_action_dist_cls)
    call("exploration_dist", module.get_exploration_action_dist_cls)
    batch = {Columns.OBS: OBSERVATIONS}
    if state:
        batch[Columns.STATE_IN] = tree.map_structure(_batched, state)
    for name, more in (("plain", {}), ("extra", {"extra": OBSERVATIONS})):
        call(f"forward_inference ({name})", lambda m=more: module.forward_inference({**batch, **m}))
        call(
            f"forward_exploration ({name})",
            lambda m=more: module.forward_exploration({**batch, **m}, t=0),
        )
    return Outcome(values, errors)


def _batched(value: Any) -> torch.Tensor:
    tensor = torch.as_tensor(value)
    return tensor.unsqueeze(0).expand(BATCH, *tensor.shape).contiguous()


@contextlib.contextmanager
def imported(directory: Path, program: Program) -> Iterator[dict[tuple[str, str], type[Any]]]:
    """The concrete classes of a program that was written to a directory.

    Raises:
        Exception: What importing it raises.
    """
    package = directory.name
    sys.path.insert(0, str(directory.parent))
    importlib.invalidate_caches()
    try:
        yield {
            (file, name): getattr(importlib.import_module(f"{package}.{file}"), name)
            for file, name in program.concrete
        }
    finally:
        sys.path.remove(str(directory.parent))
        for name in [n for n in sys.modules if n == package or n.startswith(f"{package}.")]:
            del sys.modules[name]


def configs(program: Program, cls: type[Any]) -> list[dict[str, Any]]:
    """The model configs to build a class under: its flags over its framework's defaults."""
    names = [c.__name__ for c in cls.__mro__]
    base: dict[str, Any] = {}
    for algorithm, default in _CONFIGS.items():
        if f"Default{algorithm}TorchRLModule" in names:
            base = default()
    return [{**base, **config} for config in program.configs()]
