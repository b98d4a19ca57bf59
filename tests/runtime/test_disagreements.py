"""Where source and run disagree. A verdict is made up, for none is known to be wrong."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from inflint.checks.pages import rules
from inflint.report.verify_text import report_text
from inflint.runtime import torch_subject, verify
from inflint.runtime.evidence import gather
from inflint.runtime.source import Source, disagreements

from .plain_modules import OBSERVATIONS, Ppo

if TYPE_CHECKING:
    from inflint.runtime.report import Disagreement

_SILENT = [].append


def _disagreements(verdicts: dict[str, str], conditions: dict[str, str]) -> list[Disagreement]:
    subject = torch_subject(Ppo(), (OBSERVATIONS,))
    evidence = gather(subject, 0, _SILENT)
    return list(disagreements(Source(verdicts, conditions), evidence))


def test_agreement() -> None:
    verdicts = {"pi": "needed", "value": "unused", "_encoder.vf": "unused", "_encoder": "needed"}
    assert _disagreements(verdicts, {}) == []


def test_unused_by_source_and_used_in_truth_is_inflints_error() -> None:
    [found] = _disagreements({"pi": "unused"}, {})
    assert found.unsafe
    assert (found.path, found.static, found.runtime) == ("pi", "unused", "used")
    assert "error of inflint's" in found.message


def test_needed_by_source_and_idle_is_safe() -> None:
    [found] = _disagreements({"value": "needed"}, {})
    assert not found.unsafe
    assert (found.path, found.static, found.runtime) == ("value", "needed", "unused")


def test_a_conditional_verdict_is_none() -> None:
    assert _disagreements({"pi": "unused"}, {"pi": "unless the module is stateful"}) == []


def test_the_report_says_so() -> None:
    report = verify(torch_subject(Ppo(), (OBSERVATIONS,)))
    found = tuple(_disagreements({"pi": "unused"}, {}))
    lines = list(report_text(dataclasses.replace(report, disagreements=found), rules()))
    [line] = [line for line in lines if "inflint's error" in line]
    assert "pi: source says that no inference call uses it, but one did" in line
