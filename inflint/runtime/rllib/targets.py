"""From what a user names to RLModules: a class, a spec, a multi-spec, or an AlgorithmConfig."""

from __future__ import annotations

import copy
import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gymnasium as gym
from ray.rllib.algorithms.algorithm_config import AlgorithmConfig
from ray.rllib.core import DEFAULT_MODULE_ID
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModule, MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModule, RLModuleSpec
from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule
from ray.rllib.env import INPUT_ENV_SINGLE_SPACES
from ray.tune.registry import ENV_CREATOR, _global_registry

from inflint.runtime.places import CannotVerifyError, brief, place_of
from inflint.runtime.rllib.modules import RLModuleSubject

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from inflint.runtime.options import Options


@dataclass(frozen=True)
class Spaces:
    """An observation and an action space."""

    observation: gym.Space[Any]
    action: gym.Space[Any] | None


def is_target(value: object) -> bool:
    """Whether it is something of RLlib's that can be verified."""
    if isinstance(value, type):
        return issubclass(value, (RLModule, AlgorithmConfig))
    return isinstance(value, (RLModuleSpec, MultiRLModuleSpec, AlgorithmConfig))


def subjects(target: Any, name: str, options: Options) -> list[RLModuleSubject]:
    """The RLModules that a target means.

    Args:
        target: See :func:`is_target`.
        name: As it is shown.
        options: Spaces or an environment, a model config, and the seed. They override what
            the target says itself.

    Raises:
        CannotVerifyError: There are no spaces, the environment can't be made, a module is not
            a TorchRLModule, or RLlib refuses the configuration.
    """
    if isinstance(target, type) and issubclass(target, AlgorithmConfig):
        target = target()
    if isinstance(target, AlgorithmConfig):
        try:
            found = list(_of_config(target, name, options))
        except CannotVerifyError:
            raise
        except Exception as error:
            message = f"{name}: RLlib refuses this configuration: {brief(error)}"
            raise CannotVerifyError(message, place_of(error)) from error
    elif isinstance(target, MultiRLModuleSpec):
        specs = {k: s for k, s in (target.rl_module_specs or {}).items() if not s.learner_only}
        found = [
            _subject(
                spec, f"{name}[{key}]", options, on_runner=False, on_learner=spec.inference_only
            )
            for key, spec in specs.items()
        ]
    else:
        spec = target if isinstance(target, RLModuleSpec) else RLModuleSpec(module_class=target)
        found = [_subject(spec, name, options)]
    if not found:
        raise CannotVerifyError(f"{name}: all its modules are learner_only; no EnvRunner has them")
    return found


def _of_config(config: Any, name: str, options: Options) -> Iterator[RLModuleSubject]:
    config = config.copy(copy_frozen=False)
    if options.env is not None:
        config.environment(options.env)
    if config.is_multi_agent:
        env = _make_env(config.env, config.env_config)
        learner = config.get_multi_rl_module_spec(env=env, inference_only=False).rl_module_specs
        runner = config.get_multi_rl_module_spec(env=env, inference_only=True).rl_module_specs
    else:
        spaces = {DEFAULT_MODULE_ID: _module_spaces(config, name, options)}
        learner = config.get_multi_rl_module_spec(
            spaces=spaces, inference_only=False
        ).rl_module_specs
        alone = config.get_rl_module_spec(spaces=spaces, inference_only=True)
        runner = {DEFAULT_MODULE_ID: alone}
    for key, spec in runner.items():
        shown = name if len(runner) == 1 else f"{name}[{key}]"
        yield _subject(
            spec,
            shown,
            options,
            on_runner=spec.inference_only,
            on_learner=learner[key].inference_only,
        )


def _module_spaces(config: Any, name: str, options: Options) -> tuple[Any, Any]:
    """The spaces that the env-to-module connectors leave to the module."""
    if options.observation_space is not None:
        return options.observation_space, options.action_space
    if config.env is not None:
        env = _make_env(config.env, config.env_config)
        single = (env.observation_space, env.action_space)
        env.close()
    elif config.observation_space is not None:
        single = (config.observation_space, config.action_space)
    else:
        raise CannotVerifyError(f"{name} has no environment; give --env or --observation-space")
    pipeline = config.build_env_to_module_connector(spaces={INPUT_ENV_SINGLE_SPACES: single})
    return pipeline.observation_space, single[1]


def _subject(
    spec: Any, name: str, options: Options, *, on_runner: bool = True, on_learner: bool = False
) -> RLModuleSubject:
    cls = spec.module_class
    if cls is None or not issubclass(cls, TorchRLModule):
        shown = "no module_class" if cls is None else cls.__qualname__
        message = f"{name}: {shown} is no TorchRLModule; RLlib strips no other modules"
        if cls is not None and issubclass(cls, MultiRLModule):
            message = f"{name}: RLlib strips the modules of {shown}, not itself; verify these"
        raise CannotVerifyError(message)
    spaces = _spaces(spec, name, options)
    return RLModuleSubject(
        name,
        cls,
        spaces.observation,
        spaces.action,
        {**_as_dict(spec.model_config), **(options.model_config or {})},
        spec.catalog_class,
        on_learner=on_learner,
        on_runner=on_runner,
        seed=options.seed,
    )


def _spaces(spec: Any, name: str, options: Options) -> Spaces:
    if options.observation_space is not None:
        return Spaces(options.observation_space, options.action_space or spec.action_space)
    if options.env is not None:
        env = _make_env(options.env, {})
        spaces = Spaces(env.observation_space, env.action_space)
        env.close()
        return spaces
    if spec.observation_space is None:
        raise CannotVerifyError(f"{name} needs --env, or --observation-space and --action-space")
    return Spaces(spec.observation_space, spec.action_space)


def _as_dict(model_config: Any) -> Mapping[str, Any]:
    """As ``RLModuleSpec`` hands it on: a dict, whatever the user wrote."""
    if dataclasses.is_dataclass(model_config) and not isinstance(model_config, type):
        return dataclasses.asdict(model_config)
    return copy.deepcopy(model_config) or {}


def _make_env(env: Any, env_config: Any) -> Any:
    config = dict(env_config or {})
    try:
        registry: Any = _global_registry
        if isinstance(env, str) and registry.contains(ENV_CREATOR, env):
            return registry.get(ENV_CREATOR, env)(config)
        if callable(env):
            return env(config)
        return gym.make(env, **config)
    except Exception as error:
        message = f"the environment {env!r} can't be made: {brief(error)}"
        raise CannotVerifyError(message, place_of(error)) from error
