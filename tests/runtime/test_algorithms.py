"""The same through real algorithms: what verify says is what an EnvRunner does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

from inflint.runtime import Options, subjects_of, verify

from . import pitfall_modules as modules

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.ray


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        runtime_env={"env_vars": {"PYTHONWARNINGS": "ignore"}},
    )
    yield
    ray.shutdown()


def _config(module_class: type, runners: int) -> Any:
    return (
        PPOConfig()
        .environment("CartPole-v1")
        .env_runners(num_env_runners=runners, rollout_fragment_length=32)
        .training(train_batch_size_per_learner=64, minibatch_size=32, num_epochs=1)
        .fault_tolerance(restart_failed_env_runners=False)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=module_class))
    )


def _refutations(config: Any) -> set[str]:
    [subject] = subjects_of(config, Options())
    return {cause.rule for cause in verify(subject).refutations}


@pytest.mark.usefixtures("cluster")
def test_proven_module_trains_with_a_remote_env_runner() -> None:
    config = _config(modules.Right, runners=1)
    assert _refutations(config) == set()
    algorithm = config.build_algo()
    try:
        result = algorithm.train()
        assert result["env_runners"]["num_env_steps_sampled"] >= 64
        held = algorithm.env_runner_group.foreach_env_runner(
            lambda runner: sorted(runner.module.state_dict()), local_env_runner=False
        )
    finally:
        algorithm.stop()
    assert held == [["enc.bias", "enc.weight", "pi.bias", "pi.weight"]]


@pytest.mark.usefixtures("cluster")
def test_refuted_module_fails_with_a_local_env_runner() -> None:
    config = _config(modules.ERowUsed, runners=0)
    assert "listed-but-used" in _refutations(config)
    algorithm = config.build_algo()
    try:
        with pytest.raises(AttributeError, match="has no attribute 'pi'"):
            algorithm.train()
    finally:
        algorithm.stop()


@pytest.mark.usefixtures("cluster")
def test_nested_path_can_not_be_built_with_a_local_env_runner() -> None:
    config = _config(modules.FRowNested, runners=0)
    assert _refutations(config) == {"nested-path"}
    with pytest.raises(ValueError, match="has been deprecated"):
        config.build_algo()
