"""INF303, INF304 and INF405: what is listed for nothing, built too late, or built in vain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fix.harness import FORWARD, IMPORTS, check_noop, check_transformed

if TYPE_CHECKING:
    from pathlib import Path

LIST = '\n    def get_non_inference_attributes(self):\n        return ["vf", "aux"]\n'
HEAD = f"{IMPORTS}class Policy(TorchRLModule, InferenceOnlyAPI):\n"


def lines(*texts: str) -> str:
    return "".join(f"        {text}\n" for text in texts)


# INF304


def late(init: str, setup: str, *, more: str = "", args: str = "*args, **kwargs") -> str:
    return (
        f"{HEAD}    def __init__(self, {args}):\n        super().__init__({args})\n{init}\n"
        f"    def setup(self):\n        self.pi = nn.Linear(4, 2)\n{setup}{FORWARD}{LIST}{more}"
    )


OTHER_INIT = """

class Other(Policy):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.vf.train()
"""
OTHER_SETUP = """

class Other(Policy):
    def setup(self):
        super().setup()
        self.vf.train()
"""
VF, AUX = "self.vf = nn.Linear(4, 1)", "self.aux = nn.Linear(4, 1)  # aux"


@pytest.mark.parametrize(
    ("before", "left", "moved"),
    [
        (lines(VF), "", lines(VF)),
        (lines(VF, "self.n = 1", AUX), lines("self.n = 1"), lines(VF, AUX)),
        (lines("# The value.", VF, ""), lines(""), lines("# The value.", VF)),
        (
            lines("self.vf = nn.Linear(", "    4,", "    1,  # one", ")"),
            "",
            lines("self.vf = nn.Linear(", "    4,", "    1,  # one", ")"),
        ),
    ],
)
def test_moved_to_setup(tmp_path: Path, before: str, left: str, moved: str) -> None:
    first, second = late(before, ""), late(left, moved)
    check_transformed(first, second, tmp_path, unsafe=True, codes="INF304")
    check_noop(first, tmp_path, "other first weights", codes="INF304")


@pytest.mark.parametrize(
    ("init", "setup", "more", "reason"),
    [
        (lines("size = 4", "self.vf = nn.Linear(size, 1)"), "", "", "it needs size, which only"),
        (lines("self.vf = nn.Linear(kwargs['n'], 1)"), "", "", "it needs kwargs, which only"),
        (lines("self.n = 4", "self.vf = nn.Linear(self.n, 1)"), "", "", "it needs n, which is not"),
        (lines("if True:", f"    {VF}"), "", "", "under a condition"),
        (lines(VF), lines("if self.n:", "    return", "self.m = 1"), "", "returns early"),
        (
            lines(VF),
            "",
            OTHER_INIT,
            "Other.__init__ mentions vf again",
        ),
        (lines('self.vf = nn.Linear(4, len("""', '"""))'), "", "", "a string in it"),
    ],
)
def test_not_moved(tmp_path: Path, init: str, setup: str, more: str, reason: str) -> None:
    source = late(init, setup, more=more)
    check_noop(source, tmp_path, reason, unsafe=True, codes="INF304")


# INF405


def vain(setup: str, more: str = "") -> str:
    pi = "        self.pi = nn.Linear(4, 2)\n"
    return f"{HEAD}    def setup(self):\n{pi}{setup}{FORWARD}{LIST}{more}"


GUARD = "if not self.inference_only:"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (lines(VF), lines(GUARD, f"    {VF}")),
        (lines(VF, AUX), lines(GUARD, f"    {VF}", f"    {AUX}")),
        (
            lines(VF, "self.n = 1", AUX),
            lines(GUARD, f"    {VF}", "self.n = 1", GUARD, f"    {AUX}"),
        ),
        (lines(GUARD, f"    {VF}", AUX), lines(GUARD, f"    {VF}", f"    {AUX}")),
        (
            lines("self.vf = nn.Linear(", "    4,", "", "    1,", ")"),
            lines(GUARD, "    self.vf = nn.Linear(", "        4,", "", "        1,", "    )"),
        ),
        (
            lines("self.vf = nn.Linear(4, len('''x", "'''))"),
            lines(GUARD, "    self.vf = nn.Linear(4, len('''x", "'''))"),
        ),
    ],
)
def test_guarded(tmp_path: Path, before: str, after: str) -> None:
    check_transformed(vain(before), vain(after), tmp_path, unsafe=True, codes="INF405")
    check_noop(vain(before), tmp_path, "other first weights", codes="INF405")


@pytest.mark.parametrize(
    ("setup", "more", "reason"),
    [
        (lines(VF, "self.vf.train()"), "", "Policy.setup mentions vf again"),
        (lines("self.x = 1; " + VF), "", "other statements stand on the same line"),
        (lines("self.vf = self.x = nn.Linear(4, 1)"), "", "by one statement"),
        (
            lines(VF),
            OTHER_SETUP,
            "Other.setup mentions vf again",
        ),
    ],
)
def test_not_guarded(tmp_path: Path, setup: str, more: str, reason: str) -> None:
    check_noop(vain(setup, more), tmp_path, reason, unsafe=True, codes="INF405")


# INF303


@pytest.mark.parametrize(
    "member",
    [
        "    @property\n    def scale(self):\n        return 1.0\n",
        "    def scale(self):\n        return 1.0\n",
        "    scale = 1.0\n",
    ],
)
def test_undeletable_names_go_off_the_list(tmp_path: Path, member: str) -> None:
    before = vain(lines(VF, AUX), member).replace('"aux"]', '"aux", "scale"]')
    after = before.replace(', "scale"]', "]")
    check_transformed(before, after, tmp_path, codes="INF303")
