"""Makes the corpus's ground truth importable, and knows the two profiles."""

from __future__ import annotations

import sys
from pathlib import Path

from hypothesis import HealthCheck, Phase, settings

CORPUS = Path(__file__).parent.parent / "corpus"

if str(CORPUS) not in sys.path:
    sys.path.append(str(CORPUS))
