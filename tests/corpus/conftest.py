"""Makes the corpus reader importable and keeps the cases themselves out of collection."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

collect_ignore_glob = ["cases/*"]

_HERE = str(Path(__file__).parent)
if _HERE not in sys.path:
    sys.path.insert(0, _HERE)


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marker of the tests that need an installed Ray."""
    config.addinivalue_line("markers", "ray: needs ray[rllib] and torch")
