"""The pitfalls of `InferenceOnlyAPI`, row by row, in each layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .base_cases import BASE_CASES
from .expect import Case, Runs, assert_outcome
from .list_cases import LIST_CASES
from .use_cases import USE_CASES

if TYPE_CHECKING:
    from conftest import Inflint

CASES = [*BASE_CASES, *LIST_CASES, *USE_CASES]


@pytest.fixture(scope="module")
def runs(inflint: Inflint, tmp_path_factory: pytest.TempPathFactory) -> Runs:
    return Runs(inflint, tmp_path_factory.mktemp("pitfalls"))


@pytest.mark.parametrize(
    ("case", "layout"),
    [
        pytest.param(case, layout, id=f"{case.id}-{layout}")
        for case in CASES
        for layout in case.places
    ],
)
def test_row(runs: Runs, case: Case, layout: str) -> None:
    assert_outcome(case, runs.of(case, layout))


def test_ids_are_unique() -> None:
    ids = [case.id for case in CASES]
    assert len(ids) == len(set(ids))
