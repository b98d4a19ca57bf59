"""RLlib 2.60.0's own modules: the linter must agree with what RLlib really runs.

The expectations were observed by running the classes (forward hooks, NaN poisoning, equal logits
after a sync); each row says what one class builds, lists and needs.
"""

from __future__ import annotations

import ast
import importlib.util
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import Inflint

OVERRIDE = "get_non_inference_attributes"
API = "InferenceOnlyAPI"
API_FILE = "core/rl_module/apis/inference_only_api.py"


@dataclass(frozen=True)
class Module:
    """One RLModule class of RLlib.

    Attributes:
        name: The class.
        file: Its file, relative to `ray/rllib`.
        unused: What inference never touches ("Correct set", both sides of each condition).
        declared: What RLlib's list names (the union over its conditions); None without the API.
        nested: Unused parts inside owned models may be reported beside `unused`.
    """

    name: str
    file: str
    unused: frozenset[str] = frozenset()
    declared: frozenset[str] | None = None
    nested: bool = False


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


PPO = _names("vf encoder.critic_encoder")
APPO = PPO | _names("_old_encoder _old_pi")
DQN = _names("_target_encoder _target_af _target_vf")
SAC = _names(
    "qf qf_encoder qf_twin qf_twin_encoder"
    " target_qf target_qf_encoder target_qf_twin target_qf_twin_encoder"
)
IQL = SAC | _names("vf vf_encoder")
TQC = _names("qf_encoders qf_heads target_qf_encoders target_qf_heads")
OLD_LSTM = _names("_values _old_lstm _old_fc_net _old_pi_head")
DREAMER = _names("encoder decoder world_model actor critic")
TINY_ATARI = _names("_values _target_base_cnn_stack _target_logits")

EXAMPLES = "examples/rl_modules/classes"

MODULES = [
    # Default modules that bring the API: their lists are right.
    Module(
        "DefaultPPOTorchRLModule", "algorithms/ppo/torch/default_ppo_torch_rl_module.py", PPO, PPO
    ),
    Module(
        "DefaultAPPOTorchRLModule",
        "algorithms/appo/torch/default_appo_torch_rl_module.py",
        APPO,
        APPO,
    ),
    Module(
        "DefaultDQNTorchRLModule", "algorithms/dqn/torch/default_dqn_torch_rl_module.py", DQN, DQN
    ),
    Module(
        "DefaultSACTorchRLModule", "algorithms/sac/torch/default_sac_torch_rl_module.py", SAC, SAC
    ),
    Module(
        "DefaultCQLTorchRLModule", "algorithms/cql/torch/default_cql_torch_rl_module.py", SAC, SAC
    ),
    Module(
        "DefaultIQLTorchRLModule", "algorithms/iql/torch/default_iql_torch_rl_module.py", IQL, IQL
    ),
    Module(
        "DefaultTQCTorchRLModule", "algorithms/tqc/torch/default_tqc_torch_rl_module.py", TQC, TQC
    ),
    # Examples that bring or inherit it.
    Module(
        "LSTMContainingRLModuleWithTargetNetwork",
        f"{EXAMPLES}/lstm_containing_rlm.py",
        OLD_LSTM,
        OLD_LSTM,
    ),
    Module("ActionMaskingTorchRLModule", f"{EXAMPLES}/action_masking_rlm.py", PPO, PPO),
    Module("MobileNetTorchPPORLModule", f"{EXAMPLES}/mobilenet_rlm.py", _names("vf"), PPO),
    # Missing API.
    Module(
        "DreamerV3TorchRLModule",
        "algorithms/dreamerv3/torch/dreamerv3_torch_rl_module.py",
        DREAMER,
        nested=True,
    ),
    Module("TinyAtariCNN", f"{EXAMPLES}/tiny_atari_cnn_rlm.py", TINY_ATARI),
    Module("LSTMContainingRLModule", f"{EXAMPLES}/lstm_containing_rlm.py", _names("_values")),
    Module(
        "AutoregressiveActionsRLM",
        f"{EXAMPLES}/autoregressive_actions_rlm.py",
        _names("_value_net"),
    ),
    Module(
        "CustomActionDistributionRLModule",
        f"{EXAMPLES}/custom_action_distribution_rlm.py",
        _names("_vf"),
    ),
    Module("MyPPOModel", "examples/offline_rl/train_w_bc_finetune_w_ppo.py", _names("_vf")),
    # Nothing to list (ModelV2's value branch lies inside the wrapped model).
    Module("ModelV2ToRLModule", f"{EXAMPLES}/modelv2_to_rlm.py", nested=True),
    Module("DefaultBCTorchRLModule", "algorithms/bc/torch/default_bc_torch_rl_module.py"),
    Module("MyBCModel", "examples/offline_rl/train_w_bc_finetune_w_ppo.py"),
    Module("VPGTorchRLModule", f"{EXAMPLES}/vpg_torch_rlm.py"),
    Module("VPGPolicyAfterSharedEncoder", f"{EXAMPLES}/vpg_using_shared_encoder_rlm.py"),
    Module("SharedEncoder", f"{EXAMPLES}/vpg_using_shared_encoder_rlm.py"),
    Module("VPGPolicyNoSharedEncoder", f"{EXAMPLES}/vpg_using_shared_encoder_rlm.py"),
    Module(
        "DifferentiableTorchRLModule", "examples/algorithms/classes/maml_lr_differentiable_rlm.py"
    ),
    Module("DiscreteBCTorchModule", "core/testing/torch/bc_module.py"),
    Module("BCTorchRLModuleWithSharedGlobalEncoder", "core/testing/torch/bc_module.py"),
]

#: INF101: class -> (file, attributes in order of construction).
MISSING_API = {
    "TinyAtariCNN": (
        f"{EXAMPLES}/tiny_atari_cnn_rlm.py",
        "_values, _target_base_cnn_stack, _target_logits",
    ),
    "LSTMContainingRLModule": (f"{EXAMPLES}/lstm_containing_rlm.py", "_values"),
    "AutoregressiveActionsRLM": (f"{EXAMPLES}/autoregressive_actions_rlm.py", "_value_net"),
    "CustomActionDistributionRLModule": (
        f"{EXAMPLES}/custom_action_distribution_rlm.py",
        "_vf",
    ),
    "MyPPOModel": ("examples/offline_rl/train_w_bc_finetune_w_ppo.py", "_vf"),
    "DreamerV3TorchRLModule": (
        "algorithms/dreamerv3/torch/dreamerv3_torch_rl_module.py",
        "encoder, decoder, world_model, actor, critic",
    ),
}

#: INF306: with separate LSTM encoders the runner needs what these list (finding 4 of the facts).
STATEFUL_CRITIC = {
    "DefaultPPORLModule",
    "DefaultPPOTorchRLModule",
    "DefaultAPPORLModule",
    "DefaultAPPOTorchRLModule",
}


def _is_file(path: str, file: str) -> bool:
    return f"/{Path(path).as_posix()}".endswith(f"/{file}")


def _row(classes: list[dict[str, Any]], module: Module) -> dict[str, Any]:
    rows = [c for c in classes if c["qualname"] == module.name and _is_file(c["path"], module.file)]
    assert len(rows) == 1, f"{module.name} stands {len(rows)} times in the output"
    return rows[0]


def _assert_unused(row: dict[str, Any], module: Module) -> None:
    found = frozenset(row["non_inference"])
    if not module.nested:
        assert found == module.unused
        return
    assert {name for name in found if "." not in name} == module.unused


@pytest.fixture(scope="session")
def rllib() -> Path:
    """The installed `ray/rllib`, found without importing Ray."""
    spec = importlib.util.find_spec("ray")
    if spec is None or spec.origin is None:
        pytest.skip("Ray is not installed")
    return Path(spec.origin).parent / "rllib"


@pytest.fixture(scope="session")
def findings(inflint: Inflint, rllib: Path) -> list[dict[str, Any]]:
    """All that `check` says about RLlib."""
    return inflint.check(rllib)


@pytest.fixture(scope="session")
def installed(inflint: Inflint, rllib: Path) -> list[dict[str, Any]]:
    """The classes of RLlib as it is installed."""
    return inflint.inspect(rllib)


@pytest.fixture(scope="session")
def stripped(
    inflint: Inflint, rllib: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[dict[str, Any]]:
    """The classes of a copy of RLlib without any override or `InferenceOnlyAPI` base."""
    package = tmp_path_factory.mktemp("without_overrides") / "ray"
    copy = package / "rllib"
    shutil.copytree(rllib, copy, ignore=_all_but_python)
    (package / "__init__.py").touch()
    for path in sorted(copy.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if (API in text or OVERRIDE in text) and not _is_file(path.as_posix(), API_FILE):
            path.write_text(_without_override(text), encoding="utf-8")
    return inflint.inspect(package)


def _all_but_python(directory: str, names: list[str]) -> set[str]:
    here = Path(directory)
    return {n for n in names if not (n.endswith(".py") or (here / n).is_dir())} | {"__pycache__"}


def _without_override(text: str) -> str:
    """`text` with each override and each base that is the API taken out."""
    lines = text.splitlines(keepends=True)
    for node in _last_first(text):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            del lines[first - 1 : node.end_lineno]
        else:
            header = "".join(lines[node.lineno - 1 : node.body[0].lineno - 1])
            header = re.sub(rf",\s*{API}\b|\b{API}\b\s*,\s*", "", header, count=1)
            lines[node.lineno - 1 : node.body[0].lineno - 1] = [header]
    return "".join(lines)


def _last_first(text: str) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    """The overrides and the classes that name the API, from the end of the file to its start."""
    found = [
        node
        for node in ast.walk(ast.parse(text))
        if (isinstance(node, ast.FunctionDef) and node.name == OVERRIDE)
        or (
            isinstance(node, ast.ClassDef)
            and any(isinstance(b, ast.Name) and b.id == API for b in node.bases)
        )
    ]
    return iter(sorted(found, key=lambda node: node.lineno, reverse=True))


# What `check` says about the installed tree.


def test_missing_api_is_found_with_the_exact_attributes(findings: list[dict[str, Any]]) -> None:
    found = [f for f in findings if f["code"] == "INF101"]
    assert {f["class"]: f["attribute"] for f in found} == {
        name: attributes for name, (_, attributes) in MISSING_API.items()
    }
    assert len(found) == len(MISSING_API)
    for finding in found:
        assert _is_file(finding["path"], MISSING_API[finding["class"]][0])
        assert finding["severity"] == "warning"


def test_the_stateful_critic_is_a_condition_not_an_error(findings: list[dict[str, Any]]) -> None:
    found = [f for f in findings if f["code"] == "INF306"]
    assert found
    assert {f["severity"] for f in found} == {"warning"}
    assert {f["class"] for f in found} <= STATEFUL_CRITIC


def test_nothing_else_in_rllib_is_a_warning_or_an_error(findings: list[dict[str, Any]]) -> None:
    others = [
        (f["code"], f["severity"], f["path"], f["class"], f["attribute"], f["message"])
        for f in findings
        if f["severity"] != "info" and f["code"] not in {"INF101", "INF306"}
    ]
    assert others == []


# What `inspect` says, with RLlib's lists in place and without them.


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.name)
def test_verdict_without_the_override(stripped: list[dict[str, Any]], module: Module) -> None:
    row = _row(stripped, module)
    assert not row["implements_api"], "the copy must be analysed, not the installed package"
    assert not row["declared"]
    _assert_unused(row, module)


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.name)
def test_verdict_and_list_as_installed(installed: list[dict[str, Any]], module: Module) -> None:
    row = _row(installed, module)
    assert bool(row["implements_api"]) == (module.declared is not None)
    assert frozenset(row["declared"] or ()) == (module.declared or frozenset())
    _assert_unused(row, module)


@pytest.mark.parametrize(
    "module", [m for m in MODULES if m.name not in MISSING_API], ids=lambda m: m.name
)
def test_no_false_alarm_as_installed(findings: list[dict[str, Any]], module: Module) -> None:
    alarms = [
        (f["code"], f["attribute"], f["message"])
        for f in findings
        if f["class"] == module.name
        and f["severity"] != "info"
        and f["code"].startswith(("INF1", "INF2"))
    ]
    assert alarms == []


@pytest.mark.parametrize("module", [m for m in MODULES if m.unused], ids=lambda m: m.name)
def test_each_unused_component_says_why(installed: list[dict[str, Any]], module: Module) -> None:
    components = {c["path"]: c for c in _row(installed, module)["components"]}
    for name in module.unused:
        assert components[name]["verdict"] == "unused"
        assert components[name]["evidence"], f"{name} has no evidence"
