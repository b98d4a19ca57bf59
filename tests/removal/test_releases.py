"""One input for each pitfall, and what each release of Ray makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from inflint.model.environment import Environment
from inflint.model.release import Target, TargetError, find_target

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Inflint

TARGETS = ("2.37.0", "2.40.0", "2.41.0", "2.52.1", "2.53.0", "2.55.0", "2.60.0")

HEAD = """\
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.pol = nn.Linear(4, 8)
        self.vf = nn.Linear(4, 8)

    def forward(self, x):
        return self.pol(x)


"""
FORWARDS = """
    def _forward_inference(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.encoder(batch[Columns.OBS]))}

    def _forward_exploration(self, batch, **kwargs):
        return self._forward_inference(batch)
"""
NESTED = f"""{HEAD}class M(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        self.encoder = Encoder()
        self.pi = nn.Linear(8, 2)
{FORWARDS}
    def get_non_inference_attributes(self):
        return ["encoder.vf"]
"""
CLASH = NESTED.replace(
    "self.pi = nn.Linear(8, 2)",
    "self.pi = nn.Linear(8, 2)\n        self.vf = nn.Linear(8, 1)",
).replace('["encoder.vf"]', '["encoder.vf", "vf"]')
PROPERTY = NESTED.replace('["encoder.vf"]', '["size"]').replace(
    "    def get_non", "    @property\n    def size(self):\n        return 8\n\n    def get_non"
)
LATE = f"""{HEAD}class M(TorchRLModule, InferenceOnlyAPI):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.vf = nn.Linear(8, 1)

    def setup(self):
        self.encoder = nn.Linear(4, 8)
        self.pi = nn.Linear(8, 2)
{FORWARDS}
    def get_non_inference_attributes(self):
        return ["vf"]
"""
TRAINING = (
    LATE.replace(
        """    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.vf = nn.Linear(8, 1)

""",
        "",
    )
    .replace(
        "        self.pi = nn.Linear(8, 2)\n",
        "        self.pi = nn.Linear(8, 2)\n        self.vf = nn.Linear(8, 1)\n",
    )
    .replace(
        "        return {Columns",
        "        if self.training:\n"
        "            self.vf(batch[Columns.OBS])\n"
        "        return {Columns",
        1,
    )
)
USED = TRAINING.replace("if self.training:", "if True:")
GENERIC = f"""{HEAD}class M(TorchRLModule):
    def setup(self):
        self.pi = nn.Linear(4, 2)
        self.vf = nn.Linear(4, 1)

    def _forward(self, batch, **kwargs):
        return {{Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}}
"""


def from_release(first: str, code: str) -> dict[str, set[str]]:
    """The code from a release on; before, that nothing is removed."""
    from packaging.version import Version

    return {t: {code} if Version(t) >= Version(first) else {"INF305"} for t in TARGETS}


EXPECTED: dict[str, tuple[str, dict[str, set[str]]]] = {
    "nested path": (NESTED, from_release("2.41.0", "INF301")),
    "leaf on the root": (CLASH, from_release("2.41.0", "INF302")),
    "property": (PROPERTY, from_release("2.41.0", "INF303")),
    "built late": (LATE, from_release("2.41.0", "INF304")),
    "used": (
        USED,
        {t: {"INF202", "INF305"} if t < "2.41" else {"INF202"} for t in TARGETS},
    ),
    "used in training mode": (
        TRAINING,
        {
            "2.37.0": {"INF202", "INF305"},
            "2.40.0": {"INF202", "INF305"},
            "2.41.0": {"INF202"},
            "2.52.1": {"INF202"},
            "2.53.0": {"INF202"},
            "2.55.0": set(),
            "2.60.0": set(),
        },
    ),
    "generic forward": (
        GENERIC,
        {t: set() if t == "2.37.0" else {"INF101"} for t in TARGETS},
    ),
}


def check(inflint: Inflint, folder: Path, source: str, target: str) -> list[dict[str, Any]]:
    (folder / "module.py").write_text(source)
    return inflint.check(folder / "module.py", args=["--target-ray", target])


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("pitfall", EXPECTED)
def test_pitfall(inflint: Inflint, tmp_path: Path, pitfall: str, target: str) -> None:
    source, expected = EXPECTED[pitfall]
    assert {f["code"] for f in check(inflint, tmp_path, source, target)} == expected[target]


@pytest.mark.parametrize(
    ("target", "words"),
    [("2.52.1", "its weights are never synced"), ("2.53.0", "each weight sync fails")],
)
def test_what_a_late_component_leads_to(
    inflint: Inflint, tmp_path: Path, target: str, words: str
) -> None:
    (finding,) = check(inflint, tmp_path, LATE, target)
    assert words in finding["message"]


def test_a_range_is_checked_at_its_ends(inflint: Inflint, tmp_path: Path) -> None:
    found = check(inflint, tmp_path, NESTED, ">=2.40,<=2.60")
    assert {f["code"]: f["releases"] for f in found} == {
        "INF305": ["2.40.0"],
        "INF301": ["2.60.0"],
    }
    (both,) = check(inflint, tmp_path, GENERIC, ">=2.41,<=2.60")
    assert len(both["releases"]) == 2


KNOWN = ("2.37.0", "2.40.0", "2.41.0", "2.53.0", "2.60.0")
NOWHERE = Environment((), (), frozenset(), "none")


def target(start: Path, option: str | None = None, environment: Environment = NOWHERE) -> Target:
    (start / ".git").mkdir(exist_ok=True)
    return find_target(option, start, environment, "ray", KNOWN)


def test_the_option_comes_first(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("ray==2.41.0\n")
    assert target(tmp_path, "2.53") == Target(("2.53",), "--target-ray")
    with pytest.raises(TargetError, match="neither a release nor a range"):
        target(tmp_path, "newest")
    with pytest.raises(TargetError, match="no known release"):
        target(tmp_path, ">=9")


@pytest.mark.parametrize(
    ("name", "text", "versions"),
    [
        ("uv.lock", '[[package]]\nname = "ray"\nversion = "2.53.0"\n', ("2.53.0",)),
        ("poetry.lock", '[[package]]\nname = "ray"\nversion = "2.41.0"\n', ("2.41.0",)),
        ("requirements-dev.txt", "torch\nray[rllib]==2.40.0  # pinned\n", ("2.40.0",)),
        ("requirements.txt", "ray>=2.40,<2.60\n", ("2.40.0", "2.53.0")),
        ("pyproject.toml", '[project]\ndependencies = ["ray~=2.41"]\n', ("2.41.0", "2.60.0")),
    ],
)
def test_project_files(tmp_path: Path, name: str, text: str, versions: tuple[str, ...]) -> None:
    (tmp_path / name).write_text(text)
    below = tmp_path / "src" / "pkg"
    below.mkdir(parents=True)
    found = find_target(None, below, NOWHERE, "ray", KNOWN)
    assert (found.versions, found.why) == (versions, str(tmp_path / name))


def test_then_what_is_installed_then_the_newest(tmp_path: Path) -> None:
    site = tmp_path / "site-packages"
    (site / "ray").mkdir(parents=True)
    (site / "ray-2.47.1.dist-info").mkdir()
    installed = Environment((site,), (site,), frozenset(), "here")
    assert target(tmp_path, None, installed) == Target(("2.47.1",), "installed")
    assert target(tmp_path).versions == ("2.60.0",)
