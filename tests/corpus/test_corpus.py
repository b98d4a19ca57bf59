"""The static verdicts and findings on the corpus of small, real-looking modules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from corpus_cases import Case, cases

from inflint.cli import main


@pytest.fixture(scope="module")
def reports() -> dict[tuple[str, Path], dict[str, Any]]:
    """The reports that were made already, by command and target."""
    return {}


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.id)
def test_verdict(case: Case, reports: dict[tuple[str, Path], dict[str, Any]]) -> None:
    """`non_inference` names no needed path, and every unused one that can be known."""
    report = _report("inspect", case.target, reports)
    found = [entry for entry in report["classes"] if _belongs(entry, entry["qualname"], case)]
    assert len(found) == 1, f"{case.name}: reported {len(found)} times"
    verdict = set(found[0]["non_inference"])
    wrong = {
        path
        for path in verdict - case.non_inference
        if not any(path == name or path.startswith(name + ".") for name in case.uncertain)
    }
    assert not wrong, f"needed (or not maximal), yet called unused: {sorted(wrong)}"
    assert case.non_inference <= verdict, f"missed: {sorted(case.non_inference - verdict)}"


@pytest.mark.parametrize("case", [c for c in cases() if c.findings is not None], ids=lambda c: c.id)
def test_findings(case: Case, reports: dict[tuple[str, Path], dict[str, Any]]) -> None:
    """The class's warnings and errors of the families INF1 and INF2, each at its line."""
    expected = case.findings or ()
    found = {
        (entry["code"], entry["line"])
        for entry in _report("check", case.target, reports)["findings"]
        if _belongs(entry, entry["class"], case)
        and entry["code"][:4] in ("INF1", "INF2")
        and entry["severity"] in ("warning", "error")
    }
    missed = {
        (f.code, f.line)
        for f in expected
        if not f.optional and not any(f.matches(code, line) for code, line in found)
    }
    extra = {
        (code, line) for code, line in found if not any(f.matches(code, line) for f in expected)
    }
    assert (missed, extra) == (set(), set())


def _belongs(entry: dict[str, Any], qualname: object, case: Case) -> bool:
    name = str(qualname).rpartition(".")[2]
    return name == case.name and Path(entry["path"]).name == case.file.name


def _report(
    command: str, target: Path, reports: dict[tuple[str, Path], dict[str, Any]]
) -> dict[str, Any]:
    if (command, target) not in reports:
        result = CliRunner().invoke(main, [command, str(target), "--format", "json"])
        assert result.exit_code in (0, 1), result.output or repr(result.exception)
        reports[command, target] = json.loads(result.stdout)
    return reports[command, target]
