"""What is no list of names becomes one: INF204. Sums and shared lists: INF205, INF206."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fix.harness import IMPORTS, check_noop, check_transformed, module

if TYPE_CHECKING:
    from pathlib import Path

ALL = '["vf", "aux", "third"]'
DEF = "def get_non_inference_attributes(self):\n"

LISTS = {
    "text": ('    return "vf"', '    return ["vf"]'),
    "text in parentheses": ('    return ("vf")  # head', '    return ["vf"]  # head'),
    "text in lines": ('    return (\n        "vf"\n    )', '    return [\n        "vf"\n    ]'),
    "texts": ('    return ("vf" "aux")', '    return ["vf", "aux"]'),
    "conditional text": (
        '    return "vf" if self.model_config.get("x") else "aux"',
        '    return ["vf"] if self.model_config.get("x") else ["aux"]',
    ),
    "text in a variable": (
        '    name = "vf"\n    return name',
        '    name = "vf"\n    return [name]',
    ),
    "some returns": (
        '    if self.model_config.get("x"):\n        return "vf"\n    return ["vf", "aux"]',
        '    if self.model_config.get("x"):\n        return ["vf"]\n    return ["vf", "aux"]',
    ),
    "append": (
        '    names = ["aux"]\n    return names.append("vf")',
        '    names = ["aux"]\n    return names + ["vf"]',
    ),
    "extend": (
        '    names = ["aux"]\n    return names.extend(["vf"])',
        '    names = ["aux"]\n    return names + ["vf"]',
    ),
    "extend by a tuple": (
        '    names = ["aux"]\n    return names.extend(("vf",))',
        '    names = ["aux"]\n    return names + [*("vf",)]',
    ),
    "no return": (
        '    names = ["vf"]\n    names.append("aux")',
        '    names = ["vf"]\n    names.append("aux")\n    return names',
    ),
    "a lone list": ('    ["vf"]', '    return ["vf"]'),
    "bare return": (
        '    if self.model_config.get("x"):\n        return\n    return ["vf"]',
        '    if self.model_config.get("x"):\n        return []\n    return ["vf"]',
    ),
    "falls through": (
        '    if self.model_config.get("x"):\n        return ["vf"]',
        '    if self.model_config.get("x"):\n        return ["vf"]\n    return []',
    ),
    "None": ("    return None", f"    return {ALL}"),
    "pass": ("    pass", f"    return {ALL}"),
    "docstring": ('    """Names."""', f'    """Names."""\n    return {ALL}'),
    "yield": ('    yield "vf"', '    return ["vf"]'),
    "yields": ('    yield "vf"\n    yield "aux"', '    return ["vf", "aux"]'),
    "yield from": ('    yield from ("vf", "aux")', '    return [*("vf", "aux")]'),
    "yields with comments": (
        '    yield "vf"  # value\n    yield from ["aux"]  # more',
        '    return [\n        "vf",  # value\n        *["aux"],  # more\n    ]',
    ),
    "yields under conditions": (
        '    """Names."""\n    yield "vf"\n    if self.model_config.get("x"):\n        yield "aux"',
        (
            '    """Names."""\n    names = []\n    names.append("vf")\n'
            '    if self.model_config.get("x"):\n        names.append("aux")\n    return names'
        ),
    ),
    "yields and a return": (
        '    yield "vf"\n    if self.model_config.get("x"):\n        return\n    yield "aux"',
        (
            '    names = []\n    names.append("vf")\n    if self.model_config.get("x"):\n'
            '        return names\n    names.append("aux")\n    return names'
        ),
    ),
    "generator expression": (
        '    return (n for n in ("vf", "aux"))',
        '    return [n for n in ("vf", "aux")]',
    ),
    "map": ('    return map(str, ["vf", "aux"])', '    return list(map(str, ["vf", "aux"]))'),
    "objects": ("    return [self.vf, self.aux]", '    return ["vf", "aux"]'),
    "objects among names": ('    return ["vf", self.aux]', '    return ["vf", "aux"]'),
    "objects appended": (
        "    names = []\n    names.append(self.vf)\n    return names",
        '    names = []\n    names.append("vf")\n    return names',
    ),
    "comma": (
        '    return ["vf" "aux", "third"]',
        '    return ["vf", "aux", "third"]',
    ),
    "commas in lines": (
        '    return [\n        "vf"  # value\n        "aux"\n        "third"\n    ]',
        '    return [\n        "vf",  # value\n        "aux",\n        "third"\n    ]',
    ),
}


@pytest.mark.parametrize(("before", "after"), LISTS.values(), ids=LISTS)
def test_list(tmp_path: Path, before: str, after: str) -> None:
    check_transformed(module(DEF + before), module(DEF + after), tmp_path, codes="INF204")


def test_property(tmp_path: Path) -> None:
    before, after = DEF + f"    return {ALL}", DEF + f"    return {ALL}"
    check_transformed(module("@property\n" + before), module(after), tmp_path)
    check_noop(module("@property  # handy\n" + before), tmp_path, "comment")


def test_property_that_is_read_as_one(tmp_path: Path) -> None:
    source = module(f"@property\n{DEF}    return {ALL}")
    source += "\n    def show(self):\n        return self.get_non_inference_attributes\n"
    check_noop(source, tmp_path, "reads it as a property")


def test_annotation_of_a_generator(tmp_path: Path) -> None:
    head = IMPORTS.replace("from torch", "from typing import Iterator, List\n\nfrom torch")
    check_transformed(
        module(DEF.replace(":", " -> Iterator[str]:") + '    yield "vf"', head=head),
        module(DEF.replace(":", " -> List[str]:") + '    return ["vf"]', head=head),
        tmp_path,
        codes="INF204",
    )


REFUSED = {
    "yield in an expression": ('    x = yield "vf"\n    return x', "yield"),
    "insert": ('    names = []\n    return names.insert(0, "vf")', ""),
}


@pytest.mark.parametrize(("body", "reason"), REFUSED.values(), ids=REFUSED)
def test_refused(tmp_path: Path, body: str, reason: str) -> None:
    check_noop(module(DEF + body), tmp_path, reason)


def test_precedence_is_only_changed_on_request(tmp_path: Path) -> None:
    before = '    return ["vf"] + ["third"] if self.model_config.get("x") else ["aux", "third"]'
    after = '    return ["vf"] + (["third"] if self.model_config.get("x") else ["aux", "third"])'
    check_noop(module(DEF + before), tmp_path, "meant as it stands")
    check_transformed(
        module(DEF + before), module(DEF + after), tmp_path, unsafe=True, codes="INF205"
    )


SHARED = {
    "augmented": (
        '    names = NAMES\n    names += ["aux", "third"]\n    return names',
        '    names = NAMES\n    names = names + ["aux", "third"]\n    return names',
    ),
    "augmented by a tuple": (
        '    names = NAMES\n    names += ("aux", "third")\n    return names',
        '    names = NAMES\n    names = [*names, *("aux", "third")]\n    return names',
    ),
    "appended": (
        '    names = NAMES\n    names.append("aux")  # more\n    return names',
        '    names = NAMES\n    names = [*names, "aux"]  # more\n    return names',
    ),
    "extended": (
        '    names = NAMES\n    names.extend(["aux"])\n    return names',
        '    names = NAMES\n    names = names + ["aux"]\n    return names',
    ),
    "inserted": (
        '    names = NAMES\n    names.insert(0, "aux")\n    return names',
        '    names = NAMES\n    names = ["aux", *names]\n    return names',
    ),
    "without a variable": (
        '    NAMES.append("aux")\n    return NAMES',
        '    return [*NAMES, "aux"]',
    ),
    "twice without a variable": (
        '    NAMES.append("aux")\n    NAMES.extend(["third"])\n    return NAMES',
        '    return [*NAMES, "aux", "third"]',
    ),
}


@pytest.mark.parametrize(("before", "after"), SHARED.values(), ids=SHARED)
def test_shared(tmp_path: Path, before: str, after: str) -> None:
    head = IMPORTS + 'NAMES = ["vf"]\n\n\n'
    check_transformed(
        module(DEF + before, head=head),
        module(DEF + after, head=head),
        tmp_path,
        codes="INF206",
    )


def test_shared_but_returned_later(tmp_path: Path) -> None:
    head = IMPORTS + 'NAMES = ["vf", "third"]\n\n\n'
    body = '    NAMES.append("aux")\n    print(NAMES)\n    return NAMES'
    check_noop(module(DEF + body, head=head), tmp_path, "not returned right after")
    commented = '    NAMES.append("aux")  # more\n    return NAMES'
    check_noop(module(DEF + commented, head=head), tmp_path, "comment")
