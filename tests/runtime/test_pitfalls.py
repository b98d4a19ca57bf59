"""Every row of the pitfall table that shows at run time is refuted, for its own reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

from inflint.checks.pages import rules
from inflint.runtime import Options, Report, subjects_of, verify

from . import pitfall_modules as modules
from .pitfall_modules import ACTIONS, ENC, OBSERVATIONS, PI, ROWS, VF, Row

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.ray

SPACES = Options(observation_space=OBSERVATIONS, action_space=ACTIONS)


def _verified(target: Any, options: Options = SPACES) -> Report:
    [subject] = subjects_of(target, options)
    return verify(subject)


def _refutations(report: Report) -> set[tuple[str, str]]:
    return {(cause.rule, cause.path) for cause in report.refutations}


def _spec(module_class: type) -> Any:
    return RLModuleSpec(
        module_class=module_class, observation_space=OBSERVATIONS, action_space=ACTIONS
    )


def _config(module_class: type) -> Any:
    spec = RLModuleSpec(module_class=module_class)
    return PPOConfig().environment("CartPole-v1").rl_module(rl_module_spec=spec)


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r.module_class.__name__)
def test_by_direct_construction(row: Row) -> None:
    report = _verified(row.module_class)
    assert _refutations(report) == row.refutations
    assert report.proven == (not row.refutations)
    assert not any(d.unsafe for d in report.disagreements)


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r.module_class.__name__)
@pytest.mark.parametrize("target", [_config, _spec])
def test_through_a_config_and_a_spec(row: Row, target: Callable[[type], Any]) -> None:
    options = Options() if target is _config else SPACES
    assert _refutations(_verified(target(row.module_class), options)) == row.refutations


@pytest.mark.parametrize(
    "row", [r for r in ROWS if r.refutations], ids=lambda r: r.module_class.__name__
)
def test_each_cause_says_where_it_is(row: Row) -> None:
    for cause in _verified(row.module_class).refutations:
        assert cause.message
        assert cause.place is not None


STALE = "full-module-on-env-runners"
UNLISTED = "unlisted-component"

UNDER_A_MULTI_SPEC = [
    (modules.Right, set()),
    (modules.ERowUsed, {(STALE, "pi"), (UNLISTED, "vf")}),
    (modules.ERowUsedInExplorationOnly, {(STALE, "noise")}),
    (modules.MRowBufferRead, {(STALE, "scale")}),
    (modules.MRowParameterRead, {(STALE, "scale")}),
    (modules.QOkAliasListed, set()),
    (modules.QOkTied, set()),
    (modules.ARowMethodWithoutBase, {("missing-api-base", "")}),
    (modules.FRowNested, set()),
]


@pytest.mark.parametrize(("module_class", "expected"), UNDER_A_MULTI_SPEC)
def test_multi_specs_are_built_whole_and_go_stale(
    module_class: type, expected: set[tuple[str, str]]
) -> None:
    report = _verified(MultiRLModuleSpec(rl_module_specs={"p": _spec(module_class)}), Options())
    assert _refutations(report) == expected
    if expected and STALE in {rule for rule, _ in expected}:
        [cause] = [c for c in report.refutations if c.rule == STALE]
        assert "MultiRLModuleSpec" in cause.message
    assert all(call.ran for call in report.calls)


def test_inference_only_in_a_multi_spec_makes_the_learner_inference_only() -> None:
    spec = _spec(modules.Right)
    spec.inference_only = True
    report = _verified(MultiRLModuleSpec(rl_module_specs={"p": spec}), Options())
    assert ("learner-is-inference-only", "") in _refutations(report)


def test_learner_only_modules_are_left_out() -> None:
    critic = _spec(modules.Plain)
    critic.learner_only = True
    specs = {"p": _spec(modules.Right), "critic": critic}
    found = subjects_of(MultiRLModuleSpec(rl_module_specs=specs), Options(), name="both")
    assert [s.name for s in found] == ["both[p]"]


# What a report says beside the rule.


def _cause(module_class: type, rule: str) -> Any:
    [cause] = [c for c in _verified(module_class).causes if c.rule == rule]
    return cause


def test_right_module_in_numbers() -> None:
    report = _verified(modules.Right)
    [listed] = report.listed
    assert (listed.path, listed.size, listed.kind) == ("vf", VF, "module")
    assert (listed.resolves, listed.removed, listed.used) == (True, True, False)
    assert report.keys == ("enc.weight", "enc.bias", "pi.weight", "pi.bias")
    savings = report.savings
    assert savings is not None
    assert (savings.full, savings.sent, savings.runner) == (ENC + PI + VF, ENC + PI, ENC + PI)
    assert (savings.per_runner, savings.per_sync) == (VF, VF)


def test_traffic_counts_each_runner() -> None:
    [subject] = subjects_of(modules.Right, SPACES)
    savings = verify(subject, runners=8).savings
    assert savings is not None
    assert savings.per_sync == 8 * VF
    assert savings.per_runner == VF


def test_target_networks_are_counted_where_they_are() -> None:
    report = _verified(modules.JRowTargetUnlisted)
    [part] = report.unlisted
    assert (part.path, part.size, part.on_runner) == ("target_enc", ENC, False)
    assert report.savings is not None
    assert report.savings.full == 2 * ENC + PI + VF
    assert report.savings.sent == 2 * ENC + PI
    assert report.savings.runner == ENC + PI


def test_the_true_exception_is_shown_and_not_the_one_of_the_spec() -> None:
    with pytest.raises(ValueError, match="has been deprecated"):
        RLModuleSpec(
            module_class=modules.FRowNested,
            observation_space=OBSERVATIONS,
            action_space=ACTIONS,
            inference_only=True,
        ).build()
    cause = _cause(modules.FRowNested, "nested-path")
    assert cause.exception == "AttributeError: 'FRowNested' object has no attribute 'vf'"
    assert "2.60.0" in cause.message
    assert "del self._encoder.vf" in cause.advice
    assert (cause.place.file, cause.place.function) == (
        modules.__file__,
        "get_non_inference_attributes",
    )


def test_used_part_names_the_line_that_uses_it() -> None:
    cause = _cause(modules.ERowUsed, "listed-but-used")
    assert cause.place.file == modules.__file__
    assert cause.place.function == "_forward"
    with open(modules.__file__, encoding="utf-8") as lines:  # noqa: PTH123
        assert "self.pi(" in list(lines)[cause.place.line - 1]


def test_missing_comma_is_guessed() -> None:
    assert (
        "comma missing between 'vf' and 'aux'"
        in _cause(modules.DRowMissingComma, "unresolved-path").message
    )


def test_string_is_told_from_list() -> None:
    assert "'v', 'f'" in _cause(modules.DRowString, "not-a-list-of-names").message


def test_nearest_name_is_offered() -> None:
    assert _cause(modules.HRowTypo, "unresolved-path").advice == "Did you mean 'vf'?"


@pytest.mark.parametrize(
    ("module_class", "rule", "path"),
    [
        (modules.VOkTwice, "redundant-path", "vf"),
        (modules.WOkParentThenChild, "redundant-path", "aux.vf"),
        (modules.MOkIntegerUnread, "nothing-to-save", "horizon"),
        (modules.YOkLazy, "unresolved-path", "lazy"),
    ],
)
def test_harmless_lists_get_a_note(module_class: type, rule: str, path: str) -> None:
    report = _verified(module_class)
    assert report.proven
    assert {(c.rule, c.severity, c.path) for c in report.causes} == {(rule, "note", path)}


RUNTIME_ONLY = {
    "differing-lists",
    "inference-fails",
    "sync-fails",
}
"""What shows at run time alone; everything else has a rule's page."""


def test_rules_have_the_names_of_their_pages() -> None:
    named = {rule for row in ROWS for rule, _ in row.refutations}
    assert named - {rule.name for rule in rules().values()} == RUNTIME_ONLY
