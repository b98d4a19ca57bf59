"""What an AlgorithmConfig makes of a module before an EnvRunner gets it."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import pytest
from ray.rllib.algorithms.algorithm_config import AlgorithmConfig
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.connectors.env_to_module import FlattenObservations
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModule, MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModule, RLModuleSpec
from ray.rllib.examples.envs.classes.multi_agent import MultiAgentCartPole

from inflint.runtime import CannotVerifyError, Options, subjects_of, verify

from . import pitfall_modules as modules

pytestmark = pytest.mark.ray


def _multi_agent() -> Any:
    return (
        PPOConfig()
        .environment(MultiAgentCartPole, env_config={"num_agents": 2})
        .multi_agent(
            policies={"p0", "p1"}, policy_mapping_fn=lambda agent, *_, **__: f"p{agent % 2}"
        )
    )


def test_default_modules_of_a_multi_agent_config_are_inference_only() -> None:
    found = subjects_of(_multi_agent(), Options(), name="config")
    assert sorted(s.name for s in found) == ["config[p0]", "config[p1]"]
    for subject in found:
        report = verify(subject)
        assert report.proven
        assert [p.removed for p in report.listed] == [True, True]


def test_modules_of_an_explicit_multi_spec_are_not() -> None:
    spec = MultiRLModuleSpec(
        rl_module_specs={
            "p0": RLModuleSpec(module_class=modules.Right),
            "p1": RLModuleSpec(module_class=modules.ERowUsed),
        }
    )
    config = _multi_agent().rl_module(rl_module_spec=spec)
    reports = {s.name: verify(s) for s in subjects_of(config, Options(), name="c")}
    assert reports["c[p0]"].proven
    assert {c.rule for c in reports["c[p0]"].causes} == {"kept-on-runner"}
    stale = {(c.rule, c.path) for c in reports["c[p1]"].refutations}
    assert ("full-module-on-env-runners", "pi") in stale


def test_connectors_change_the_observations() -> None:
    config = (
        PPOConfig()
        .environment("FrozenLake-v1")
        .env_runners(env_to_module_connector=lambda *_, **__: FlattenObservations())
    )
    [subject] = subjects_of(config, Options())
    report = verify(subject)
    assert report.proven
    encoder = 4 * (16 * 256 + 256) + 4 * (256 * 256 + 256)
    sizes = {item.path: item.size for item in report.listed}
    assert sizes["encoder.critic_encoder"] == encoder


def test_a_config_class_is_taken_with_its_defaults() -> None:
    [subject] = subjects_of(PPOConfig, Options(env="CartPole-v1"))
    assert verify(subject).proven


def test_the_config_is_not_changed() -> None:
    config = PPOConfig().rl_module(rl_module_spec=RLModuleSpec(module_class=modules.Right))
    [subject] = subjects_of(config, Options(env="CartPole-v1"))
    verify(subject)
    assert config.env is None
    assert config.rl_module_spec.observation_space is None
    assert config.rl_module_spec.inference_only is False


def test_a_config_object_of_the_model_is_handed_on_as_a_dict() -> None:
    spec = RLModuleSpec(
        module_class=modules.Right,
        observation_space=modules.OBSERVATIONS,
        action_space=modules.ACTIONS,
        model_config=DefaultModelConfig(fcnet_hiddens=[7]),
    )
    [subject] = subjects_of(spec, Options(model_config={"fcnet_activation": "relu"}))
    assert subject.model_config["fcnet_hiddens"] == [7]
    assert subject.model_config["fcnet_activation"] == "relu"
    assert verify(subject).proven


class NoTorch(RLModule):
    pass


SPACES = Options(observation_space=gym.spaces.Box(-1, 1, (4,)), action_space=gym.spaces.Discrete(2))


@pytest.mark.parametrize(
    ("target", "options", "message"),
    [
        (modules.Right, Options(), "needs --env"),
        (PPOConfig(), Options(), "has no environment"),
        (NoTorch, SPACES, "no TorchRLModule"),
        (MultiRLModule, SPACES, "not itself"),
        (AlgorithmConfig(), Options(env="CartPole-v1"), "RLlib refuses this configuration"),
    ],
)
def test_what_can_not_be_verified(target: Any, options: Options, message: str) -> None:
    with pytest.raises(CannotVerifyError, match=message):
        subjects_of(target, options)
