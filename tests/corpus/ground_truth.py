"""What inference really touches: build a case under the installed Ray, delete, sync, compare.

An EnvRunner's module is built with ``inference_only=True`` (RLlib's own removal switched off, so
that a wrong list cannot hide the truth), a path is deleted at its owner where RLlib removes names
(at the end of TorchRLModule's constructor, and once more at the end of all), then the weights of a
full Learner module come in without the path's keys, and everything an EnvRunner calls is called.
A path is unused if nothing breaks and nothing differs from the untouched module with all weights.
The sync finds what deletion alone does not: a second, unregistered route to the same weights.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import sys
from typing import TYPE_CHECKING, Any
from unittest import mock

import gymnasium as gym
import numpy as np
import torch
import tree
from corpus_cases import CASES, Case
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

OBSERVATION_SIZE, ACTIONS, BATCH, TIME = 6, 3, 4, 2
_DEPTH = 4
_CONTAINERS = (nn.Sequential, nn.ModuleList, nn.ModuleDict, nn.ParameterList, nn.ParameterDict)


def ppo(**changes: Any) -> dict[str, Any]:
    """The model config that RLlib hands to a PPO module, with small layers."""
    small = DefaultModelConfig(fcnet_hiddens=[8], head_fcnet_hiddens=[], lstm_cell_size=8)
    return {**dataclasses.asdict(small), **changes}


def dqn(**changes: Any) -> dict[str, Any]:
    """The model config of a (dueling) DQN module."""
    extra = {"dueling": True, "double_q": True, "num_atoms": 1, "epsilon": 0.0}
    return {**ppo(), **extra, **changes}


def sac(**changes: Any) -> dict[str, Any]:
    """The model config of a SAC module with twin critics."""
    return {**ppo(), "twin_q": True, **changes}


@dataclasses.dataclass(frozen=True)
class Outcome:
    """All that the inference calls gave, or the error they raised."""

    values: dict[str, Any]
    error: str | None = None


@dataclasses.dataclass
class Laboratory:
    """One case under one model config."""

    case: Case
    cls: type[Any]
    config: dict[str, Any]

    def __post_init__(self) -> None:
        learner = self._build(inference_only=False, seed=2)
        if hasattr(learner, "make_target_networks"):
            learner.make_target_networks()
        for name in ("forward_train", "compute_values"):  # they may create modules lazily
            with contextlib.suppress(Exception):
                getattr(learner, name)({Columns.OBS: _observations(0)})
        self.state = {key: value.clone() for key, value in learner.state_dict().items()}
        runner = self._build(inference_only=True, seed=1)
        self.paths = sorted(
            {*paths_of(learner), *paths_of(runner)}, key=lambda p: (p.count("."), p)
        )
        self._probe(runner)  # what inference creates lazily is there at the next sync
        self.missing = set(runner.load_state_dict(self.state, strict=False).missing_keys)
        self.baseline = self._probe(runner)

    def without(self, paths: Iterable[str]) -> str | None:
        """Why inference needs some of the paths, or None if it gets by without all of them."""
        paths = list(paths)
        try:
            module = self._build(inference_only=True, seed=1, without=paths)
        except Exception as error:  # noqa: BLE001 - any error means that no EnvRunner starts
            return f"built: {type(error).__name__}: {error}"
        state = {
            key: value
            for key, value in self.state.items()
            if not any(key == path or key.startswith(path + ".") for path in paths)
        }
        self._probe(module)
        missing = set(module.load_state_dict(state, strict=False).missing_keys) - self.missing
        if missing:
            return f"keys missing at the sync: {sorted(missing)}"
        outcome = self._probe(module)
        if outcome.error is not None:
            return outcome.error
        for name, value in self.baseline.values.items():
            if not same(value, outcome.values[name]):
                return f"{name} differs"
        return None

    def _build(self, *, inference_only: bool, seed: int, without: Iterable[str] = ()) -> Any:
        torch.manual_seed(seed)
        construct = TorchRLModule.__init__

        def construct_and_delete(module: Any, *args: Any, **kwargs: Any) -> None:
            construct(module, *args, **kwargs)
            for path in without:
                delete(module, path)

        with mock.patch.object(TorchRLModule, "__init__", construct_and_delete):
            module = self.cls(
                observation_space=gym.spaces.Box(-1.0, 1.0, (OBSERVATION_SIZE,), np.float32),
                action_space=gym.spaces.Discrete(ACTIONS),
                inference_only=inference_only,
                model_config=dict(self.config),
            )
        for path in without:  # once more: what is built after super().__init__()
            delete(module, path)
        return module

    def _probe(self, module: Any) -> Outcome:
        values: dict[str, Any] = {}
        try:
            stateful = module.is_stateful()
            values["is_stateful"] = stateful
            values["get_initial_state"] = module.get_initial_state()
            values["inference_dist"] = module.get_inference_action_dist_cls()
            values["exploration_dist"] = module.get_exploration_action_dist_cls()
            batch = {Columns.OBS: _observations(TIME if stateful else 0)}
            for _ in range(2):
                for name, more in (("forward_inference", {}), ("forward_exploration", {"t": 0})):
                    torch.manual_seed(0)
                    with torch.no_grad():
                        result = getattr(module, name)(batch | _state_in(module, values), **more)
                    values[name] = {
                        key: value
                        for key, value in result.items()
                        if key not in self.case.ignore_outputs
                    }
        except Exception as error:  # noqa: BLE001 - any error means that inference is broken
            return Outcome(values, f"{type(error).__name__}: {error}")
        return Outcome(values)


def laboratories(case: Case) -> list[Laboratory]:
    """The case, built under each of its model configs."""
    namespace = {**vars(_load(case)), "ppo": ppo, "dqn": dqn, "sac": sac}
    cls = eval(case.get, namespace)
    no_removal = {
        "get_non_inference_attributes": lambda _: [],
        "__module__": cls.__module__,
    }
    untrimmed = type(cls.__name__, (cls,), no_removal)
    configs = eval(case.configs, namespace)
    return [Laboratory(case, untrimmed, config) for config in configs]


def unused(labs: list[Laboratory]) -> frozenset[str]:
    """The maximal paths that inference needs under none of the configs."""
    needed: set[str] = set()
    maximal: list[str] = []
    everything = {path for lab in labs for path in lab.paths}
    for path in sorted(everything, key=lambda p: (p.count("."), p)):
        if any(path.startswith(parent + ".") for parent in maximal):
            continue
        if any(lab.without([path]) is not None for lab in labs if path in lab.paths):
            needed.add(path)
        else:
            maximal.append(path)
    return frozenset(maximal)


def _load(case: Case) -> Any:
    name = ".".join(case.file.relative_to(CASES).with_suffix("").parts)
    if str(CASES) not in sys.path:
        sys.path.insert(0, str(CASES))
    return importlib.import_module(name)


def _observations(time: int) -> torch.Tensor:
    shape = (BATCH, time, OBSERVATION_SIZE) if time else (BATCH, OBSERVATION_SIZE)
    return torch.rand(shape, generator=torch.Generator().manual_seed(7)) * 2.0 - 1.0


def _state_in(module: Any, known: dict[str, Any]) -> dict[str, Any]:
    initial = known.get("get_initial_state") or module.get_initial_state()
    if not initial:
        return {}

    def batched(value: Any) -> torch.Tensor:
        tensor = torch.as_tensor(value)
        return tensor.unsqueeze(0).expand(BATCH, *tensor.shape).contiguous()

    return {Columns.STATE_IN: tree.map_structure(batched, initial)}


def same(left: Any, right: Any) -> bool:
    if isinstance(left, torch.Tensor):
        return (
            isinstance(right, torch.Tensor)
            and left.shape == right.shape
            and torch.allclose(left.double(), right.double(), atol=1e-6, equal_nan=True)
        )
    if isinstance(left, np.ndarray):
        return isinstance(right, np.ndarray) and np.allclose(left, right)
    if isinstance(left, dict):
        return (
            isinstance(right, dict)
            and left.keys() == right.keys()
            and all(same(left[key], right[key]) for key in left)
        )
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


def _holds_tensors(value: Any) -> bool:
    if isinstance(value, nn.Module):
        return any(True for _ in value.parameters()) or any(True for _ in value.buffers())
    if isinstance(value, dict):
        return any(map(_holds_tensors, value.values()))
    if isinstance(value, (list, tuple)):
        return any(map(_holds_tensors, value))
    return isinstance(value, nn.Parameter)


def _children(owner: Any, root: bool) -> Iterator[tuple[str, Any]]:
    if isinstance(owner, dict):
        yield from ((str(key), value) for key, value in owner.items())
    elif isinstance(owner, (list, tuple)):
        yield from ((str(index), value) for index, value in enumerate(owner))
    elif isinstance(owner, nn.Module):
        library = type(owner).__module__.startswith("torch.")
        if library and not root and not isinstance(owner, _CONTAINERS):
            return
        yield from owner._modules.items()
        if type(owner).__module__.startswith("ray."):
            return
        yield from owner._parameters.items()
        yield from (
            (name, nn.Parameter(b.float(), False))
            for name, b in owner._buffers.items()
            if b is not None
        )
        inner = {"_modules", "_parameters", "_buffers", "config", "catalog", "model_config"}
        if not library:
            for name, value in list(vars(owner).items()):
                cached = hasattr(type(owner), name)  # a cached property's value
                if name not in inner and not cached and not name.endswith("_hooks"):
                    yield name, value


def paths_of(owner: Any, prefix: str = "", above: tuple[int, ...] = ()) -> Iterator[str]:
    """The access paths below `owner` that hold parameters or buffers."""
    if id(owner) in above or len(above) >= _DEPTH:
        return
    for name, value in _children(owner, root=not above):
        if value is None or not _holds_tensors(value):
            continue
        path = prefix + name
        yield path
        yield from paths_of(value, path + ".", (*above, id(owner)))


def _step(owner: Any, part: str) -> Any:
    if isinstance(owner, dict):
        return owner[next(key for key in owner if str(key) == part)]
    if isinstance(owner, (list, tuple)):
        return owner[int(part)]
    if isinstance(owner, nn.Module) and part in owner._modules:
        return owner._modules[part]
    return getattr(owner, part)


def delete(module: Any, path: str) -> None:
    *parents, leaf = path.split(".")
    owner = module
    try:
        for part in parents:
            owner = _step(owner, part)
        if _step(owner, leaf) is None:
            return
    except (AttributeError, IndexError, KeyError, StopIteration):
        return
    if isinstance(owner, dict):
        del owner[next(key for key in owner if str(key) == leaf)]
    elif isinstance(owner, list):
        del owner[int(leaf)]
    else:
        delattr(owner, leaf)
