"""Names taken off and put on lists of every form: INF201, INF202, INF203, INF207."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fix.harness import IMPORTS, SETUP, check_noop, check_transformed, module

if TYPE_CHECKING:
    from pathlib import Path

TWO = SETUP.replace("        self.third = nn.Linear(4, 1)\n", "")


def method(body: str) -> str:
    lines = "\n".join(f"    {line}" if line else "" for line in body.strip("\n").splitlines())
    return f"def get_non_inference_attributes(self):\n{lines}"


ADD = {
    "list": ('return ["vf"]', 'return ["vf", "aux"]'),
    "single quotes": ("return ['vf']", "return ['vf', 'aux']"),
    "empty": ("return []", 'return ["vf", "aux"]'),
    "trailing comma": ('return ["vf",]', 'return ["vf", "aux",]'),
    "tuple": ('return ("vf", "x_")', 'return ("vf", "x_", "aux")'),
    "one-tuple": ('return ("vf",)', 'return ("vf", "aux")'),
    "bare tuple": ('return "vf",', 'return "vf", "aux"'),
    "comment behind": ('return ["vf"]  # heads', 'return ["vf", "aux"]  # heads'),
    "lines": (
        'return [\n    "vf",\n]',
        'return [\n    "vf",\n    "aux",\n]',
    ),
    "lines without a trailing comma": (
        'return [\n    "vf"\n]',
        'return [\n    "vf",\n    "aux"\n]',
    ),
    "lines with comments": (
        'return [\n    # heads\n    "vf",  # the value\n    # that is all\n]',
        'return [\n    # heads\n    "vf",  # the value\n    "aux",\n    # that is all\n]',
    ),
    "comment without a comma": (
        'return [\n    "vf"  # the value\n]',
        'return [\n    "vf",  # the value\n    "aux"\n]',
    ),
    "closed on the last line": (
        'return [\n    "vf",\n    "x_"]',
        'return [\n    "vf",\n    "x_",\n    "aux"]',
    ),
    "hanging": (
        'return ["vf",\n        "x_"]',
        'return ["vf",\n        "x_", "aux"]',
    ),
    "sum": ('return ["vf"] + ["x_"]', 'return ["vf"] + ["x_", "aux"]'),
    "sum with a call": (
        'return ["vf"] + sorted(["x_"])',
        'return ["vf", "aux"] + sorted(["x_"])',
    ),
    "augmented": (
        'ret = ["vf"]\nret += ["x_"]\nreturn ret',
        'ret = ["vf"]\nret += ["x_", "aux"]\nreturn ret',
    ),
    "appended": (
        'ret = []\nret.append("vf")\nreturn ret',
        'ret = []\nret.append("vf")\nret.append("aux")\nreturn ret',
    ),
    "extended": (
        'ret = []\nret.extend(["vf"])\nreturn ret',
        'ret = []\nret.extend(["vf", "aux"])\nreturn ret',
    ),
    "annotated variable": (
        'ret: list = ["vf"]\nreturn ret',
        'ret: list = ["vf", "aux"]\nreturn ret',
    ),
    "conditional statement": (
        'ret = ["vf"]\nif self.model_config.get("x"):\n    ret.append("x_")\nreturn ret',
        'ret = ["vf", "aux"]\nif self.model_config.get("x"):\n    ret.append("x_")\nreturn ret',
    ),
    "conditional part": (
        'return ["vf"] + ([] if self.model_config.get("x") else ["x_"])',
        'return ["vf", "aux"] + ([] if self.model_config.get("x") else ["x_"])',
    ),
    "conditional lists": (
        'return ["vf"] if self.model_config.get("x") else ["vf", "x_"]',
        'return ["vf", "aux"] if self.model_config.get("x") else ["vf", "x_", "aux"]',
    ),
    "two returns": (
        'if self.model_config.get("x"):\n    return ["vf", "x_"]\nreturn ["vf"]',
        'if self.model_config.get("x"):\n    return ["vf", "x_", "aux"]\nreturn ["vf", "aux"]',
    ),
    "call": ('return sorted(["vf"])', 'return sorted(["vf"]) + ["aux"]'),
    "comprehension": (
        'return [n for n in ("vf", "x_")]',
        'return [n for n in ("vf", "x_")] + ["aux"]',
    ),
}


@pytest.mark.parametrize(("before", "after"), ADD.values(), ids=ADD)
def test_add(tmp_path: Path, before: str, after: str) -> None:
    setup = TWO
    if "x_" in before:
        setup += '        if self.model_config.get("x"):\n            self.x_ = nn.Linear(4, 1)\n'
    check_transformed(
        module(method(before), setup=setup),
        module(method(after), setup=setup),
        tmp_path,
        codes="INF201",
    )


def test_a_list_that_gets_too_wide_is_spread(tmp_path: Path) -> None:
    names = [f"a_rather_long_name_{i}" for i in range(3)]
    setup = SETUP + "".join(f"        self.{n} = nn.Linear(4, 1)\n" for n in names)
    listed = ", ".join(f'"{n}"' for n in names)
    lines = "".join(f'    "{n}",\n' for n in [*names, "vf", "aux", "third"])
    check_transformed(
        module(method(f"return [{listed}]"), setup=setup),
        module(method(f"return [\n{lines}]"), setup=setup),
        tmp_path,
    )


def test_the_form_of_an_inherited_tuple(tmp_path: Path) -> None:
    child = """

class Child(Policy):
    def setup(self):
        super().setup()
        self.more = nn.Linear(4, 1)
"""
    override = """
    def get_non_inference_attributes(self):
        return [*super().get_non_inference_attributes(), "more"]
"""
    parent = module(method('return "vf", "aux"'), setup=TWO)
    check_transformed(parent + child, parent + child + override, tmp_path)


def test_a_shared_list_is_not_touched_for_one_class(tmp_path: Path) -> None:
    source = module(method("return NAMES"), setup=TWO, head=IMPORTS + 'NAMES = ["vf"]\n\n\n')
    after = source.replace("return NAMES", 'return NAMES + ["aux"]')
    check_transformed(source, after, tmp_path)


USED = SETUP.replace("self.vf =", "self.pi2 =").replace("self.third =", "self.pi3 =")
USED_FORWARD = """\

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.pi2(self.pi3(batch[Columns.OBS])))}

"""


def used(body: str) -> str:
    lines = "\n".join(f"    {line}" if line else "" for line in method(body).splitlines())
    head = f"{IMPORTS}class Policy(TorchRLModule, InferenceOnlyAPI):\n"
    return f"{head}{USED}{USED_FORWARD}{lines}\n"


DROP = {
    "only one": ('return ["pi2"]', "return []", 'return ["aux"]'),
    "first": ('return ["pi2", "aux"]', 'return ["aux"]', None),
    "last": ('return ["aux", "pi2"]', 'return ["aux"]', None),
    "middle": ('return ["aux", "pi2", "x"]', 'return ["aux", "x"]', None),
    "all": ('return ["pi2", "pi3", "pi"]', "return []", 'return ["aux"]'),
    "last with a trailing comma": ('return ["aux", "pi2",]', 'return ["aux",]', None),
    "tuple to one": ('return ("aux", "pi2")', 'return ("aux",)', None),
    "tuple from the front": ('return ("pi2", "aux")', 'return ("aux",)', None),
    "tuple to none": ('return ("pi2",)', "return ()", 'return ("aux",)'),
    "bare tuple": ('return "aux", "pi2"', 'return "aux",', None),
    "bare tuple to none": ('return "pi2",', "return ()", 'return "aux",'),
    "line": ('return [\n    "aux",\n    "pi2",\n]', 'return [\n    "aux",\n]', None),
    "last line without comma": (
        'return [\n    "aux",\n    "pi2"\n]',
        'return [\n    "aux"\n]',
        None,
    ),
    "comments elsewhere": (
        'return [\n    # heads\n    "aux",  # auxiliary\n    "pi2",\n    # end\n]',
        'return [\n    # heads\n    "aux",  # auxiliary\n    # end\n]',
        None,
    ),
    "grid": (
        'return ["aux", "pi2",\n        "x"]',
        'return ["aux",\n        "x"]',
        None,
    ),
    "append": (
        'ret = ["aux"]\nret.append("pi2")\nreturn ret',
        'ret = ["aux"]\nreturn ret',
        None,
    ),
    "augmented": ('ret = ["aux"]\nret += ["pi2"]\nreturn ret', 'ret = ["aux"]\nreturn ret', None),
    "the only statement of a block": (
        'ret = ["aux"]\nif self.model_config.get("x"):\n    ret.append("pi2")\nreturn ret',
        'ret = ["aux"]\nif self.model_config.get("x"):\n    pass\nreturn ret',
        None,
    ),
    "sum": ('return ["aux"] + ["pi2"]', 'return ["aux"]', None),
    "conditional": (
        'return ["aux"] + (["pi2"] if self.model_config.get("x") else [])',
        'return ["aux"] + ([] if self.model_config.get("x") else [])',
        None,
    ),
    "both branches": (
        'if self.model_config.get("x"):\n    return ["aux", "pi2"]\nreturn ["pi2", "aux"]',
        'if self.model_config.get("x"):\n    return ["aux"]\nreturn ["aux"]',
        None,
    ),
    "twice in a tuple": ('return ("aux", "pi2", "pi2")', 'return ("aux",)', None),
    "around another in a tuple": ('return ("pi2", "aux", "pi2")', 'return ("aux",)', None),
    "twice in a list": ('return ["pi2", "aux", "pi2"]', 'return ["aux"]', None),
    "twice on lines": (
        'return [\n    "pi2",\n    "aux",\n    "pi2",\n]',
        'return [\n    "aux",\n]',
        None,
    ),
    "on one line": ('return ["aux"]; x = ["pi2"]', None, None),
}


@pytest.mark.parametrize(("before", "after", "then"), DROP.values(), ids=DROP)
def test_drop(tmp_path: Path, before: str, after: str | None, then: str | None) -> None:
    if after is None:
        check_noop(used(before), tmp_path)
        return
    check_transformed(used(before), used(after), tmp_path, codes="INF202")
    if then is not None:
        check_transformed(used(before), used(then), tmp_path)


LOSSES = {
    "comment on the line": 'return [\n    "aux",\n    "pi2",  # why\n]',
    "comment above": 'return [\n    "aux",\n    # the second policy\n    "pi2",\n]',
    "comment on the statement": 'ret = ["aux"]\nret.append("pi2")  # why\nreturn ret',
}


@pytest.mark.parametrize("before", LOSSES.values(), ids=LOSSES)
def test_no_comment_is_lost_by_a_safe_fix(tmp_path: Path, before: str) -> None:
    check_noop(used(before), tmp_path, "comment")
    lines = [line for line in used(before).splitlines(keepends=True) if '"pi2"' not in line]
    check_transformed(used(before), "".join(lines), tmp_path, unsafe=True)


def test_what_other_code_may_use_is_only_changed_on_request(tmp_path: Path) -> None:
    source = used("return self.NAMES").replace(USED, f'    NAMES = ["aux", "pi2"]\n\n{USED}')
    check_noop(source, tmp_path, "outside the method")
    check_transformed(source, source.replace(', "pi2"]', "]"), tmp_path, unsafe=True)


def test_an_inherited_name_is_left_with_the_reason(tmp_path: Path) -> None:
    source = (
        module(method('return ["vf", "aux", "third"]'))
        + """

class Child(Policy):
    def _forward(self, batch, **kwargs):
        return {**super()._forward(batch), "v": self.vf(batch[Columns.OBS])}
"""
    )
    check_noop(source, tmp_path, "listed by a base class")


GUESS = {
    "typo": ('return ["vff", "aux", "third"]', 'return ["vf", "aux", "third"]'),
    "self.": ("return ['self.vf', 'aux', 'third']", "return ['vf', 'aux', 'third']"),
    "blank": ('return ["vf ", "aux", "third"]', 'return ["vf", "aux", "third"]'),
    "listed already": (
        'return ["vf", "vff", "aux", "third"]',
        'return ["vf", "aux", "third"]',
    ),
    "left over": (
        'return ["vf", "decoder_of_old", "aux", "third"]',
        'return ["vf", "aux", "third"]',
    ),
}


@pytest.mark.parametrize(("before", "after"), GUESS.values(), ids=GUESS)
def test_guesses_are_only_made_on_request(tmp_path: Path, before: str, after: str) -> None:
    check_noop(module(method(before)), tmp_path, "")
    check_transformed(module(method(before)), module(method(after)), tmp_path, unsafe=True)


REDUNDANT = {
    "twice": ('return ["vf", "aux", "third", "vf"]', 'return ["vf", "aux", "third"]'),
    "thrice": ('return ["vf", "aux", "vf", "third", "vf"]', 'return ["vf", "aux", "third"]'),
    "child before": (
        'return ["vf.weight", "vf", "aux", "third"]',
        'return ["vf", "aux", "third"]',
    ),
    "child behind": (
        'return ["vf", "vf.weight", "aux", "third"]',
        'return ["vf", "aux", "third"]',
    ),
}


@pytest.mark.parametrize(("before", "after"), REDUNDANT.values(), ids=REDUNDANT)
def test_redundant(tmp_path: Path, before: str, after: str) -> None:
    check_transformed(module(method(before)), module(method(after)), tmp_path)


def test_a_name_too_few_and_a_name_too_many(tmp_path: Path) -> None:
    check_transformed(used('return ["pi2"]'), used('return ["aux"]'), tmp_path)


def test_late_components_are_never_listed(tmp_path: Path) -> None:
    late = """\
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.late = nn.Linear(4, 1)

"""
    source = module(method('return ["vf", "aux", "third"]'), setup=late + SETUP)
    check_noop(source, tmp_path, "framework's constructor", unsafe=True)
    short = module(method('return ["vf"]'), setup=late + SETUP)
    longer = module(method('return ["vf", "aux", "third"]'), setup=late + SETUP)
    for unsafe in (False, True):
        outcome = check_transformed(short, longer, tmp_path, unsafe=unsafe)
        assert [left.finding.attribute for left in outcome.left] == ["late"]


def test_a_right_list_stays(tmp_path: Path) -> None:
    check_noop(module(method('return ["vf", "aux", "third"]')), tmp_path)
