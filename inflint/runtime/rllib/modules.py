"""An RLModule in its three copies: the Learner's, and two as an EnvRunner would build them.

The class is called directly and never through ``RLModuleSpec.build``, which turns an
AttributeError of the constructor into another exception.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI

from inflint.runtime.contract import METHOD
from inflint.runtime.rllib import diagnosis
from inflint.runtime.rllib.batches import batch, first_state
from inflint.runtime.samples import observations
from inflint.runtime.sizes import state_bytes
from inflint.runtime.state import inference_state, load_inference_state
from inflint.runtime.subject import Call

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import gymnasium as gym

    from inflint.runtime.evidence import Evidence
    from inflint.runtime.report import Cause

COLUMNS = (
    Columns.ACTIONS,
    Columns.ACTIONS_FOR_ENV,
    Columns.ACTION_DIST_INPUTS,
    Columns.ACTION_LOGP,
    Columns.STATE_OUT,
)
"""What an EnvRunner needs of a forward call's output."""


@dataclass(frozen=True)
class RLModuleSubject:
    """One RLModule.

    Attributes:
        name: As it is shown.
        module_class: A subclass of TorchRLModule.
        observation_space: What the constructor gets, and what observations are sampled from.
        action_space: What the constructor gets.
        model_config: What the constructor gets; each copy has its own.
        catalog_class: What the constructor gets.
        on_learner: The flag ``inference_only`` that the Learner's copy is built with.
        on_runner: The flag that an EnvRunner's copy is built with; False under an explicit
            ``MultiRLModuleSpec``.
        seed: Of the inputs.
    """

    name: str
    module_class: type
    observation_space: gym.Space[Any]
    action_space: gym.Space[Any] | None
    model_config: Mapping[str, Any]
    catalog_class: type | None = None
    on_learner: bool = False
    on_runner: bool = True
    seed: int = 0

    nested_paths_work = False

    def build_full(self) -> Any:
        """The Learner's copy, with its target networks."""
        module = self._build(self.module_class, inference_only=self.on_learner)
        if callable(getattr(module, "make_target_networks", None)):
            module.make_target_networks()
        return module

    def carried(self, full: Any) -> int:
        """Bytes of a full copy's state as an EnvRunner would hold it: no target networks.

        Only sizes are wanted, so it is built on the meta device.
        """
        if not callable(getattr(full, "make_target_networks", None)):
            return state_bytes(full.state_dict())
        try:
            with torch.device("meta"):
                plain = self._build(self.module_class, inference_only=self.on_learner)
        except Exception:  # noqa: BLE001 - a user's setup() may need real tensors
            plain = full
        return state_bytes(plain.state_dict())

    def build_listing(self, paths: tuple[str, ...]) -> Any:
        """An EnvRunner's copy of a class with another list, or with the API added for it."""
        return self._build(_listing(self.module_class, paths), inference_only=self.on_runner)

    def build_runner(self) -> Any:
        """An EnvRunner's copy; RLlib's own constructor removes what is listed."""
        return self._build(self.module_class, inference_only=self.on_runner)

    def _build(self, cls: Callable[..., Any], *, inference_only: bool) -> Any:
        return cls(
            observation_space=self.observation_space,
            action_space=self.action_space,
            inference_only=inference_only,
            model_config=copy.deepcopy(dict(self.model_config)),
            catalog_class=self.catalog_class,
        )

    def calls(self, module: Any) -> Sequence[Call]:  # noqa: ARG002 - same for all copies
        """All that an EnvRunner calls on its module.

        Sources: ``SingleAgentEnvRunner._sample``, and the connectors ``GetActions`` and
        ``AddStatesFromEpisodesToBatch`` of Ray 2.60.0.
        """
        return (
            Call("get_initial_state", lambda m: m.get_initial_state()),
            Call("is_stateful", lambda m: m.is_stateful()),
            Call("get_inference_action_dist_cls", _inference_dist),
            Call("get_exploration_action_dist_cls", _exploration_dist),
            Call("forward_inference", self._infer),
            Call("forward_exploration", self._explore),
        )

    def _infer(self, module: Any) -> object:
        return self._steps(module, module.forward_inference, _inference_dist, greedy=True)

    def _explore(self, module: Any) -> object:
        def forward(inputs: dict[str, Any]) -> Any:
            return module.forward_exploration(inputs, t=0)

        return self._steps(module, forward, _exploration_dist, greedy=False)

    def _steps(
        self,
        module: Any,
        forward: Callable[[Any], Any],
        dist: Callable[[Any], Any],
        *,
        greedy: bool,
    ) -> object:
        """One step, or two of a module with a state, whose second gets what the first gives."""
        device = next((p.device for p in module.parameters()), None)
        stateful = module.is_stateful()
        state = first_state(module.get_initial_state()) if stateful else None
        outputs = []
        for step in range(2 if stateful else 1):
            inputs = batch(observations(self.observation_space, self.seed + step), state, device)
            with torch.no_grad():
                output = dict(forward(inputs))
                if Columns.ACTIONS not in output and Columns.ACTION_DIST_INPUTS in output:
                    output.update(_act(dist(module), output, greedy=greedy))
            state = output.get(Columns.STATE_OUT)
            outputs.append({k: output[k] for k in COLUMNS if k in output})
        return outputs

    def send(self, full: Any) -> Mapping[str, Any]:
        """The state that a Learner sends; computed by inflint for a simulated module."""
        if _is_meta(full):
            return inference_state(full)
        state: Mapping[str, Any] = full.get_state(inference_only=True)
        return state

    def receive(self, runner: Any, state: Mapping[str, Any]) -> None:
        """Load it as an EnvRunner does."""
        if _is_meta(runner):
            load_inference_state(runner, state)
        else:
            runner.set_state(state)

    def build_failed(self, error: Exception) -> Cause | None:
        """A class with the API, but without its method."""
        return diagnosis.build_failed(self.module_class, error)

    def diagnose(self, evidence: Evidence) -> Iterable[Cause]:
        """What this release does differently from the contract, and other traps of RLlib's."""
        return diagnosis.diagnose(self.module_class, evidence, on_runner=self.on_runner)


def _inference_dist(module: Any) -> Any:
    return module.get_inference_action_dist_cls()


def _exploration_dist(module: Any) -> Any:
    return module.get_exploration_action_dist_cls()


def _act(dist_class: Any, output: Mapping[str, Any], *, greedy: bool) -> dict[str, Any]:
    inputs = output[Columns.ACTION_DIST_INPUTS]
    if inputs.device.type == "meta":
        return {}
    dist = dist_class.from_logits(inputs)
    if greedy:
        dist = dist.to_deterministic()
    actions = dist.sample()
    return {Columns.ACTIONS: actions, Columns.ACTION_LOGP: dist.logp(actions)}


def _is_meta(module: Any) -> bool:
    return any(p.is_meta for p in module.parameters())


def _listing(cls: type, paths: tuple[str, ...]) -> Callable[..., Any]:
    """The same class with another list: RLlib's constructor then removes that."""
    if not paths and getattr(cls, METHOD, None) is None:
        return cls
    body = {
        METHOD: lambda self: list(paths),  # noqa: ARG005 - a method
        "__module__": cls.__module__,
        "__qualname__": cls.__qualname__,
    }
    bases = (cls,) if not paths or issubclass(cls, InferenceOnlyAPI) else (cls, InferenceOnlyAPI)
    made: Callable[..., Any] = type(cls)(cls.__name__, bases, body)
    return made
