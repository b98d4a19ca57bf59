"""Source, run and an independent ground truth agree on every module of the corpus."""

from __future__ import annotations

from typing import Any

import ground_truth
import gymnasium as gym
import numpy as np
import pytest
from corpus_cases import Case, cases

from inflint.runtime import Options, Report, subjects_of, verify
from inflint.runtime.paths import covers

pytestmark = [pytest.mark.ray, pytest.mark.filterwarnings("ignore")]

SPACES: dict[str, Any] = {
    "observation_space": gym.spaces.Box(-1.0, 1.0, (ground_truth.OBSERVATION_SIZE,), np.float32),
    "action_space": gym.spaces.Discrete(ground_truth.ACTIONS),
}


def _reports(case: Case) -> list[Report]:
    names = {"ppo": ground_truth.ppo, "dqn": ground_truth.dqn, "sac": ground_truth.sac}
    namespace = {**vars(ground_truth._load(case)), **names}
    cls = eval(case.get, namespace)
    reports = []
    for config in eval(case.configs, namespace):
        [subject] = subjects_of(cls, Options(model_config=config, **SPACES))
        reports.append(verify(subject))
    return reports


@pytest.mark.parametrize("case", [c for c in cases() if c.runtime], ids=lambda case: case.id)
def test_no_part_is_called_unused_that_inference_needs(case: Case) -> None:
    truth = case.non_inference | case.uncertain
    reports = _reports(case)
    assert [d for report in reports for d in report.disagreements if d.unsafe] == []
    proposed = [
        {cause.path for cause in report.refutations if cause.rule == "unlisted-component"}
        for report in reports
    ]
    # Another model config may need what one does not: only what all propose is a mistake.
    for path in set.intersection(*proposed):
        assert any(covers(part, path) for part in truth), path
    for report in reports:
        used = {item.path for item in report.listed if item.used}
        assert not {path for path in used if any(covers(part, path) for part in truth)}
