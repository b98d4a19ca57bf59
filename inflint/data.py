"""Where the knowledge in ``rules/`` is: inside an installed package, or beside a checkout."""

from __future__ import annotations

from pathlib import Path


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
