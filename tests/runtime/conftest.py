"""Makes the corpus of the static half importable: its ground truth is this half's as well."""

from __future__ import annotations

import sys
from pathlib import Path

CORPUS = Path(__file__).parent.parent / "corpus"

if str(CORPUS) not in sys.path:
    sys.path.append(str(CORPUS))
