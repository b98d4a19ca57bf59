"""Over modules of odd shapes: fixes converge, and touch nothing but the lines they edit."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inflint.engine.fixing import fix
from inflint.engine.run import Request, check
from inflint.fix.planning import FIXERS

if TYPE_CHECKING:
    from pathlib import Path

APIS = "ray.rllib.core.rl_module.apis"
CODES = frozenset(FIXERS)
COMPONENTS = ["vf", "q_net", "aux_head", "größe", "decoder"]
_NESTED = ["enc.vf", "enc.pol", "heads.1", "nets.q", "enc.vf.weight"]
_NAME = st.sampled_from(
    [*COMPONENTS, *_NESTED, "pi", "vff", "vf ", "self.vf", "vf.weight", "scale", "late"]
)
ENCODER = """

class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.pol = nn.Linear(4, 4)
        self.vf = nn.Linear(4, 4)
"""
BUILDS = [
    "nn.Linear(4, 2)",
    "nn.Linear(4, 2)  # head",
    "nn.Sequential(\n            nn.Linear(4, 2),  # in\n\n            nn.ReLU(),\n        )",
    "[nn.Linear(4, 2), nn.Linear(4, 2)]",
    "[]",
    "{'a': nn.Linear(4, 2)}",
    "{\n            'a': nn.Linear(4, 2),\n        }",
    "Encoder()",
]
"""What may be assigned to a component."""
ENDS = [
    "",
    "        return\n",
    "        if self.inference_only:\n            return\n        self.end = 1\n",
    "        if not self.inference_only:\n            self.end = 1\n",
    "        if self.inference_only:\n            self.end = 1  # guard\n",
    "        if self.model_config: return\n        self.end = 1\n",
    "        # the end\n",
    "        self.vf = self.late = 1; self.end = 1\n",
]
"""How ``setup()`` may end."""
STATES = [
    "",
    "    def get_state(self): return super().get_state()\n",
    """\
    def get_state(self, components=None, *, not_components=None):
        return super().get_state(
            components,
        )
""",
    """\
    def get_state(
        self,
        *args,  # args
        **kwargs
    ):
        state = TorchRLModule.get_state(self, *args)
        return state
""",
    """\
    def get_state(self, inference_only=False):
        state = super().get_state()
        return {'vf.weight': state}
""",
]
"""Overrides of ``get_state()``."""
EXTRAS = [
    "",
    "    @property\n    def scale(self):\n        return 1\n",
    "    scale = 1\n",
    """\
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # late
        self.late = nn.Linear(4, 1)  # head
        self.n = 1
""",
]


READS = ["batch[Columns.OBS]", "self.enc.pol(self.heads[0](batch[Columns.OBS]))"]


@st.composite
def literals(draw: st.DrawFn) -> str:
    """A list or tuple of names, in some form."""
    names = draw(st.lists(_NAME, max_size=4))
    quote = draw(st.sampled_from("\"'"))
    texts = [f"{quote}{name}{quote}" for name in names]
    opening, closing = draw(st.sampled_from(["[]", "()"]))
    trailing = draw(st.booleans()) and texts
    if draw(st.booleans()) and texts:
        comments = [draw(st.sampled_from(["", "  # why", "  # 'vf', \"q\""])) for _ in texts]
        above = [draw(st.sampled_from(["", "            # a head\n"])) for _ in texts]
        lines = [
            f"{before}            {text}{',' if trailing or text is not texts[-1] else ''}{comment}"
            for before, text, comment in zip(above, texts, comments, strict=True)
        ]
        comma = "" if trailing or len(texts) > 1 or opening == "[" else ","
        return f"{opening}\n" + "\n".join(lines) + f"\n        {comma}{closing}"
    gap = draw(st.sampled_from([", ", ",", " , ", ",\n            "]))
    comma = "," if trailing or (opening == "(" and len(texts) == 1) else ""
    return f"{opening}{gap.join(texts)}{comma}{closing}"


@st.composite
def methods(draw: st.DrawFn) -> str:
    """The body of the list's method."""
    first, second = draw(literals()), draw(literals())
    second = re.sub(r"^\((.*)\)$", r"[\1]", second, flags=re.DOTALL)
    test = 'self.model_config.get("x")'
    return draw(
        st.sampled_from(
            [
                f"return {first}",
                f"return list({first}) + {second}",
                f"return {first} if {test} else {second}",
                f"ret = list({first})\n        ret += {second}\n        return ret",
                (
                    f"ret = {second}\n        if {test}:\n            ret.append('vf')\n"
                    "        return ret"
                ),
                f"if {test}:\n            return {first}\n        return {second}",
                "return 'vf'",
                "yield 'vf'\n        yield 'q_net'  # q",
                "return [self.vf]",
                'return ["vf" "q_net"]',
                f"NAMES.append('vf'); x = {first}\n        return NAMES",
                "pass",
            ]
        )
    )


@st.composite
def sources(draw: st.DrawFn) -> bytes:
    """One or two modules, with and without the API, in some layout."""
    imports = draw(
        st.sampled_from(
            [
                "",
                f"from {APIS} import InferenceOnlyAPI\n",
                f"from {APIS} import (\n    QNetAPI,  # targets\n    InferenceOnlyAPI\n)\n",
                f"from {APIS} import ValueFunctionAPI\n",
                f"from {APIS} import InferenceOnlyAPI as Only; import os\n",
            ]
        )
    )
    api = "Only" if "Only;" in imports else "InferenceOnlyAPI" if "ceOnly" in imports else ""
    text = draw(st.sampled_from(["", '"""Doc."""\n', "# -*- coding: utf-8 -*-\n\n"]))
    text += "from ray.rllib.core.columns import Columns\n" + imports
    text += "from ray.rllib.core.rl_module.torch import TorchRLModule\nfrom torch import nn\n"
    text += "NAMES = ['q_net']\n" + ENCODER
    for index in range(draw(st.integers(1, 2))):
        text += draw(_classes(f"Policy{index}", api))
    newline = draw(st.sampled_from(["\n", "\r\n", "\r", "mixed"]))
    if newline == "mixed":
        ends = draw(st.lists(st.sampled_from(["\n", "\r\n"]), min_size=3, max_size=7))
        lines = text.split("\n")
        text = "".join(f"{x}{ends[i % len(ends)]}" for i, x in enumerate(lines[:-1])) + lines[-1]
    else:
        text = text.replace("\n", newline)
    if draw(st.booleans()):
        text = text.rstrip("\r\n")
    if draw(st.booleans()):
        text = text.replace("    ", "\t")
    return (b"\xef\xbb\xbf" if draw(st.booleans()) else b"") + text.encode()


@st.composite
def _classes(draw: st.DrawFn, name: str, api: str) -> str:
    bases = ["TorchRLModule"]
    with_api = api and draw(st.booleans())
    if with_api:
        bases.append(api)
    header = draw(
        st.sampled_from(
            [
                f"class {name}({', '.join(bases)}):",
                f"class {name}(\n    {(',' + chr(10) + '    ').join(bases)},  # bases\n):",
                f"class {name}( {' , '.join(bases)} , ) :  # odd",
            ]
        )
    )
    built = draw(st.lists(st.sampled_from(COMPONENTS), unique=True, max_size=4))
    read = draw(st.sampled_from(["pi", *built]))
    setup = "    def setup(self):\n        self.pi = nn.Linear(4, 2)\n"
    kinds = draw(st.sampled_from([BUILDS[:1], BUILDS]))
    setup += "".join(f"        self.{n} = {draw(st.sampled_from(kinds))}  \n" for n in built)
    if draw(st.booleans()):
        setup += "        self.enc = Encoder()\n"
        setup += "        self.heads = nn.ModuleList([nn.Linear(4, 2) for _ in range(3)])\n"
        setup += "        self.nets = nn.ModuleDict({'pi': nn.Linear(4, 2), 'q': self.pi})\n"
    setup += draw(st.sampled_from(ENDS))
    forward = (
        "    def _forward(self, batch, **kwargs):\n"
        f"        h = self.{read}({draw(st.sampled_from(READS))})\n"
        "        return {Columns.ACTION_DIST_INPUTS: self.pi(h)}\n"
    )
    parts = [setup, forward, draw(st.sampled_from(STATES)), draw(st.sampled_from(EXTRAS))]
    if with_api or draw(st.booleans()):
        method = draw(st.sampled_from(["get_non_inference_attributes", "get_non_inference_attrs"]))
        body = draw(methods())
        parts.append(f"    def {method}(self):\n        {body}\n")
    blank = draw(st.sampled_from(["", "\n", "\n\n", "\f\n"]))
    return f"\n\n{header}\n" + blank.join(draw(st.permutations(parts)))


@settings(
    max_examples=100,
    deadline=None,
    derandomize=True,  # the same examples each time; take it out to search for more
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(source=sources(), unsafe=st.booleans())
def test_fixes_converge(tmp_path: Path, source: bytes, unsafe: bool) -> None:
    path = tmp_path / "example.py"
    path.write_bytes(source)
    outcome = fix(Request((path,), codes=CODES), unsafe=unsafe)
    assert not [left for left in outcome.left if left.bug]
    result = outcome.after.get(path, source)
    path.write_bytes(result)
    compile(result, "example.py", "exec")
    again = fix(Request((path,), codes=CODES), unsafe=unsafe)
    assert again.after == {}
    assert again.applied == ()
    left = {(x.finding.code, x.finding.cls, x.finding.attribute) for x in again.left}
    assert {
        (f.code, f.cls, f.attribute) for f in check(Request((path,), codes=CODES)).findings
    } <= left
    if not unsafe:
        assert _comments(source) == _comments(result)
    lost = _lost_lines(source, result)
    assert len(lost) <= 8 * len(outcome.applied)
    assert [x for x in lost if not (EDITABLE.search(x) or (unsafe and MOVABLE.search(x)))] == []


def _comments(data: bytes) -> list[bytes]:
    return sorted(re.findall(rb"# (?:why|a head|q|bases|odd|targets|in|head|args|guard)\b", data))


EDITABLE = re.compile(
    rb"class |import|return|yield|ret|NAMES|names|get_|['\"]|pass|[])]|InferenceOnly|TorchRL"
    rb"|components,|kwargs|self,"
)
"""Lines that a fix has any business with."""
MOVABLE = re.compile(rb"#|self[.]\S+ = |nn[.]|^[ \t]*[])}]*\s*$")
"""Lines that an unsafe fix indents, moves or wraps, besides."""


def _lost_lines(before: bytes, after: bytes) -> list[bytes]:
    """Lines that are no longer there, byte by byte."""
    old, new = (re.split(rb"(?<=\n)|(?<=\r)(?!\n)", data) for data in (before, after))
    same = [i for i, line in enumerate(new) if line.rstrip(b"\r\n") == old[-1]]
    if old[-1] and same:  # a last line without an end may get one
        new[same[-1]] = old[-1]
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return [
        line
        for tag, start, end, _, _ in matcher.get_opcodes()
        for line in old[start:end]
        if tag in {"replace", "delete"}
    ]
