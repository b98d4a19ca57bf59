"""From any target to what can be verified; Ray is imported for RLlib's own alone."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from torch import nn

from inflint.runtime.places import CannotVerifyError
from inflint.runtime.subject import torch_subject
from inflint.runtime.target import call_if_function, called, load_target

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inflint.runtime.options import Options
    from inflint.runtime.subject import Subject


def subjects_of(target: Any, options: Options, name: str = "") -> Sequence[Subject]:
    """What a target means.

    Args:
        target: Text for :func:`~inflint.runtime.target.load_target`; an RLModule class, an
            ``RLModuleSpec``, a ``MultiRLModuleSpec`` or an ``AlgorithmConfig``; an ``nn.Module``,
            or a pair of one and the tuple of its inputs; or a function without arguments that
            returns one of these. A plain module without inputs gets its
            ``example_input_array``, or samples of the observation space.
        options: How it is built and run.
        name: As it is shown; by default what is known of the target.

    Raises:
        CannotVerifyError: It is none of these, or lacks what it needs.
    """
    if isinstance(target, str):
        name = name or target
        target = load_target(target)
    name = name or getattr(target, "__qualname__", type(target).__qualname__)
    target = call_if_function(target, name)
    if _is_rllib(target):
        from inflint.runtime.rllib.targets import is_target, subjects

        if is_target(target):
            return subjects(target, name, options)
    inputs: Any = None
    if isinstance(target, tuple) and len(target) == 2 and isinstance(target[0], nn.Module):
        target, inputs = target
        inputs = inputs if isinstance(inputs, tuple) else (inputs,)
    if isinstance(target, type) and issubclass(target, nn.Module):
        target = _construct(target, name)
    if not isinstance(target, nn.Module):
        kind = type(target).__qualname__
        message = f"{name} is a {kind}: no module, spec, config, or function that returns one"
        raise CannotVerifyError(message)
    return [torch_subject(target, _inputs(target, inputs, options, name), name=name)]


def _is_rllib(target: object) -> bool:
    cls = target if isinstance(target, type) else type(target)
    return any(base.__module__.split(".")[0] == "ray" for base in inspect.getmro(cls))


def _construct(cls: type[nn.Module], name: str) -> nn.Module:
    made = called(cls, name)
    assert isinstance(made, nn.Module)  # noqa: S101 - a class makes its instances
    return made


def _inputs(module: nn.Module, given: Any, options: Options, name: str) -> tuple[object, ...]:
    if given is not None:
        return tuple(given)
    example = getattr(module, "example_input_array", None)
    if example is not None:
        return example if isinstance(example, tuple) else (example,)
    if options.observation_space is not None:
        from inflint.runtime.samples import observations

        return (observations(options.observation_space, options.seed),)
    message = (
        f"{name} needs inputs: return the pair (module, inputs), set example_input_array, or give"
        " --observation-space"
    )
    raise CannotVerifyError(message)
