"""Where the knowledge in ``rules/`` is: inside an installed package, or beside a checkout."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

SNAPSHOTS = "snapshots"
RECORDED = "modules.txt"


def rules_directory() -> Path:
    """The directory with the rule pages and the framework profile.

    Raises:
        FileNotFoundError: The installation is incomplete.
    """
    package = Path(__file__).parent
    for candidate in (package / "rules", package.parent / "rules"):
        if (candidate / "rllib.toml").is_file():
            return candidate
    raise FileNotFoundError(f"inflint's rules are missing beside {package}; reinstall inflint")


@lru_cache(maxsize=1)
def recorded_modules() -> frozenset[str]:
    """The modules of the framework that some snapshot holds."""
    try:
        return frozenset((rules_directory() / SNAPSHOTS / RECORDED).read_text("ascii").split())
    except OSError:
        return frozenset()
