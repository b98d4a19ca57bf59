"""RLlib's own modules: what each lists, whether that is right, and what it saves, to the byte.

The bytes follow from the layers: float32 weights and biases of `Linear`, `Conv2d` and `LSTM`, and
one float32 constant in each head of RLlib's catalog.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from ray.rllib.algorithms.appo import APPOConfig
from ray.rllib.algorithms.bc import BCConfig
from ray.rllib.algorithms.cql import CQLConfig
from ray.rllib.algorithms.dqn import DQNConfig
from ray.rllib.algorithms.impala import IMPALAConfig
from ray.rllib.algorithms.iql import IQLConfig
from ray.rllib.algorithms.marwil import MARWILConfig
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.algorithms.sac import SACConfig
from ray.rllib.algorithms.tqc import TQCConfig
from ray.rllib.examples.offline_rl.train_w_bc_finetune_w_ppo import MyPPOModel
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.rllib.examples.rl_modules.classes.autoregressive_actions_rlm import (
    AutoregressiveActionsRLM,
)
from ray.rllib.examples.rl_modules.classes.custom_action_distribution_rlm import (
    CustomActionDistributionRLModule,
)
from ray.rllib.examples.rl_modules.classes.lstm_containing_rlm import (
    LSTMContainingRLModule,
    LSTMContainingRLModuleWithTargetNetwork,
)
from ray.rllib.examples.rl_modules.classes.tiny_atari_cnn_rlm import TinyAtariCNN
from ray.rllib.examples.rl_modules.classes.vpg_torch_rlm import VPGTorchRLModule

from inflint.runtime import Options, Report, subjects_of, verify

pytestmark = pytest.mark.ray


def linear(inputs: int, outputs: int) -> int:
    return 4 * (inputs * outputs + outputs)


def conv(inputs: int, outputs: int, kernel: int) -> int:
    return 4 * (inputs * outputs * kernel * kernel + outputs)


def lstm(inputs: int, cell: int) -> int:
    return 4 * (4 * cell * inputs + 4 * cell * cell + 2 * 4 * cell)


def mlp(inputs: int) -> int:
    """RLlib's default encoder."""
    return linear(inputs, 256) + linear(256, 256)


def head(inputs: int, outputs: int) -> int:
    """A head of RLlib's catalog, with its constant."""
    return linear(inputs, outputs) + 4


RECURRENT = mlp(4) + lstm(256, 256)
CARTPOLE = {"env": "CartPole-v1"}
PENDULUM = {"env": "Pendulum-v1"}


def image(actions: gym.Space[Any]) -> dict[str, Any]:
    space = gym.spaces.Box(-1.0, 1.0, (84, 84, 4), np.float32)
    return {"observation_space": space, "action_space": actions}


def box(*shape: int) -> gym.Space[Any]:
    return gym.spaces.Box(-1.0, 1.0, shape, np.float32)


@dataclass(frozen=True)
class Expected:
    """A target and its result.

    Attributes:
        target: A class or a config.
        options: How it is built.
        kept: Bytes that a sync has to send.
        listed: Bytes of each listed path; 0 for one that leads to nothing.
        unlisted: Bytes of each part that should be listed.
        refutations: Rule and path of each error; unlisted parts are added.
        runner: Bytes on the EnvRunner, if they are others than `kept` and unlisted parts.
    """

    name: str
    target: Any
    options: dict[str, Any]
    kept: int
    listed: dict[str, int] = field(default_factory=dict)
    unlisted: dict[str, int] = field(default_factory=dict)
    refutations: tuple[tuple[str, str], ...] = ()
    runner: int | None = None


def _model(**config: Any) -> dict[str, Any]:
    return {"model_config": config}


POLICY = mlp(4) + head(256, 2)
PPO_LIST = {"vf": head(256, 1), "encoder.critic_encoder": mlp(4)}
QUARTET = ("qf", "target_qf", "qf_twin", "target_qf_twin")


def quartet(encoder: int, q_head: int) -> dict[str, int]:
    """SAC's critics."""
    return dict.fromkeys(QUARTET, q_head) | {f"{name}_encoder": encoder for name in QUARTET}


CRITIC = mlp(1) + mlp(3) + linear(512, 256) + 2 * linear(768, 256)
"""An encoder for Pendulum's action, one for its observations, and three layers that fuse them."""

SAC_LIST = quartet(CRITIC, head(256, 1))

STATEFUL = (("stateful-critic", "encoder.critic_encoder"),)

MODULES = [
    Expected("PPO, separate", PPOConfig(), CARTPOLE, POLICY, PPO_LIST),
    Expected(
        "PPO, shared",
        PPOConfig().rl_module(**_model(vf_share_layers=True)),
        CARTPOLE,
        POLICY,
        {"vf": head(256, 1)},
    ),
    Expected(
        "PPO, continuous",
        PPOConfig(),
        PENDULUM,
        mlp(3) + head(256, 2),
        {"vf": head(256, 1), "encoder.critic_encoder": mlp(3)},
    ),
    Expected(
        "PPO, separate LSTM",
        PPOConfig().rl_module(**_model(use_lstm=True, vf_share_layers=False)),
        CARTPOLE,
        RECURRENT + head(256, 2),
        {"vf": head(256, 1), "encoder.critic_encoder": RECURRENT},
        refutations=STATEFUL,
        runner=2 * RECURRENT + head(256, 2) + head(256, 1),
    ),
    Expected(
        "PPO, shared LSTM",
        PPOConfig().rl_module(**_model(use_lstm=True, vf_share_layers=True)),
        CARTPOLE,
        RECURRENT + head(256, 2),
        {"vf": head(256, 1)},
        runner=RECURRENT + head(256, 2) + head(256, 1),
    ),
    Expected(
        "APPO, separate",
        APPOConfig(),
        CARTPOLE,
        POLICY,
        {**PPO_LIST, "_old_encoder": 2 * mlp(4), "_old_pi": head(256, 2)},
    ),
    Expected(
        "APPO, shared",
        APPOConfig().rl_module(**_model(vf_share_layers=True)),
        CARTPOLE,
        POLICY,
        {"vf": head(256, 1), "_old_encoder": mlp(4), "_old_pi": head(256, 2)},
    ),
    Expected(
        "APPO, separate LSTM",
        APPOConfig().rl_module(**_model(use_lstm=True, vf_share_layers=False)),
        CARTPOLE,
        RECURRENT + head(256, 2),
        {
            "vf": head(256, 1),
            "encoder.critic_encoder": RECURRENT,
            "_old_encoder": 2 * RECURRENT,
            "_old_pi": head(256, 2),
        },
        refutations=STATEFUL,
        runner=2 * RECURRENT + head(256, 2) + head(256, 1),
    ),
    Expected(
        "DQN, dueling",
        DQNConfig(),
        CARTPOLE,
        POLICY + head(256, 1),
        {"_target_encoder": mlp(4), "_target_af": head(256, 2), "_target_vf": head(256, 1)},
    ),
    Expected("SAC, continuous", SACConfig(), PENDULUM, mlp(3) + head(256, 2), SAC_LIST),
    Expected("SAC, discrete", SACConfig(), CARTPOLE, POLICY, quartet(mlp(4), head(256, 2))),
    Expected("CQL", CQLConfig(), PENDULUM, mlp(3) + head(256, 2), SAC_LIST),
    Expected(
        "IQL",
        IQLConfig(),
        PENDULUM,
        mlp(3) + head(256, 2),
        {**SAC_LIST, "vf_encoder": mlp(3), "vf": head(256, 1)},
    ),
    Expected(
        "TQC",
        TQCConfig(),
        PENDULUM,
        mlp(3) + head(256, 2),
        {
            "qf_encoders": 2 * CRITIC,
            "qf_heads": 2 * head(256, 25),
            "target_qf_encoders": 2 * CRITIC,
            "target_qf_heads": 2 * head(256, 25),
        },
    ),
    Expected(
        "IMPALA",
        IMPALAConfig(),
        CARTPOLE,
        POLICY,
        {"vf": head(256, 1), "encoder.critic_encoder": 0},
    ),
    Expected(
        "MARWIL",
        MARWILConfig(),
        CARTPOLE,
        POLICY,
        {"vf": head(256, 1), "encoder.critic_encoder": 0},
    ),
    Expected("BC", BCConfig(), CARTPOLE, POLICY),
    Expected(
        "TinyAtariCNN",
        TinyAtariCNN,
        {"observation_space": box(42, 42, 4), "action_space": gym.spaces.Discrete(4)},
        conv(4, 16, 4) + conv(16, 32, 4) + conv(32, 256, 11) + conv(256, 4, 1),
        unlisted={
            "_values": linear(256, 1),
            "_target_base_cnn_stack": conv(4, 16, 4) + conv(16, 32, 4) + conv(32, 256, 11),
            "_target_logits": conv(256, 4, 1),
        },
        runner=conv(4, 16, 4)
        + conv(16, 32, 4)
        + conv(32, 256, 11)
        + conv(256, 4, 1)
        + linear(256, 1),
    ),
    Expected(
        "LSTMContainingRLModule",
        LSTMContainingRLModule,
        {"observation_space": box(25), "action_space": gym.spaces.Discrete(4)},
        lstm(25, 256) + linear(256, 128) + linear(128, 128) + linear(128, 4),
        unlisted={"_values": linear(128, 1)},
    ),
    Expected(
        "LSTMContainingRLModuleWithTargetNetwork",
        LSTMContainingRLModuleWithTargetNetwork,
        {"observation_space": box(25), "action_space": gym.spaces.Discrete(4)},
        lstm(25, 256) + linear(256, 128) + linear(128, 128) + linear(128, 4),
        {
            "_old_lstm": lstm(25, 256),
            "_old_fc_net": linear(256, 128) + linear(128, 128),
            "_old_pi_head": linear(128, 4),
            "_values": linear(128, 1),
        },
    ),
    Expected(
        "AutoregressiveActionsRLM",
        AutoregressiveActionsRLM,
        {
            "observation_space": box(1),
            "action_space": gym.spaces.Tuple([gym.spaces.Discrete(3), box(1)]),
        },
        linear(1, 256) + linear(256, 3) + linear(1 + 3, 256) + linear(256, 2),
        unlisted={"_value_net": linear(1, 256) + linear(256, 1)},
    ),
    Expected(
        "CustomActionDistributionRLModule",
        CustomActionDistributionRLModule,
        {**CARTPOLE, "model_config": {"action_dist_temperature": 2.0, "hidden_dim": 64}},
        linear(4, 64) + linear(64, 2),
        unlisted={"_vf": linear(64, 1)},
    ),
    Expected(
        "MyPPOModel",
        MyPPOModel,
        CARTPOLE,
        mlp(4) + linear(256, 256) + head(256, 2),
        unlisted={"_vf": linear(256, 256) + head(256, 1)},
    ),
    Expected(
        "ActionMaskingTorchRLModule",
        ActionMaskingTorchRLModule,
        {
            "observation_space": gym.spaces.Dict(
                {"action_mask": gym.spaces.Box(0.0, 1.0, (5,), np.float32), "observations": box(4)}
            ),
            "action_space": gym.spaces.Discrete(5),
            "model_config": {"vf_share_layers": False},
        },
        mlp(4) + head(256, 5),
        PPO_LIST,
    ),
    Expected(
        "VPGTorchRLModule",
        VPGTorchRLModule,
        {**CARTPOLE, "model_config": {"hidden_dim": 16}},
        linear(4, 16) + linear(16, 2),
    ),
]


def _verified(target: Any, options: dict[str, Any]) -> Report:
    [subject] = subjects_of(target, Options(**options))
    return verify(subject)


@pytest.mark.parametrize("expected", MODULES, ids=lambda e: e.name)
def test_module(expected: Expected) -> None:
    report = _verified(expected.target, expected.options)
    unlisted = sum(expected.unlisted.values())
    sent = expected.kept + unlisted
    assert {p.path: p.size for p in report.listed} == expected.listed
    assert {p.path: p.size for p in report.unlisted} == expected.unlisted
    assert report.savings is not None
    assert report.savings.sent == sent
    assert report.savings.full == sent + sum(expected.listed.values())
    runner = sent if expected.runner is None else expected.runner
    assert report.savings.runner == runner
    unnamed = [("unlisted-component", path) for path in expected.unlisted]
    assert {(c.rule, c.path) for c in report.refutations} == {*expected.refutations, *unnamed}
    assert report.proven == (not expected.refutations and not expected.unlisted)
    assert report.static
    assert report.disagreements == ()


@pytest.mark.parametrize(
    "expected", [e for e in MODULES if not e.refutations], ids=lambda e: e.name
)
def test_calls_of_right_modules_are_equal(expected: Expected) -> None:
    report = _verified(expected.target, expected.options)
    assert [c.name for c in report.calls if not (c.ran and c.equal)] == []
    assert {"forward_inference", "forward_exploration", "get_initial_state"} <= {
        c.name for c in report.calls
    }


@pytest.mark.parametrize("name", ["PPO, separate", "SAC, continuous", "DQN, dueling", "TQC"])
def test_each_listed_path_is_removed_and_unused(name: str) -> None:
    expected = next(e for e in MODULES if e.name == name)
    report = _verified(expected.target, expected.options)
    assert [p.path for p in report.listed if not (p.resolves and p.removed)] == []
    assert [p.path for p in report.listed if p.used] == []
    assert not any(key.startswith(tuple(expected.listed)) for key in report.keys)


@pytest.mark.parametrize("config", [PPOConfig, APPOConfig])
def test_separate_lstm_is_refuted_for_its_state(config: type) -> None:
    model = {"use_lstm": True, "vf_share_layers": False}
    report = _verified(config().rl_module(model_config=model), CARTPOLE)
    [cause] = report.refutations
    assert cause.rule == "stateful-critic"
    assert cause.severity == "error"
    assert cause.path == "encoder.critic_encoder"
    assert "recurrent state" in cause.message
    assert cause.place is not None
    assert cause.place.file.endswith("ppo_rl_module.py")
    differing = {c.name: c.detail for c in report.calls if c.equal is False}
    assert set(differing) == {"forward_inference", "forward_exploration"}
    assert all("state_out.critic" in detail for detail in differing.values())
    used = {p.path: p.used for p in report.listed}
    assert used["encoder.critic_encoder"]
    assert not used["vf"]


def test_shared_lstm_keeps_a_value_head_that_is_never_updated() -> None:
    model = {"use_lstm": True, "vf_share_layers": True}
    report = _verified(PPOConfig().rl_module(model_config=model), CARTPOLE)
    assert report.proven
    [note] = [c for c in report.causes if c.rule == "kept-on-runner"]
    assert "vf" in note.message
    assert report.missing_keys[:2] == (
        "vf.log_std_clip_param_const",
        "vf.net.mlp.0.weight",
    )


def test_ppo_and_appo_on_images() -> None:
    discrete = image(gym.spaces.Discrete(6))
    report = _verified(PPOConfig(), discrete)
    assert report.proven
    assert {p.path: p.size for p in report.listed} == {
        "vf": 123_912,
        "encoder.critic_encoder": 4_015_296,
    }
    assert report.savings is not None
    assert (report.savings.full, report.savings.sent) == (8_897_956, 4_758_748)


def test_memory_saved_leaves_out_what_no_runner_ever_holds() -> None:
    """Target networks are a Learner's alone: they cost traffic, and no EnvRunner memory."""
    dqn = _verified(DQNConfig(), CARTPOLE).savings
    assert dqn is not None
    assert dqn.per_runner == 0
    assert dqn.per_sync == mlp(4) + head(256, 2) + head(256, 1)
    sac = _verified(SACConfig(), PENDULUM).savings
    assert sac is not None
    assert sac.per_runner == 2 * (2_632_704 + 1_032)  # the two critics, as a Learner has them
    assert sac.per_sync == 2 * sac.per_runner  # and their targets
