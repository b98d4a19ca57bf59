"""What a user may say about a target, beyond its name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Options:
    """How a target is built and run.

    Attributes:
        env: The ID of an environment, of Gymnasium or registered with Ray.
        observation_space: A ``gymnasium.Space``; goes before ``env``.
        action_space: A ``gymnasium.Space``.
        model_config: Goes before what the target's own says, key by key.
        seed: Of weights, inputs and random actions.
        runners: To how many EnvRunners a weight sync goes.
    """

    env: str | None = None
    observation_space: Any = None
    action_space: Any = None
    model_config: Mapping[str, Any] | None = None
    seed: int = 0
    runners: int = 1
