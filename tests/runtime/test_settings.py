"""The table in ``pyproject.toml``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inflint.config.settings import ConfigError
from inflint.runtime.settings import Settings, load_settings

if TYPE_CHECKING:
    from pathlib import Path

TABLE = """
[tool.inflint.verify]
env = "CartPole-v1"
seed = 3
targets = [
    "pkg.mod:Policy",
    { target = "other.py:make", env = "Pendulum-v1", model-config = { use_lstm = true } },
]
"""


def _write(path: Path, text: str) -> Path:
    (path / "pyproject.toml").write_text(text, encoding="utf-8")
    return path


def test_targets_have_the_tables_settings_and_their_own(tmp_path: Path) -> None:
    settings = load_settings(_write(tmp_path, TABLE))
    (first, plain), (second, own) = settings.targets
    assert (first, plain.env, plain.seed) == ("pkg.mod:Policy", "CartPole-v1", 3)
    assert (second, own.env, own.seed) == ("other.py:make", "Pendulum-v1", 3)
    assert own.model_config == {"use_lstm": True}
    assert own.root == tmp_path


def test_the_nearest_file_with_the_table_counts(tmp_path: Path) -> None:
    _write(tmp_path, TABLE)
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    _write(tmp_path / "a", "[project]\nname = 'x'\n")
    assert load_settings(inner).env == "CartPole-v1"


def test_no_table_no_settings(tmp_path: Path) -> None:
    assert load_settings(_write(tmp_path, "[tool.inflint]\n")) == Settings()


def test_what_is_given_goes_first() -> None:
    settings = Settings(env="CartPole-v1", seed=3).over(env=None, seed=4)
    assert (settings.env, settings.seed) == ("CartPole-v1", 4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[tool.inflint.verify]\nenvs = 'x'\n",
            "l:2: .* no key 'envs'; did you mean 'env'",
        ),
        ("[tool.inflint.verify]\nseed = 'x'\n", "seed must be a int"),
        ("[tool.inflint.verify]\nseed = true\n", "seed must be a int"),
        ("[tool.inflint.verify]\ntargets = [3]\n", "neither a target"),
        ("[tool.inflint.verify]\ntargets = [{env = 'x'}]\n", "neither a target"),
        ("[tool.inflint]\nverify = 3\n", "pyproject.toml:2: verify must be a table"),
        ("[tool.inflint.verify\n", "pyproject.toml:1: "),
    ],
)
def test_mistakes_are_told(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load_settings(_write(tmp_path, text))
