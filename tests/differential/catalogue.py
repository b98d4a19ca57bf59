"""What generated modules are made of, as templates: parts, ways to reach and to use them.

Simple forms stand first: a failing example shrinks towards them. In the templates ``{n}`` is a
part's name, ``{o}`` another part's, ``{p}`` an expression that yields the part, ``{x}`` a tensor
of two features in the last dimension, and so is each use's result.
"""

from __future__ import annotations

from dataclasses import dataclass

LINEAR = "nn.Linear(2, 2)"


@dataclass(frozen=True)
class Kind:
    """A kind of part.

    Attributes:
        builds: Expressions that build one.
        uses: Expressions that use one; the first is what people write.
        registered: Whether torch knows it when it is assigned to a module.
        below: Paths below it, for lists that name them.
        items: Whether it yields callables when it is iterated over.
    """

    builds: tuple[str, ...]
    uses: tuple[str, ...]
    registered: bool = True
    below: tuple[str, ...] = ()
    items: bool = False

    @property
    def callable(self) -> bool:
        """Whether ``part(x)`` works."""
        return self.uses[0] == "{p}({x})"


KINDS: dict[str, Kind] = {
    "linear": Kind(
        (LINEAR, "make_head()", "make_head(2)", "self._make()", "torch.nn.Linear(2, 2)"),
        (
            "{p}({x})",
            "{p}.forward({x})",
            "nn.functional.linear({x}, {p}.weight, {p}.bias)",
            "({x} @ {p}.weight)",
            "through({p}, {x})",
            "({x} * next({p}.parameters()).sum())",
            '({x} + {p}.state_dict()["bias"])',
            "functools.partial({p}, {x})()",
            "torch.func.functional_call({p}, dict({p}.named_parameters()), ({x},))",
        ),
        below=("weight", "bias"),
    ),
    "sequential": Kind(
        (
            "nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 2))",
            "nn.Sequential(*[nn.Linear(2, 2) for _ in range(3)])",
            "make_stack(3)",
        ),
        ("{p}({x})", "{p}[0]({x})", "{p}[-1]({x})", "{p}[:2]({x})", "apply_all({p}, {x})"),
        below=("0", "2", "2.weight"),
        items=True,
    ),
    "pair": Kind(
        ("Pair()", "Inherited()", "Gated()"),
        ("{p}({x})", "{p}.pol({x})", "{p}.value({x})", "{p}.val({x})", "through({p}, {x})"),
        below=("val", "pol", "val.weight"),
    ),
    "shared": Kind(
        ("Shared()",),
        ("{p}({x})", "{p}({x}, value=True)", "{p}.pol({p}.trunk({x}))", "{p}.both({x})[1]"),
        below=("val", "trunk", "pol"),
    ),
    "list": Kind(
        (
            "nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])",
            "nn.ModuleList(nn.Linear(2, 2) for _ in range(2))",
            "nn.ModuleList([make_head() for _ in range(2)])",
        ),
        (
            "{p}[0]({x})",
            "{p}[1]({x})",
            "{p}[-1]({x})",
            "sum(h({x}) for h in {p})",
            "torch.stack([h({x}) for h in {p}]).sum(0)",
            "apply_all({p}, {x})",
            "[h({x}) for h in {p}][0]",
            "sum(h({x}) for h in list({p})[:1])",
            "sum(h({x}) for i, h in enumerate({p}) if i == 0)",
        ),
        below=("0", "1"),
        items=True,
    ),
    "dict": Kind(
        (
            'nn.ModuleDict({"pol": nn.Linear(2, 2), "val": nn.Linear(2, 2)})',
            "nn.ModuleDict({k: nn.Linear(2, 2) for k in KEYS})",
            "nn.ModuleDict(dict(pol=make_head(), val=make_head()))",
        ),
        (
            '{p}["pol"]({x})',
            '{p}["val"]({x})',
            "{p}.pol({x})",
            'getattr({p}, "val")({x})',
            "sum(h({x}) for h in {p}.values())",
            'sum(h({x}) for k, h in {p}.items() if k == "pol")',
            'sum({p}[k]({x}) for k in ("pol",))',
            'sum({p}[k]({x}) for k in {p} if k != "val")',
        ),
        below=("val", "pol"),
    ),
    "parameter": Kind(
        ("nn.Parameter(torch.ones(2))", "nn.Parameter(torch.full((2,), 0.5))"),
        ("({x} * {p})", "({x} + {p}.sum())", "torch.add({x}, {p})", "({x} * {p}[0])"),
    ),
    "wrap": Kind(
        ("Wrap(nn.Linear(2, 2))", "Wrap(make_head())", "Wrap(Pair())"),
        ("{p}({x})", "{p}.inner({x})", "{p}.extra({x})"),
        below=("inner", "extra"),
    ),
    "keyed": Kind(
        ("Keyed()",),
        ("{p}({x})", '{p}({x}, "val")', '{p}({x}, key="val")', '{p}.nets["pol"]({x})'),
        below=("nets", "nets.val"),
    ),
    "tower": Kind(
        ("Tower()", "Tower(depth=2)"),
        ("{p}({x})", "{p}.layers[0]({x})", "{p}.head({x})", "{p}.through({x})"),
        below=("head", "layers", "layers.1"),
    ),
    "outputs": Kind(
        ("Outputs()",),
        ("{p}({x})[0]", '{p}.as_dict({x})["pol"]', "{p}.vf({x})"),
        below=("vf", "pi"),
    ),
    "plain list": Kind(
        ("[nn.Linear(2, 2), nn.Linear(2, 2)]", "[make_head() for _ in range(2)]"),
        ("{p}[0]({x})", "sum(h({x}) for h in {p})", "apply_all({p}, {x})"),
        registered=False,
        items=True,
    ),
    "plain dict": Kind(
        ('{"pol": nn.Linear(2, 2), "val": nn.Linear(2, 2)}',),
        ('{p}["pol"]({x})', "sum(h({x}) for h in {p}.values())", '{p}.get("val")({x})'),
        registered=False,
    ),
    "holder": Kind(
        ("Holder(nn.Linear(2, 2), nn.Linear(2, 2))",),
        ("{p}.pol({x})", "{p}.val({x})", "{p}.run({x})"),
        registered=False,
    ),
}

DERIVED = (
    ("self.{o}", None),
    ("copy.deepcopy(self.{o})", None),
    ("same(self.{o})", None),
    ("Wrap(self.{o})", "wrap"),
    ("nn.Sequential(self.{o}, nn.Linear(2, 2))", "sequential"),
    ("nn.ModuleList([self.{o}, nn.Linear(2, 2)])", "list"),
    ('nn.ModuleDict({{"pol": self.{o}, "val": nn.Linear(2, 2)}})', "dict"),
    ("[self.{o}, self.{o}]", "plain list"),
    ('{{"pol": self.{o}, "val": self.{o}}}', "plain dict"),
)
"""Parts made of another, callable one, each with its kind; None for the other one's kind."""

BINDINGS = (
    "self.{n} = {b}",
    "{n} = {b}\nself.{n} = {n}",
    'setattr(self, "{n}", {b})',
    'self.add_module("{n}", {b})',
    'for name in ("{n}",):\n    setattr(self, name, {b})',
    'object.__getattribute__(self, "add_module")("{n}", {b})',
    "self.{n} = made = {b}",
    'self.register_module("{n}", {b})',
)
"""Ways to bind a part; those with ``_module`` only take modules."""

ACCESSES = (
    "self.{n}",
    "self.{n}",
    "self.{n}",
    'getattr(self, "{n}")',
    "(net := self.{n})",
    "self._get_{n}()",
    "self._the_{n}",
    "same(self.{n})",
    "(self.{n}, self.{o})[0]",
    '{{"a": self.{n}, "b": self.{o}}}["a"]',
    "(self.{o} if self.training else self.{n})",
    "(lambda: self.{n})()",
    "next(m for m in [self.{n}])",
    'getattr(self, "nothing", self.{n})',
    '[getattr(self, k) for k in ("{n}",)][0]',
    'self._get("{n}")',
    "getattr(self, f\"{{'{n}'}}\")",
    "(lambda module: module.{n})(self)",
    "[self.{o}, self.{n}][-1]",
    "(self.{n} or self.{o})",
)
"""Expressions that yield a part of ``self``."""

RARE_ACCESSES = (
    'operator.attrgetter("{n}")(self)',
    'functools.partial(getattr, self)("{n}")',
)
"""Those that hardly anyone writes."""

MODULE_ACCESSES = (
    'self._modules["{n}"]',
    'self.get_submodule("{n}")',
    'dict(self.named_children())["{n}"]',
    'self.__dict__["_modules"]["{n}"]',
)
"""Those that only find modules."""

CONDITIONS = (
    "not self.inference_only",
    "self.training",
    "self.inference_only",
    "not self.training",
    'hasattr(self, "{n}")',
    'getattr(self, "{n}", None) is not None',
    "self.inference_only and not self.training",
    "self.inference_only is False",
    "self.training or not self.inference_only",
    "self._learns",
    "self._is_learner()",
    'not hasattr(self, "{n}")',
    '"{n}" in self._modules',
    "isinstance(self.{n}, nn.Module)",
)
"""Tests that a module may make; ``{n}`` is a part that may have been removed."""

FLAG_CONDITIONS = (
    'self.model_config.get("{f}")',
    'self.model_config["{f}"]',
    'not self.model_config.get("{f}", False)',
    "self._{f}",
    'self.model_config.get("{f}") and not self.inference_only',
)
"""Tests of a config key ``{f}``; ``self._{f}`` is set from it by ``setup``."""

LIBRARY: dict[str, str] = {
    "KEYS": 'KEYS = ("pol", "val")',
    "make_head": """\
def make_head(size=2):
    return nn.Linear(size, 2)""",
    "make_stack": """\
def make_stack(depth):
    layers = []
    for _ in range(depth):
        layers.append(nn.Linear(2, 2))
    return nn.Sequential(*layers)""",
    "through": """\
def through(net, x):
    return net(x)""",
    "apply_all": """\
def apply_all(nets, x):
    for net in nets:
        x = net(x)
    return x""",
    "same": """\
def same(net):
    return net""",
    "value_of": """\
def value_of(module, name, x):
    return getattr(module, name)(x)""",
    "logged": """\
def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper""",
    "registered": """\
def registered(cls):
    return cls""",
    "times": """\
def times(count):
    def decorate(function):
        def wrapper(self, *args, **kwargs):
            for _ in range(count):
                result = function(self, *args, **kwargs)
            return result

        return wrapper

    return decorate""",
    "Pair": """\
class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.pol = nn.Linear(2, 2)
        self.val = nn.Linear(2, 2)

    def forward(self, x):
        return self.pol(x)

    def value(self, x):
        return self.val(self.pol(x))""",
    "Inherited": """\
class Inherited(Pair):
    def __init__(self):
        super().__init__()
        self.more = nn.Linear(2, 2)

    def forward(self, x):
        return self.more(super().forward(x))""",
    "Gated": """\
class Gated(Pair):
    def forward(self, x):
        if self.training:
            x = self.val(x)
        return self.pol(x)""",
    "Shared": """\
class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(2, 2)
        self.pol = nn.Linear(2, 2)
        self.val = nn.Linear(2, 2)

    def forward(self, x, value=False):
        x = self.trunk(x)
        if value:
            return self.val(x)
        return self.pol(x)

    def both(self, x):
        return self.pol(self.trunk(x)), self.val(self.trunk(x))""",
    "Wrap": """\
class Wrap(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        self.extra = nn.Linear(2, 2)

    def forward(self, x):
        return self.inner(x)""",
    "Keyed": """\
class Keyed(nn.Module):
    def __init__(self):
        super().__init__()
        self.nets = nn.ModuleDict({"pol": nn.Linear(2, 2)})
        self.nets["val"] = nn.Linear(2, 2)

    def forward(self, x, key="pol"):
        return self.nets[key](x)""",
    "Tower": """\
class Tower(nn.Module):
    def __init__(self, depth=3):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(depth):
            self.layers.append(nn.Linear(2, 2))
        self.head = nn.Linear(2, 2)

    def through(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return x

    def forward(self, x):
        return self.head(self.through(x))""",
    "Outputs": """\
class Outputs(nn.Module):
    def __init__(self):
        super().__init__()
        self.pi = nn.Linear(2, 2)
        self.vf = nn.Linear(2, 2)

    def forward(self, x):
        return self.pi(x), self.vf(x)

    def as_dict(self, x):
        return {"pol": self.pi(x)}""",
    "Holder": """\
class Holder:
    def __init__(self, pol, val):
        self.pol = pol
        self.val = val

    def run(self, x):
        return self.pol(x)""",
}
"""Functions and classes that a file gets if it mentions them."""

TYPOS = ("nothing", "self.{n}", "{n} ", "{n}s", "", "{n}[0]")
"""Names that lead nowhere."""

PROTECTED = ("training", "model_config", "inference_only")
"""RLlib's own attributes."""

LIST_BODIES = (
    "return [{all}]",
    "return list(({all}))",
    "return ({all})",
    "names = [{first}]\nnames += [{rest}]\nreturn names",
    "names = [{first}]\nfor name in ({rest}):\n    names.append(name)\nreturn names",
    "names = []\nnames.extend([{all}])\nreturn names",
    "return [{first}] + [{rest}]",
    "return [*[{first}], *({rest})]",
    "return [name for name in ({all})]",
    'return [f"{{name}}" for name in [{all}] if name]',
    "return sorted({{{all}, {all}}})",
    "return list(dict.fromkeys([{all}]))",
    "return self.NAMES",
    "return list(self.NAMES)",
    "return NAMES",
    "return [{first}] + ([{rest}] if {flag} else [])",
    "if {flag}:\n    return [{all}]\nreturn [{first}]",
    "names = [{first}]\nif {flag}:\n    names += [{rest}]\nreturn names",
    "if self.inference_only:\n    return [{all}]\nreturn [{all}]",
    "return [{first}] + [{rest}] if {flag} else []",
    "names = self.NAMES\nnames += [{first}]\nreturn names",
    "NAMES.append({one})\nreturn NAMES",
    "return {one}",
    "return ({one})",
    "names = [{all}]",
    "return [{all}].sort()",
    "yield from [{all}]",
    "return [{objects}]",
    "return [{joined}]",
    "return [{all}, {all}]",
)
"""Bodies of the list's method: right ones first, then what people get wrong."""

INHERITED_BODIES = (
    "return super().get_non_inference_attributes() + [{all}]",
    "names = super().get_non_inference_attributes()\nnames += [{all}]\nreturn names",
    "return [*super().get_non_inference_attributes(), {all}]",
    "return list(super().get_non_inference_attributes()) + [{all}]",
    "return super().get_non_inference_attributes()",
)
"""Those that ask the base first."""
