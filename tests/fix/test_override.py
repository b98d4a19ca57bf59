"""The base and the method, written onto classes of every shape: INF101 to INF104."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fix.harness import check_noop, check_transformed

if TYPE_CHECKING:
    from pathlib import Path

API = "from ray.rllib.core.rl_module.apis import InferenceOnlyAPI\n"
HEAD = f"""\
import abc
from abc import ABC
from typing import Any, Generic, List, TypeVar

from ray.rllib.core.columns import Columns
{API}from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn

T = TypeVar("T")


class Mixin: ...


"""
BODY = """\
    def setup(self):
        self.pi = nn.Linear(4, 2)
        self.vf = nn.Linear(4, 1)
{method}
    def _forward(self, batch, **kwargs):
        return {{Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}}
"""
METHOD = """
    def get_non_inference_attributes(self):
        return ["vf"]
"""


def policy(header: str, method: str = "", head: str = HEAD) -> str:
    return f"{head}{header}\n{BODY.format(method=method)}"


HEADERS = {
    "one base": ("class A(TorchRLModule):", "class A(TorchRLModule, InferenceOnlyAPI):"),
    "more bases": (
        "class A(TorchRLModule, Mixin):",
        "class A(TorchRLModule, Mixin, InferenceOnlyAPI):",
    ),
    "ABC": (
        "class A(TorchRLModule, ABC):",
        "class A(TorchRLModule, InferenceOnlyAPI, ABC):",
    ),
    "abc.ABC": (
        "class A(TorchRLModule, abc.ABC):",
        "class A(TorchRLModule, InferenceOnlyAPI, abc.ABC):",
    ),
    "object": (
        "class A(TorchRLModule, object):",
        "class A(TorchRLModule, InferenceOnlyAPI, object):",
    ),
    "ABC and object": (
        "class A(TorchRLModule, ABC, object):",
        "class A(TorchRLModule, InferenceOnlyAPI, ABC, object):",
    ),
    "Generic": (
        "class A(TorchRLModule, Generic[T]):",
        "class A(TorchRLModule, Generic[T], InferenceOnlyAPI):",
    ),
    "metaclass": (
        "class A(TorchRLModule, metaclass=abc.ABCMeta):",
        "class A(TorchRLModule, InferenceOnlyAPI, metaclass=abc.ABCMeta):",
    ),
    "trailing comma": (
        "class A(TorchRLModule, Mixin,):",
        "class A(TorchRLModule, Mixin, InferenceOnlyAPI,):",
    ),
    "lines": (
        "class A(\n    TorchRLModule,\n    Mixin,\n):",
        "class A(\n    TorchRLModule,\n    Mixin,\n    InferenceOnlyAPI,\n):",
    ),
    "lines with comments": (
        "class A(\n    TorchRLModule,  # torch\n    Mixin  # values\n):",
        "class A(\n    TorchRLModule,  # torch\n    Mixin,  # values\n    InferenceOnlyAPI\n):",
    ),
    "ABC on lines": (
        "class A(\n    TorchRLModule,\n    ABC,\n):",
        "class A(\n    TorchRLModule,\n    InferenceOnlyAPI,\n    ABC,\n):",
    ),
    "too wide": (
        f"class {'A' * 50}(TorchRLModule, Mixin):",
        f"class {'A' * 50}(\n    TorchRLModule, Mixin, InferenceOnlyAPI\n):",
    ),
    "comment": (
        "class A(TorchRLModule):  # an actor",
        "class A(TorchRLModule, InferenceOnlyAPI):  # an actor",
    ),
    "decorated": (
        "@abc.abstractmethod\nclass A(TorchRLModule):",
        "@abc.abstractmethod\nclass A(TorchRLModule, InferenceOnlyAPI):",
    ),
}


@pytest.mark.parametrize(("before", "after"), HEADERS.values(), ids=HEADERS)
def test_base(tmp_path: Path, before: str, after: str) -> None:
    check_transformed(policy(before), policy(after, METHOD), tmp_path)


def test_bases_that_are_not_known_are_left(tmp_path: Path) -> None:
    source = policy("class A(*[TorchRLModule]):")
    check_noop(source, tmp_path)


def test_no_place_for_the_base(tmp_path: Path) -> None:
    """A subclass has the API first, so its base cannot get it."""
    child = """

class B(InferenceOnlyAPI, A):
    def get_non_inference_attributes(self):
        return ["vf"]
"""
    check_noop(policy("class A(TorchRLModule):") + child, tmp_path, "no place for the base")


def test_a_subclass_that_has_the_api_already(tmp_path: Path) -> None:
    child = """

class B(A, InferenceOnlyAPI):
    def get_non_inference_attributes(self):
        return ["vf"]
"""
    check_transformed(
        policy("class A(TorchRLModule):") + child,
        policy("class A(TorchRLModule, InferenceOnlyAPI):", METHOD) + child,
        tmp_path,
    )


def test_parent_and_child(tmp_path: Path) -> None:
    child = """

class B(A):
    def setup(self):
        super().setup()
        self.cost = nn.Linear(4, 1)
"""
    extended = """
    def get_non_inference_attributes(self):
        return super().get_non_inference_attributes() + ["cost"]
"""
    check_transformed(
        policy("class A(TorchRLModule):") + child,
        policy("class A(TorchRLModule, InferenceOnlyAPI):", METHOD) + child + extended,
        tmp_path,
    )


def test_two_files(tmp_path: Path) -> None:
    from inflint.engine.fixing import fix
    from inflint.engine.run import Request
    from tests.fix.harness import CODES

    (tmp_path / "base.py").write_text(policy("class A(TorchRLModule):"), encoding="utf-8")
    child = (
        "from base import A\nfrom torch import nn\n\n\nclass B(A):\n    def setup(self):\n"
        "        super().setup()\n        self.cost = nn.Linear(4, 1)\n"
    )
    (tmp_path / "child.py").write_text(child, encoding="utf-8")
    outcome = fix(Request((tmp_path,), codes=CODES), unsafe=False)
    assert outcome.left == ()
    assert b'+ ["cost"]' in outcome.after[tmp_path / "child.py"]
    alone = fix(Request((tmp_path / "child.py",), codes=CODES), unsafe=False)
    assert alone.left == ()
    text = alone.after[tmp_path / "child.py"].decode()
    assert "class B(A, InferenceOnlyAPI):" in text
    assert 'return ["vf", "cost"]' in text
    assert text.startswith("from base import A\nfrom ray.rllib.core.rl_module.apis import Inf")


LAYOUTS = {
    "after the last builder": (
        """\
class A(TorchRLModule, Mixin):
    x = 1

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)

    def setup(self):
        self.pi = nn.Linear(4, 2)

    def make_target_networks(self):
        self.vf = nn.Linear(4, 1)
        # the end of it

        # really

    # The passes
    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}
""",
        "        # really\n",
        '\n    def get_non_inference_attributes(self):\n        return ["vf"]\n',
    ),
    "annotated": (
        """\
class A(TorchRLModule, Mixin):
    def setup(self) -> None:
        self.pi = nn.Linear(4, 2)
        self.vf = nn.Linear(4, 1)

    def _forward(self, batch, **kwargs) -> Any:
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}
""",
        "        self.vf = nn.Linear(4, 1)\n",
        '\n    def get_non_inference_attributes(self) -> List[str]:\n        return ["vf"]\n',
    ),
    "tabs and no blank lines": (
        """\
class A(TorchRLModule, Mixin):
\tdef setup(self):
\t\tself.pi = nn.Linear(4, 2)
\t\tself.vf = nn.Linear(4, 1)
\tdef _forward(self, batch, **kwargs):
\t\treturn {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}
""",
        "\t\tself.vf = nn.Linear(4, 1)\n",
        '\tdef get_non_inference_attributes(self):\n\t\treturn ["vf"]\n',
    ),
    "one-liners": (
        """\
class A(TorchRLModule, Mixin):
    def setup(self): self.pi = nn.Linear(4, 2); self.vf = nn.Linear(4, 1)
    def _forward(self, batch, **k): return {Columns.ACTIONS: self.pi(batch[Columns.OBS])}
""",
        "self.vf = nn.Linear(4, 1)\n",
        '    def get_non_inference_attributes(self):\n        return ["vf"]\n',
    ),
    "last in the file": (
        """\
class A(TorchRLModule, Mixin):
    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}

    def setup(self):
        self.pi = nn.Linear(4, 2)
        self.vf = nn.Linear(4, 1)
""",
        "        self.vf = nn.Linear(4, 1)\n",
        '\n    def get_non_inference_attributes(self):\n        return ["vf"]\n',
    ),
    "two-column indentation": (
        """\
class A(TorchRLModule, Mixin):

  def setup(self):
    self.pi = nn.Linear(4, 2)
    self.vf = nn.Linear(4, 1)

  def _forward(self, batch, **kwargs):
    return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}
""",
        "    self.vf = nn.Linear(4, 1)\n",
        '\n  def get_non_inference_attributes(self):\n    return ["vf"]\n',
    ),
    "under a condition": (
        """\
class A(TorchRLModule, Mixin):
    if True:
        def setup(self):
            self.pi = nn.Linear(4, 2)
            self.vf = nn.Linear(4, 1)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}
""",
        "            self.vf = nn.Linear(4, 1)\n",
        '\n    def get_non_inference_attributes(self):\n        return ["vf"]\n',
    ),
}


@pytest.mark.parametrize(("source", "anchor", "method"), LAYOUTS.values(), ids=LAYOUTS)
def test_place(tmp_path: Path, source: str, anchor: str, method: str) -> None:
    after = source.replace("Mixin):", "Mixin, InferenceOnlyAPI):", 1)
    after = after.replace(anchor, anchor + method, 1)
    check_transformed(HEAD + source, HEAD + after, tmp_path)


def test_override_decorator(tmp_path: Path) -> None:
    head = HEAD.replace(
        "from torch import nn",
        "from ray.rllib.utils.annotations import override as overrides\nfrom torch import nn",
    )
    body = BODY.replace("    def _forward", "    @overrides(TorchRLModule)\n    def _forward")
    method = METHOD.replace("    def", "    @overrides(InferenceOnlyAPI)\n    def")
    check_transformed(
        head + "class A(TorchRLModule):\n" + body.format(method=""),
        head + "class A(TorchRLModule, InferenceOnlyAPI):\n" + body.format(method=method),
        tmp_path,
    )


def test_names_come_in_the_order_of_construction(tmp_path: Path) -> None:
    setup = """\
class A(TorchRLModule{base}):
    def setup(self):
        self.zeta = nn.Linear(4, 1)
        self.pi = nn.Linear(4, 2)
        self.alpha = nn.Linear(4, 1)
{method}
    def _forward(self, batch, **kwargs):
        return {{Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}}
"""
    check_transformed(
        HEAD + setup.format(base="", method=""),
        HEAD
        + setup.format(base=", InferenceOnlyAPI", method=METHOD.replace('"vf"', '"zeta", "alpha"')),
        tmp_path,
    )


def test_many_names_stand_on_lines(tmp_path: Path) -> None:
    names = [f"component_number_{i}" for i in range(6)]
    built = "".join(f"        self.{n} = nn.Linear(4, 1)\n" for n in names)
    listed = "".join(f'            "{n}",\n' for n in names)
    method = f"\n    def get_non_inference_attributes(self):\n        return [\n{listed}        ]\n"
    source = """\
class A(TorchRLModule{base}):
    def setup(self):
        self.pi = nn.Linear(4, 2)
{built}{method}
    def _forward(self, batch, **kwargs):
        return {{Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}}
"""
    check_transformed(
        HEAD + source.format(base="", built=built, method=""),
        HEAD + source.format(base=", InferenceOnlyAPI", built=built, method=method),
        tmp_path,
    )


def test_single_quotes(tmp_path: Path) -> None:
    body = BODY.replace("Columns.OBS", "'obs'")
    check_transformed(
        HEAD.replace('"', "'") + "class A(TorchRLModule):\n" + body.format(method=""),
        HEAD.replace('"', "'")
        + "class A(TorchRLModule, InferenceOnlyAPI):\n"
        + body.format(method=METHOD.replace('"', "'")),
        tmp_path,
    )


def test_class_in_a_function(tmp_path: Path) -> None:
    def inside(text: str) -> str:
        lines = text.splitlines(keepends=True)
        return "def make():\n" + "".join(f"    {x}" if x.strip() else x for x in lines)

    tail = "\n    return A\n"
    before = "class A(TorchRLModule):\n" + BODY.format(method="")
    after = "class A(TorchRLModule, InferenceOnlyAPI):\n" + BODY.format(method=METHOD)
    check_transformed(HEAD + inside(before) + tail, HEAD + inside(after) + tail, tmp_path)


def test_several_classes_in_one_file(tmp_path: Path) -> None:
    one, two = "class A(TorchRLModule):", "class B(TorchRLModule):"
    base = "(TorchRLModule, InferenceOnlyAPI)"
    check_transformed(
        policy(one) + "\n\n" + policy(two, head=""),
        policy(one.replace("(TorchRLModule)", base), METHOD)
        + "\n\n"
        + policy(two.replace("(TorchRLModule)", base), METHOD, head=""),
        tmp_path,
    )


PASS = {
    "pass": ("    pass\n", "{method}"),
    "dots": ("    ...\n", "{method}"),
    "docstring": ('    """A policy."""\n', '    """A policy."""\n\n{method}'),
    "commented pass": ("    pass  # for now\n", "    pass  # for now\n\n{method}"),
    "same line": (" pass\n", "\n{method}"),
    "statement on the same line": (" x = 1\n", "\n    x = 1\n\n{method}"),
}


@pytest.mark.parametrize(("body", "after"), PASS.values(), ids=PASS)
def test_class_without_methods(tmp_path: Path, body: str, after: str) -> None:
    """INF103: the base has the API, and only the subclass can run."""
    mixin = (
        "class Runs:\n"
        "    def _forward(self, batch, **kwargs):\n"
        "        return {Columns.ACTIONS: self.pi(batch[Columns.OBS])}\n\n\n"
        "class Base(TorchRLModule, InferenceOnlyAPI, ABC):\n"
        "    def setup(self):\n"
        "        self.pi = nn.Linear(4, 2)\n"
        "        self.vf = nn.Linear(4, 1)\n\n\n"
    )
    head = HEAD + mixin + "class A(Runs, Base):"
    before = head + ("" if body.startswith(" ") and body[1] != " " else "\n") + body
    written = after.format(method=METHOD.lstrip("\n"))
    result = head + ("" if written.startswith("\n") else "\n") + written
    check_transformed(before, result, tmp_path)


def test_missing_method_with_nothing_to_list(tmp_path: Path) -> None:
    source = """\
class A(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        self.pi = nn.Linear(4, 2)
{method}
    def _forward(self, batch, **kwargs):
        return {{Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}}
"""
    method = METHOD.replace('["vf"]', "[]")
    check_transformed(
        HEAD + source.format(method=""), HEAD + source.format(method=method), tmp_path
    )


def test_a_mixin_behind_the_base(tmp_path: Path) -> None:
    mixin = f"class Names:{METHOD}\n\n"
    source = policy("class A(TorchRLModule, InferenceOnlyAPI, Names):", head=HEAD + mixin)
    check_noop(source, tmp_path, "Names brings the method")


def test_missing_base(tmp_path: Path) -> None:
    check_transformed(
        policy("class A(TorchRLModule):", METHOD),
        policy("class A(TorchRLModule, InferenceOnlyAPI):", METHOD),
        tmp_path,
    )


def test_missing_base_of_a_wrong_list(tmp_path: Path) -> None:
    """The list is put right together with the base, or neither is touched."""
    wrong = METHOD.replace('"vf"', '"pi", "vf"')
    check_transformed(
        policy("class A(TorchRLModule):", wrong),
        policy("class A(TorchRLModule, InferenceOnlyAPI):", METHOD),
        tmp_path,
    )
    commented = METHOD.replace('"vf"', '\n            "pi",  # policy\n            "vf",\n        ')
    check_noop(policy("class A(TorchRLModule):", commented), tmp_path, "would bring INF202 (pi)")


def test_misspelled_method(tmp_path: Path) -> None:
    wrong = METHOD.replace("get_non_inference_attributes", "get_non_inference_attrs")
    check_transformed(
        policy("class A(TorchRLModule, InferenceOnlyAPI):", wrong),
        policy("class A(TorchRLModule, InferenceOnlyAPI):", METHOD),
        tmp_path,
    )
    check_transformed(
        policy("class A(TorchRLModule):", wrong),
        policy("class A(TorchRLModule, InferenceOnlyAPI):", METHOD),
        tmp_path,
    )
