"""Makes the corpus's ground truth importable, and knows the two profiles."""

from __future__ import annotations

import sys
from pathlib import Path

from hypothesis import HealthCheck, Phase, settings

CORPUS = Path(__file__).parent.parent / "corpus"

if str(CORPUS) not in sys.path:
    sys.path.append(str(CORPUS))

_COMMON = {
    "deadline": None,
    "database": None,
    "print_blob": True,
    "suppress_health_check": list(HealthCheck),
}
SEED = 20_261_201
settings.register_profile("quick", max_examples=150, **_COMMON)
"""With `SEED`, the same few hundred classes in each run: for CI."""
settings.register_profile("long", max_examples=8_000, **_COMMON)
"""By hand: at least 20,000 classes."""
MUTANTS = "mutants"
settings.register_profile(
    MUTANTS,
    max_examples=150,
    phases=[Phase.generate],
    report_multiple_bugs=False,
    **_COMMON,
)
"""As `quick`, without shrinking: it is enough that something fails."""
