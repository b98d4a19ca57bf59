"""The commonest real mistakes each give the right code, and what is right gives none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .expect import Case, Runs, assert_outcome
from .real_cases import MISTAKES

if TYPE_CHECKING:
    from conftest import Inflint


@pytest.fixture(scope="module")
def runs(inflint: Inflint, tmp_path_factory: pytest.TempPathFactory) -> Runs:
    return Runs(inflint, tmp_path_factory.mktemp("mistakes"))


@pytest.mark.parametrize(
    ("case", "layout"),
    [pytest.param(c, layout, id=f"{c.id}-{layout}") for c in MISTAKES for layout in c.places],
)
def test_real_mistake(runs: Runs, case: Case, layout: str) -> None:
    assert_outcome(case, runs.of(case, layout))
