"""Findings that a generated class has shown to be wrong or missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inflint.engine.run import Request, check
from tests.fix.harness import IMPORTS

if TYPE_CHECKING:
    from pathlib import Path

    from inflint.checks.finding import Finding

FORWARD = """\

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}
"""
BASE = f"""\
{IMPORTS}class Base(TorchRLModule%s):
    def setup(self):
        self.pi = nn.Linear(2, 2)
        self.vf = nn.Linear(2, 2)
{FORWARD}
    def get_non_inference_attributes(self):
        return %s
"""


def found(directory: Path, source: str) -> list[tuple[str, str | None, str | None]]:
    """Code, class and attribute of each finding."""
    return [(f.code, f.cls, f.attribute) for f in findings(directory, source)]


def findings(directory: Path, source: str) -> tuple[Finding, ...]:
    path = directory / "module.py"
    path.write_text(source, encoding="utf-8")
    return check(Request((path,))).findings


def test_a_method_that_is_listed_by_a_base_without_the_api(tmp_path: Path) -> None:
    """RLlib asks only the subclass, and deletes the base's names there."""
    heirs = """

class Heir(Base, InferenceOnlyAPI):
    pass


class Longer(Base, InferenceOnlyAPI):
    def get_non_inference_attributes(self):
        return super().get_non_inference_attributes() + []


class Last(Longer):
    pass
"""
    source = BASE % ("", '["vf", "_forward"]') + heirs
    assert found(tmp_path, source) == [
        ("INF102", "Base", None),
        ("INF303", "Heir", "_forward"),
        ("INF303", "Longer", "_forward"),
    ]
    assert all(f.message.endswith("(listed by Base)") for f in findings(tmp_path, source)[1:])


def test_what_is_built_late_is_reported_once(tmp_path: Path) -> None:
    late = """\
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.q = nn.Linear(2, 2)
"""
    base = (BASE % (", InferenceOnlyAPI", '["vf", "q"]')).replace(
        "    def setup", f"{late}\n    def setup"
    )
    source = base + "\n\nclass Heir(Base):\n    pass\n"
    assert found(tmp_path, source) == [("INF304", "Base", "q")]


@pytest.mark.parametrize(
    "names",
    ['sorted({"vf", "vf"})', 'list({"vf"} | {"vf"})', 'list(set(["vf", "vf"]))'],
)
def test_a_set_holds_a_name_once(tmp_path: Path, names: str) -> None:
    assert found(tmp_path, BASE % (", InferenceOnlyAPI", names)) == []


def test_a_list_holds_a_name_twice(tmp_path: Path) -> None:
    assert found(tmp_path, BASE % (", InferenceOnlyAPI", 'sorted(["vf", "vf"])')) == [
        ("INF207", "Base", "vf")
    ]


def test_a_name_that_a_finally_does_without(tmp_path: Path) -> None:
    """What returns there ends the AttributeError."""
    source = (BASE % (", InferenceOnlyAPI", '["vf"]')).replace(
        FORWARD,
        """
    def _forward(self, batch, **kwargs):
        x = self.pi(batch[Columns.OBS])
        try:
            x = x + self.vf(x)
        finally:
            return {Columns.ACTION_DIST_INPUTS: x}
""",
    )
    assert found(tmp_path, source) == []
    loud = source.replace("            return {", "            x = x + 1\n        return {")
    assert found(tmp_path, loud) == [("INF202", "Base", "vf")]


def test_what_generators_yield_is_known(tmp_path: Path) -> None:
    heir = """

class Heir(Base):
    def get_non_inference_attributes(self):
        return list(super().get_non_inference_attributes())
"""
    for text in ('yield "vf"', 'yield from ["vf"]'):
        base = BASE % (", InferenceOnlyAPI", "NAMES")
        source = base.replace("return NAMES", text) + heir
        assert found(tmp_path, source) == [("INF204", "Base", None)]
        assert ("INF201", "Heir", "vf") in found(tmp_path, source.replace('"vf"', '"pi"'))


@pytest.mark.parametrize(
    ("guard", "severity"), [("", "error"), ("if not self.inference_only:\n            ", "warning")]
)
def test_unregistered_modules_that_no_env_runner_has(
    tmp_path: Path, guard: str, severity: str
) -> None:
    source = f"""\
{IMPORTS}class Policy(TorchRLModule):
    def setup(self):
        self.pi = nn.Linear(2, 2)
        {guard}self.more = [nn.Linear(2, 2)]

    def _forward(self, batch, **kwargs):
        x = self.pi(batch[Columns.OBS])
        if hasattr(self, "more"):
            x = self.more[0](x)
        return {{Columns.ACTION_DIST_INPUTS: x}}
"""
    hits = [f for f in findings(tmp_path, source) if f.code == "INF401"]
    assert [(f.attribute, f.severity) for f in hits] == [("more", severity)]
    assert ("EnvRunners compute" in hits[0].message) == (severity == "error")
