"""A Learner's module and an EnvRunner's, under the installed Ray: they sync and agree.

Run as a program with a directory and a JSON file of jobs, it imports the modules from that
directory, so that nothing imported before stands in their way, and prints what is wrong with each.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import traceback
from pathlib import Path
from typing import Any
from unittest import mock

import gymnasium as gym
import numpy as np

OBSERVATION = gym.spaces.Box(-1.0, 1.0, (6,), np.float32)
ACTION = gym.spaces.Discrete(3)
BATCH, TIME = 4, 1


def faults(cls: type[Any], *, guarded: bool = False, ignored: str = "", **kwargs: Any) -> list[str]:
    """What keeps an EnvRunner with this module from computing what the Learner would.

    A `guarded` class computes something else on an EnvRunner by its own will; then it is
    compared with an EnvRunner's module that nothing is removed from, other than in the
    `ignored` outputs.
    """
    import torch

    arguments = {"observation_space": OBSERVATION, "action_space": ACTION, "model_config": {}}
    arguments |= kwargs
    torch.manual_seed(1)
    learner = cls(**arguments, inference_only=False)
    torch.manual_seed(2)
    runner = cls(**arguments, inference_only=True)
    if hasattr(learner, "make_target_networks"):
        learner.make_target_networks()
    full = learner
    if guarded:
        nothing = {"get_non_inference_attributes": lambda _: [], "__module__": cls.__module__}
        full = type(cls.__name__, (cls,), nothing)(**arguments, inference_only=True)
        full.load_state_dict(learner.state_dict(), strict=False)
    names = learner.get_non_inference_attributes()
    state = learner.get_state(inference_only=True)
    runner.set_state(state)
    found = [f"{n} stays on the EnvRunner" for n in names if _has(runner, n)]
    found += [f"{key} is sent" for key in state if key.split(".")[0] in names]
    left = {key.split(".")[0] for key in runner.state_dict()} - {k.split(".")[0] for k in state}
    found += [f"{key} is never synced" for key in sorted(left)]
    for name in ("get_inference_action_dist_cls", "get_exploration_action_dist_cls"):
        if getattr(learner, name)().__name__ != getattr(runner, name)().__name__:
            found.append(f"{name}() differs")
    first, second = learner.get_initial_state(), runner.get_initial_state()
    if not same(first, second) or learner.is_stateful() != runner.is_stateful():
        found.append("the initial state differs")
    batch = _batch(learner, arguments["observation_space"], first)
    for name, more in (("forward_inference", {}), ("forward_exploration", {"t": 0})):
        outputs = []
        for module in (full, runner):
            torch.manual_seed(3)
            with torch.no_grad():
                output = _forward(module, name, batch, more)
            outputs.append({k: v for k, v in output.items() if k not in ignored.split()})
        if not same(*outputs):
            found.append(f"{name}() differs")
    return found


def _forward(module: Any, name: str, batch: dict[str, Any], more: dict[str, Any]) -> Any:
    try:
        return getattr(module.eval(), name)(dict(batch), **more)
    except TypeError as error:
        if "unexpected keyword" not in str(error):
            raise
        return getattr(module, name)(dict(batch))


def _has(module: Any, path: str) -> bool:
    for part in path.split("."):
        if getattr(module, part, None) is None:
            return False
        module = getattr(module, part)
    return True


def _batch(module: Any, space: gym.Space[Any], initial: Any) -> dict[str, Any]:
    import torch
    import tree
    from ray.rllib.core.columns import Columns

    shape = (BATCH, TIME if module.is_stateful() else 0, *space.shape)
    generator = torch.Generator().manual_seed(7)
    observations = torch.rand([n for n in shape if n], generator=generator)
    batch = {Columns.OBS: observations}
    if module.is_stateful():

        def batched(value: Any) -> torch.Tensor:
            tensor = torch.as_tensor(value)
            return tensor.unsqueeze(0).expand(BATCH, *tensor.shape).contiguous()

        batch[Columns.STATE_IN] = tree.map_structure(batched, initial)
        batch["is_first"] = torch.ones(BATCH)
    return batch


def same(left: Any, right: Any) -> bool:
    """Whether two nests of tensors agree."""
    import torch

    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[k], right[k]) for k in left)
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, (torch.Tensor, np.ndarray)):
        first, second = torch.as_tensor(left), torch.as_tensor(right)
        return first.shape == second.shape and torch.allclose(
            first.double(), second.double(), atol=1e-6, equal_nan=True
        )
    return type(left) is type(right) and (not isinstance(left, (int, str)) or left == right)


def _rllib_arguments(name: str) -> dict[str, Any]:
    """What RLlib's own example classes have to be built with."""
    box = gym.spaces.Box
    if name == "TinyAtariCNN":
        return {"observation_space": box(-1.0, 1.0, (84, 84, 4), np.float32)}
    if name == "AutoregressiveActionsRLM":
        action = gym.spaces.Tuple([ACTION, box(-1.0, 1.0, (1,), np.float32)])
        return {"action_space": action}
    if name == "MyPPOModel":
        space = box(-1.0, 1.0, (4,), np.float32)
        return {"observation_space": space, "action_space": gym.spaces.Discrete(2)}
    if name == "CustomActionDistributionRLModule":
        return {"model_config": {"action_dist_temperature": 5.0}}
    if name == "DreamerV3TorchRLModule":
        from ray.rllib.algorithms.dreamerv3.dreamerv3_catalog import DreamerV3Catalog

        config = {"model_size": "XS", "batch_length_T": 4, "symlog_obs": "auto"}
        return {"model_config": config, "catalog_class": DreamerV3Catalog}
    return {}


def _expressions() -> dict[str, Any]:
    sys.path.insert(0, str(Path(__file__).parent.parent / "corpus"))
    import ground_truth

    return {name: getattr(ground_truth, name) for name in ("ppo", "dqn", "sac")}


def _run(job: dict[str, str]) -> list[str]:
    module = importlib.import_module(job["module"])
    if "get" not in job:
        return faults(getattr(module, job["name"]), **_rllib_arguments(job["name"]))
    names = {**vars(module), **_expressions()}
    cls = eval(job["get"], names)
    found: list[str] = []
    if not hasattr(cls, "get_non_inference_attributes"):
        return found
    for config in eval(job["configs"], names):
        found += faults(cls, guarded="guarded" in job, ignored=job["ignored"], model_config=config)
    return found


def main() -> None:
    """Print, as JSON, the faults of each job."""
    directory, jobs = sys.argv[1:]
    sys.path.insert(0, directory)
    if (Path(directory) / "ray").is_dir():
        import ray

        if importlib.util.find_spec("PIL") is None:  # only drawn upon by debugging code
            sys.modules["PIL"] = mock.MagicMock()

        ray.__path__.insert(0, str(Path(directory) / "ray"))
        sys.argv = sys.argv[:1]
    results: dict[str, list[str]] = {}
    for job in json.loads(Path(jobs).read_text(encoding="utf-8")):
        try:
            results[job["id"]] = _run(job)
        except Exception:  # noqa: BLE001, PERF203 - any error is a fault of the fixed code
            results[job["id"]] = [traceback.format_exc(limit=-2)]
    print(f"\n{json.dumps(results)}")


if __name__ == "__main__":
    main()
