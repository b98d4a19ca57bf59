"""The corpus's expectations hold under the installed Ray: see `ground_truth`."""

from __future__ import annotations

import pytest
from corpus_cases import Case, cases

pytest.importorskip("ray.rllib")
pytest.importorskip("torch")

import ground_truth

pytestmark = [
    pytest.mark.ray,
    pytest.mark.filterwarnings("ignore"),
]


@pytest.mark.parametrize("case", [c for c in cases() if c.runtime], ids=lambda case: case.id)
def test_expectations_are_what_ray_does(case: Case) -> None:
    """The named paths can go, one by one and together; no other path that holds weights can."""
    labs = ground_truth.laboratories(case)
    for lab in labs:
        assert lab.baseline.error is None, lab.baseline.error
        listed = case.non_inference | case.uncertain
        reason = lab.without(listed)
        assert reason is None, f"inference needs one of {sorted(listed)}: {reason}"
    built = {path for lab in labs for path in lab.paths}
    assert case.non_inference | case.uncertain <= built, "a path that is never built"
    found = ground_truth.unused(labs)
    assert case.non_inference | case.uncertain <= found, "a path that is needed, or not maximal"
    spare = found - case.non_inference - case.uncertain
    assert not spare, f"unused in truth, but not listed: {sorted(spare)}"
