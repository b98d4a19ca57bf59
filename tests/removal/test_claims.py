"""What the pages INF301 to INF405 claim is what the installed Ray does with their examples."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import pytest

from inflint.checks.pages import rules

pytest.importorskip("ray.rllib")
pytest.importorskip("torch")

import gymnasium as gym
import numpy as np
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.algorithms.ppo.default_ppo_rl_module import DefaultPPORLModule
from ray.rllib.algorithms.ppo.ppo_catalog import PPOCatalog
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModule, RLModuleSpec
from torch.nn.modules.module import register_module_module_registration_hook

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.ray,
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(
        tuple(map(int, ray.__version__.split(".")[:2])) < (2, 55),
        reason="the claims are those for the newest releases",
    ),
]

CODES = [f"INF{number}" for number in (301, 302, 303, 304, 305, 307, 401, 402, 403, 404, 405)]
OBSERVATIONS = gym.spaces.Box(-1.0, 1.0, (4,), np.float32)
ACTIONS = gym.spaces.Discrete(2)
LOGITS = Columns.ACTION_DIST_INPUTS
DEPRECATED = r"RLModule\(config=\[RLModuleConfig\]\).* has been deprecated"


def missing(name: str) -> str:
    """What Python says of an attribute that can't be deleted; until 3.10, it says its name."""
    return rf"^('\w+' object has no attribute '{name}'|{name})$"


def names(code: str, kind: str = "bad", index: int = 0) -> dict[str, Any]:
    """What an example of a page defines."""
    namespace: dict[str, Any] = {"__name__": f"{code}_{kind}_{index}"}
    source = rules()[code].examples(kind)[index]
    exec(compile(source, namespace["__name__"], "exec"), namespace)
    return namespace


def module_class(code: str, kind: str = "bad", index: int = 0) -> type[RLModule]:
    """The RLModule class of an example."""
    namespace = names(code, kind, index)
    (found,) = (
        value
        for value in namespace.values()
        if isinstance(value, type)
        and issubclass(value, RLModule)
        and value.__module__ == namespace["__name__"]
    )
    return found


def indices(code: str, kind: str = "bad") -> range:
    return range(len(rules()[code].examples(kind)))


def model_config(cls: type[RLModule]) -> dict[str, Any]:
    """PPO's defaults with separate encoders, or nothing for a class that has no use for it."""
    if not issubclass(cls, DefaultPPORLModule):
        return {}
    return dataclasses.asdict(DefaultModelConfig(vf_share_layers=False))


def build(cls: type[RLModule], *, inference_only: bool, **config: Any) -> Any:
    """The module of an EnvRunner or of a Learner, each with random weights of its own."""
    torch.manual_seed(int(inference_only))
    return cls(
        observation_space=OBSERVATIONS,
        action_space=ACTIONS,
        inference_only=inference_only,
        model_config=model_config(cls) | config,
        catalog_class=PPOCatalog if issubclass(cls, DefaultPPORLModule) else None,
    )


def learner(cls: type[RLModule]) -> Any:
    return build(cls, inference_only=False)


def runner(cls: type[RLModule], **config: Any) -> Any:
    return build(cls, inference_only=True, **config)


def spec(cls: type[RLModule]) -> RLModuleSpec:
    """The spec from which an EnvRunner builds its module."""
    return RLModuleSpec(
        module_class=cls,
        observation_space=OBSERVATIONS,
        action_space=ACTIONS,
        inference_only=True,
        model_config=model_config(cls),
    )


def batch() -> dict[str, torch.Tensor]:
    return {Columns.OBS: torch.linspace(-1.0, 1.0, 12).reshape(3, 4)}


def parts(keys: Any) -> set[str]:
    """Keys of a state without the names of the parameters."""
    return {key.rpartition(".")[0] or key for key in keys}


def sent(module: Any) -> dict[str, Any]:
    """What a Learner sends to an EnvRunner."""
    state: dict[str, Any] = module.get_state(inference_only=True)
    return state


def same(first: Any, second: Any, key: str = LOGITS) -> bool:
    """Whether two modules compute the same in exploration."""
    outputs = [module.forward_exploration(batch())[key] for module in (first, second)]
    return bool(torch.allclose(*outputs))


@pytest.mark.parametrize("index", indices("INF301"))
def test_inf301_nested_path_fails_the_build(index: int) -> None:
    cls = module_class("INF301", index=index)
    full = learner(cls)
    leaf = full.get_non_inference_attributes()[-1].rpartition(".")[2]
    assert sent(full), "on a Learner the path is a filter, and works"
    with pytest.raises(AttributeError, match=missing(leaf)):
        runner(cls)
    with pytest.raises(ValueError, match=DEPRECATED) as masked:
        spec(cls).build()
    assert isinstance(masked.value.__context__, AttributeError)


def test_inf302_the_attribute_of_the_same_name_goes_and_the_child_stays() -> None:
    cls = module_class("INF302")
    full, trimmed = learner(cls), runner(cls)
    assert not hasattr(trimmed, "vf")
    assert hasattr(trimmed.encoder, "vf")
    with pytest.raises(ValueError, match=r"missing keys: \['encoder\.vf\.weight'"):
        trimmed.set_state(sent(full))


def test_inf302_an_attribute_that_inference_needs_goes() -> None:
    trimmed = runner(module_class("INF302", index=1))
    assert hasattr(trimmed.nets, "norm")
    with pytest.raises(AttributeError, match="no attribute 'norm'"):
        trimmed.forward_inference(batch())


@pytest.mark.parametrize(
    ("index", "complaint"),
    [
        (0, "vf_scale"),  # How Python words it for a property depends on its version.
        (1, missing("compute_values")),
        (2, missing("vf_scale")),
    ],
    ids=["property", "method", "class attribute"],
)
def test_inf303_what_the_class_holds_fails_the_build(index: int, complaint: str) -> None:
    cls = module_class("INF303", index=index)
    with pytest.raises(AttributeError, match=complaint):
        runner(cls)
    with pytest.raises(ValueError, match=DEPRECATED):
        spec(cls).build()


def test_inf303_rllibs_own_attribute_goes_and_checkpoints_fail(tmp_path: Path) -> None:
    trimmed = runner(module_class("INF303", index=3), hidden_dim=8)
    trimmed.forward_inference(batch())
    with pytest.raises(AttributeError, match="no attribute 'model_config'"):
        trimmed.save_to_path(tmp_path)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("action_space", lambda trimmed, _: trimmed.get_exploration_action_dist_cls()),
        ("inference_only", lambda trimmed, state: trimmed.set_state(state)),
        ("training", lambda trimmed, _: trimmed.forward_inference(batch())),
        ("config", lambda trimmed, _: trimmed(batch())),
    ],
)
def test_inf303_rllib_misses_its_own_attributes(name: str, call: Any) -> None:
    cls = module_class("INF303", index=3)
    listed = type("Listed", (cls,), {"get_non_inference_attributes": lambda _: [name]})
    state = sent(learner(cls))
    trimmed = runner(listed)
    with pytest.raises(AttributeError, match=f"no attribute '{name}'"):
        call(trimmed, state)


def test_inf304_a_late_component_stays_and_the_sync_fails() -> None:
    cls = module_class("INF304")
    full, trimmed = learner(cls), runner(cls)
    assert parts(trimmed.state_dict()) == {"pi", "vf"}
    assert parts(sent(full)) == {"pi"}
    with pytest.raises(ValueError, match=r"missing keys: \['vf\.weight', 'vf\.bias'\]"):
        trimmed.set_state(sent(full))


def test_inf305_is_about_older_releases_only() -> None:
    """From 2.41 on the same list removes; the page's claim on 2.40 needs a Ray 2.40."""
    cls = module_class("INF305")
    assert rules()["INF305"].examples("bad")[0].startswith("# target-ray: 2.40\n")
    full, trimmed = learner(cls), runner(cls)
    assert parts(trimmed.state_dict()) == parts(sent(full)) == {"pi"}


@pytest.mark.parametrize(
    ("index", "stale", "fresh"),
    [(0, [LOGITS], []), (1, [Columns.VF_PREDS], [LOGITS])],
    ids=["listed but used", "guarded"],
)
def test_inf307_what_is_listed_is_stale_on_env_runners(
    index: int, stale: list[str], fresh: list[str]
) -> None:
    full, trimmed = policies(names("INF307", index=index)["policies"])
    assert not trimmed.inference_only
    trimmed.set_state(sent(full))
    for key in (*stale, *fresh):
        assert same(full, trimmed, key) is (key in fresh), key


def test_inf307_flags_in_the_specs_do_not_help() -> None:
    given = names("INF307", "good")["policies"]
    flagged = MultiRLModuleSpec(rl_module_specs=given.rl_module_specs, inference_only=True)
    assert not policies(flagged)[1].inference_only
    for each in given.rl_module_specs.values():
        each.inference_only = True
    with pytest.raises(RuntimeError, match="forward_train"):
        policies(given)[0].forward_train(batch())


def test_inf307_a_single_spec_builds_inference_only_modules() -> None:
    full, trimmed = policies(RLModuleSpec(module_class=module_class("INF307", "good")))
    assert trimmed.inference_only
    assert not full.inference_only
    trimmed.set_state(sent(full))
    assert not hasattr(trimmed, "vf")
    assert same(full, trimmed)


def policies(given: RLModuleSpec | MultiRLModuleSpec) -> tuple[Any, Any]:
    """The module of policy `red` as PPO builds it: on the Learner, and on an EnvRunner."""
    config = (
        PPOConfig()
        .environment(observation_space=OBSERVATIONS, action_space=ACTIONS)
        .multi_agent(policies={"red", "blue"}, policy_mapping_fn=lambda *_, **__: "red")
        .rl_module(rl_module_spec=given)
    )
    built = []
    for inference_only in (False, True):
        torch.manual_seed(int(inference_only))
        multi = config.get_multi_rl_module_spec(
            spaces=dict.fromkeys(("red", "blue"), (OBSERVATIONS, ACTIONS)),
            inference_only=inference_only,
        )
        built.append(multi.build()["red"])
    return built[0], built[1]


@pytest.mark.parametrize("index", [0, 1], ids=["list", "dict"])
def test_inf401_what_is_not_registered_is_never_synced(index: int) -> None:
    cls = module_class("INF401", index=index)
    full, trimmed = learner(cls), runner(cls)
    trimmed.set_state(sent(full))
    assert not same(full, trimmed)
    assert parts(full.state_dict()) <= {"pi"}
    hidden = full.layers[0] if index == 0 else full.nets["pi"]
    assert not any(p is hidden.weight for p in full.parameters())


def test_inf401_listed_or_not_the_state_is_the_same() -> None:
    cls = module_class("INF401", index=2)
    full, trimmed = learner(cls), runner(cls)
    assert not hasattr(trimmed, "critics")
    assert set(full.state_dict()) == set(sent(full))
    assert not any(p is full.critics[0].weight for p in full.parameters())


@pytest.mark.parametrize("index", [0, 1])
def test_inf402_the_full_state_is_sent(index: int) -> None:
    cls = module_class("INF402", index=index)
    full, trimmed = learner(cls), runner(cls)
    assert parts(sent(full)) == {"pi", "vf"}
    trimmed.set_state(sent(full))
    assert parts(trimmed.state_dict()) == {"pi"}
    assert same(full, trimmed)


def test_inf402_without_the_parameter_a_sync_fails() -> None:
    full = learner(module_class("INF402", index=2))
    with pytest.raises(TypeError, match="unexpected keyword argument 'inference_only'"):
        full.as_multi_rl_module().get_state(inference_only=True)


@pytest.mark.parametrize(
    ("index", "alias"), [(0, "nets.vf"), (1, "policy.critic")], ids=["ModuleDict", "module"]
)
def test_inf403_the_other_path_stays_and_is_sent(index: int, alias: str) -> None:
    cls = module_class("INF403", index=index)
    full, trimmed = learner(cls), runner(cls)
    assert not hasattr(trimmed, "vf")
    assert alias in parts(trimmed.state_dict())
    assert parts(sent(full)) == parts(trimmed.state_dict())


def test_inf403_both_paths_can_not_be_listed() -> None:
    cls = module_class("INF403")
    for listed in (["vf", "nets.vf"], ["nets.vf", "vf"]):
        both = type(
            "Both", (cls,), {"get_non_inference_attributes": lambda _, listed=listed: listed}
        )
        if listed[0] == "vf":
            with pytest.raises(AttributeError, match=missing("vf")):
                runner(both)
        else:
            with pytest.raises(ValueError, match=r"missing keys: \['nets\.vf\.weight'"):
                runner(both).set_state(sent(learner(both)))


def test_inf404_the_value_is_computed_in_each_inference_call() -> None:
    for index in indices("INF404"):
        cls = module_class("INF404", index=index)
        trimmed = runner(cls)
        assert Columns.VF_PREDS in trimmed.forward_exploration(batch())
        assert set(sent(learner(cls))) == set(trimmed.state_dict())
        head = "vf" if hasattr(trimmed, "vf") else "critic"
        delattr(trimmed, head)
        with pytest.raises(AttributeError, match=head):
            trimmed.forward_exploration(batch())
    cls = module_class("INF404", "good")
    assert set(runner(cls).forward_exploration(batch())) == {LOGITS}
    assert parts(sent(learner(cls))) == {"encoder.0", "pi"}


@pytest.mark.parametrize(("kind", "made"), [("bad", {"pi", "vf"}), ("good", {"pi"})])
def test_inf405_what_is_listed_is_built_first(kind: str, made: set[str]) -> None:
    registered: set[str] = set()
    hook = register_module_module_registration_hook(lambda _, name, __: registered.add(name))
    try:
        trimmed = runner(module_class("INF405", kind))
    finally:
        hook.remove()
    assert registered == made
    assert not hasattr(trimmed, "vf")


@pytest.mark.parametrize(
    ("code", "index"), [(code, index) for code in CODES for index in indices(code, "good")]
)
def test_good_examples_build_sync_and_agree(code: str, index: int) -> None:
    cls = module_class(code, "good", index)
    full, trimmed = learner(cls), runner(cls)
    spec(cls).build()
    assert set(sent(full)) == set(trimmed.state_dict())
    trimmed.set_state(sent(full))
    assert same(full, trimmed)
    full.forward_train(batch())
    if hasattr(cls, "compute_values"):
        assert full.compute_values(batch()).shape == (3,)
