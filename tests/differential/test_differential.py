"""inflint against the running module, over generated programs."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, seed, settings

from tests.differential.conftest import SEED
from tests.differential.properties import LEAST, Tally, examine
from tests.differential.strategies import programs

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.differential.programs import Program

pytestmark = [pytest.mark.ray, pytest.mark.filterwarnings("ignore")]
_NUMBERS = count()
_CHOSEN = settings.get_current_profile_name()
_LONG = _CHOSEN == "long"


def _profile(test: Callable[..., None]) -> Callable[..., None]:
    """The long profile draws anew each time, the quick one what it always draws."""
    if _LONG:
        return settings.get_profile("long")(test)
    return seed(SEED)(settings.get_profile("quick")(test))


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("programs")


@pytest.fixture(scope="module")
def tally() -> Tally:
    return Tally()


@_profile
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
