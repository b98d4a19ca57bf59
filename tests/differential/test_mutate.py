"""The faults that `mutate.py` plants can be planted; it runs them by hand."""

from __future__ import annotations

import pytest

from tests.differential.mutate import FAULTS, ROOT, Fault


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_text_stands_once(fault: Fault) -> None:
    """A fault that no longer fits the sources would be missed in silence."""
    assert (ROOT / fault.file).read_text(encoding="utf-8").count(fault.old) == 1
    assert fault.old != fault.new
