"""inflint against the running module, over generated programs."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from tests.differential.properties import LEAST, Tally, examine
from tests.differential.strategies import programs

if TYPE_CHECKING:
    from pathlib import Path

    from tests.differential.programs import Program

pytestmark = [pytest.mark.ray, pytest.mark.filterwarnings("ignore")]
_NUMBERS = count()
_CHOSEN = settings.get_current_profile_name()
_PROFILE = settings.get_profile(_CHOSEN if _CHOSEN in {"long", "mutants"} else "quick")


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("programs")


@pytest.fixture(scope="module")
def tally() -> Tally:
    return Tally()


@_PROFILE
@given(program=programs())
def test_what_is_said_of_a_program_holds(workshop: Path, tally: Tally, program: Program) -> None:
    """The five properties, on one package of generated modules."""
    found = examine(program, workshop / f"package{next(_NUMBERS)}", tally)
    assert not found, "\n".join(
        [*(f"({c.number}) {c.cls}: {c.text}" for c in found)]
        + [f"# {name}\n{text}" for name, text in program.sources().items()]
    )


def test_unused_paths_are_named(tally: Tally) -> None:
    """(4) Completeness over all programs of the test above."""
    if not tally.classes:
        pytest.skip("the programs did not run")
    assert tally.completeness >= LEAST, tally.missed.most_common()
