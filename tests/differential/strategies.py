"""Hypothesis strategies that draw whole programs.

Choices are made so that a program nearly always builds and runs as a full module: parts are
bound before they are used, and calls go one way only (`RANKS`), so that nothing recurses.
What is drawn first, and what stands first in a list of options, is the simplest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from hypothesis import strategies as st

from tests.differential import catalogue
from tests.differential.listing import ListSource, draw_list
from tests.differential.programs import (
    FLAGS,
    Block,
    ClassDef,
    File,
    Line,
    Match,
    Method,
    Program,
    Statement,
    render,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")
LOGITS = "Columns.ACTION_DIST_INPUTS"
PARTS = ("enc", "pi", "vf", "critic", "aux", "q", "trunk", "mem", "_target", "value_head")
FORWARDS = ("_forward_inference", "_forward_exploration", "_forward_train", "_forward")
RANKS = (
    ("_forward_inference", "_forward_exploration", "_forward_train", "_forward"),
    ("_forward_exploration", "_forward_inference", "_forward", "_forward_train"),
    ("_forward_train", "_forward_exploration", "_forward_inference", "_forward"),
    ("_forward", "_forward_inference", "_forward_exploration", "_forward_train"),
)
"""Orders in which forwards may call each other."""
HELPERS = {"_embed": "inference", "_head": "inference", "_value": "learner", "_loss": "learner"}
TAKEN = {"PPO": ("pi", "vf"), "DQN": ("vf",), "SAC": ("pi",)}
"""Names that RLlib's default modules use themselves."""


@lru_cache(maxsize=None)
def _below(count: int) -> st.SearchStrategy[int]:
    return st.integers(0, count - 1)


def pick(draw: st.DrawFn, options: Sequence[T]) -> T:
    """One of some options; the first is the simplest."""
    return options[draw(_below(len(options)))] if len(options) > 1 else options[0]


def chance(draw: st.DrawFn, percent: int) -> bool:
    """True with a probability; false is simpler."""
    return draw(_below(100)) >= 100 - percent


@dataclass(frozen=True)
class Part:
    """A part that a class has, and when it has it.

    Attributes:
        phase: ``inference`` if inference methods use it, ``learner`` if others do.
        condition: Under which it exists; empty for always.
        flag: The config key in the condition, if any.
    """

    name: str
    kind: catalogue.Kind
    phase: str = "inference"
    condition: str = ""
    flag: str = ""


@dataclass
class Scope:
    """What the code of one class may mention."""

    flags: tuple[str, ...]
    ranks: tuple[str, ...]
    parts: dict[str, Part] = field(default_factory=dict)
    helpers: set[str] = field(default_factory=set)
    forwards: set[str] = field(default_factory=set)
    values: bool = False
    api: bool = False
    listed: bool = False
    state: bool = False
    framework: str = ""
    net: bool = False

    def copy(self) -> Scope:
        """For a subclass."""
        return replace(
            self,
            parts=dict(self.parts),
            helpers=set(self.helpers),
            forwards=set(self.forwards),
        )

    def usable(self, phase: str) -> list[Part]:
        """Parts that are always there, those of the phase first."""
        there = [p for p in self.parts.values() if not p.condition]
        mine = [p for p in there if p.phase == phase]
        return mine + [p for p in there if p.phase != phase] if phase == "learner" else mine


@dataclass(frozen=True)
class Site:
    """Where statements stand.

    Attributes:
        phase: ``inference`` or ``learner``.
        leave: The statement that returns early.
        name: The method's name.
        batch: Whether ``batch`` is in reach.
    """

    phase: str
    leave: str
    name: str
    batch: bool = False


# Uses


def draw_use(draw: st.DrawFn, scope: Scope, site: Site, x: str = "x", *, plain: bool = False) -> str:
    """An expression that uses some part."""
    parts = scope.usable(site.phase)
    if not parts:
        return f"torch.tanh({x})"
    part = pick(draw, parts)
    if site.phase == "inference" and chance(draw, 5):
        part = pick(draw, scope.usable("learner"))
    return use_of(draw, scope, part, x, plain=plain)


def use_of(draw: st.DrawFn, scope: Scope, part: Part, x: str = "x", *, plain: bool = False) -> str:
    """An expression that uses a part."""
    use = pick(draw, part.kind.uses) if chance(draw, 60) else part.kind.uses[0]
    return _used(use, draw_access(draw, scope, part, plain=plain), x, part)


def _used(use: str, access: str, x: str, part: Part) -> str:
    """Python allows no walrus where a comprehension gets its elements."""
    if ":=" in access and " for " in use:
        access = f"self.{part.name}"
    return use.format(p=access, x=x)


def draw_access(draw: st.DrawFn, scope: Scope, part: Part, *, plain: bool = False) -> str:
    """An expression that yields a part."""
    if plain or chance(draw, 50):
        return f"self.{part.name}"
    options = catalogue.ACCESSES
    if scope.net:
        options = tuple(a for a in options if "_get" not in a and "_the" not in a)
    elif part.kind.registered and chance(draw, 5) and part.kind is not catalogue.KINDS["parameter"]:
        options = catalogue.MODULE_ACCESSES
    access = pick(draw, options)
    if " or " in access and not part.kind.callable:
        access = options[0]
    others = [p.name for p in scope.parts.values() if not p.condition and p.kind is part.kind]
    return access.format(n=part.name, o=pick(draw, others) if others else part.name)


def draw_condition(draw: st.DrawFn, scope: Scope, part: Part | None = None) -> str:
    """A test."""
    if scope.flags and chance(draw, 30):
        return pick(draw, catalogue.FLAG_CONDITIONS).format(f=pick(draw, scope.flags))
    named = part or (pick(draw, list(scope.parts.values())) if scope.parts else None)
    options = catalogue.CONDITIONS
    if named is None or (named.condition and part is None):
        options = tuple(c for c in options if "{n}" not in c)
    elif named.condition or not named.kind.registered:
        options = tuple(c for c in options if "isinstance" not in c and "_modules" not in c)
    return pick(draw, options).format(n=named.name if named else "")


# Statements


def draw_body(draw: st.DrawFn, scope: Scope, site: Site, depth: int = 0) -> tuple[Statement, ...]:
    """Statements that turn ``x`` into another ``x``."""
    count = 1 + (chance(draw, 40) and chance(draw, 60)) + (depth == 0 and chance(draw, 30))
    body: list[Statement] = []
    for _ in range(count):
        body.extend(_statement(draw, scope, site, depth))
    return tuple(body)


def _statement(draw: st.DrawFn, scope: Scope, site: Site, depth: int) -> list[Statement]:
    forms = SIMPLE if depth > 1 or chance(draw, 55) else (*COMPOUND,)
    return pick(draw, forms)(draw, scope, site, depth)


def _assign(draw: st.DrawFn, scope: Scope, site: Site, depth: int) -> list[Statement]:
    return [Line(f"x = {draw_use(draw, scope, site)}")]


def _add(draw: st.DrawFn, scope: Scope, site: Site, depth: int) -> list[Statement]:
    return [Line(f"x = x + {draw_use(draw, scope, site)}")]


def _discard(draw: st.DrawFn, scope: Scope, site: Site, depth: int) -> list[Statement]:
    return [Line(f"_ = {draw_use(draw, scope, site)}")]


def _local(draw: st.DrawFn, scope: Scope, site: Site, depth: int) -> list[Statement]:
    parts = scope.usable(site.phase)
    if not parts:
        return [Line("pass")]
    part = pick(draw, parts)
    access = draw_access(draw, scope, part)
    use = pick(draw, part.kind.uses).format(p="net", x="x")
    if ":=" in access or chance(draw, 70):
        return [Line(f"net = {access}"), Line(f"x = {use}")]
    other = pick(draw, parts)
    return [Line(f"net, other = {access}, self.{other.name}"), Line(f"x = {use}")]


def _helper(draw: st.DrawFn, scope: Scope, site: Site, depth: int) -> list[Statement]:
    ranked = list(HELPERS)
    rank = ranked.index(site.name) if site.name in ranked else -1
    names = [
        name
        for name in ranked[rank + 1 :]
        if name in scope.helpers and (HELPERS[name] == site.phase or site.phase == "learner")
    ]
    if not names:
        return _assign(draw, scope, site, depth)
    call = pick(
        draw,
        (
            "self.{h}(x)",
            "type(self).{h}(self, x)",
            'getattr(self, "{h}")(x)',
            "functools.partial(self.{h}, x)()",
            "list(map(self.{h}, [x]))[0]",
            "super({c}, self).{h}(x)",
        )[:5],
    )
    return [Line(f"x = {call.format(h=pick(draw, names))}")]


def _delegate(draw: st.DrawFn, scope: Scope, site: Site, depth: int) -> list[Statement]:
    targets = _targets(scope, site.name)
    if site.batch and scope.values and site.name in FORWARDS and site.phase == "learner":
        return [Line("x = x + self.compute_values(batch)")]
    if not targets or not site.batch:
        return _assign(draw, scope, site, depth)
    return [Line(f"x = x + self.{pick(draw, targets)}(batch)[{LOGITS}]")]


def _targets(scope: Scope, name: str) -> list[str]:
    """Forwards that a method may call."""
    if name not in FORWARDS or scope.framework:
        return []
    rank = scope.ranks.index(name)
    later = scope.ranks[rank + 1 :]
    falls_back = "_forward" in scope.forwards and "_forward" in later
    return [t for t in later if t in scope.forwards or falls_back]


def _guard(draw: st.DrawFn, scope: Scope, site: Site, depth: int) -> list[Statement]:
    guarded = [p for p in scope.parts.values() if p.phase == "learner" or p.condition]
    part = pick(draw, guarded) if guarded and chance(draw, 60) else None
    if part is not None:
        condition = part.condition or draw_condition(draw, scope, part)
        if part.condition and chance(draw, 50):
            condition = f'hasattr(self, "{part.name}")'
        inner: tuple[Statement, ...] = (Line(f"x = x + {use_of(draw, scope, part, plain=True)}"),)
    else:
        condition = draw_condition(draw, scope)
        inner = draw_body(draw, scope, site, depth + 1)
    if chance(draw, 20):
        inner = (*inner, Line(site.leave))
    if chance(draw, 35):
        orelse = draw_body(draw, scope, site, depth + 1)
        return [Block((f"if {condition}:", "else:"), (inner, orelse))]
    return [Block((f"if {condition}:",), (inner,))]


def _leave(draw: st.DrawFn, scope: Scope, site: Site, depth: int) -> list[Statement]:
    return [Block((f"if {draw_condition(draw, scope)}:",), ((Line(site.leave),),))]


def _choice(draw: st.DrawFn, scope: Scope, site: Site, depth: int) -> list[Statement]:
    first, second = draw_use(draw, scope, site), draw_use(draw, scope, site)
    return [Line(f"x = {first} if {draw_condition(draw, scope)} else {second}")]


def _logic(draw: st.DrawFn, scope: Scope, site: Site, depth: int) -> list[Statement]:
    parts = [p for p in scope.parts.values() if p.kind.callable and not p.condition]
    if not parts:
        return _assign(draw, scope, site, depth)
    part = pick(draw, parts)
    use = use_of(draw, scope, part, plain=True)
    form = pick(draw, ("{c} and {u}", "{c} or {u}"))
    condition = draw_condition(draw, scope)
    return [Line("_ = " + form.format(c=f"({condition})", u=f"({use}).sum()"))]


def _attempt(draw: st.DrawFn, scope: Scope, site: Site, depth: int) -> list[Statement]:
    learner = [p for p in scope.parts.values() if p.phase == "learner"]
    part = pick(draw, learner) if learner and chance(draw, 50) else None
    inner: tuple[Statement, ...]
    if part is not None:
        inner = (Line(f"x = x + {use_of(draw, scope, part, plain=True)}"),)
    else:
        inner = draw_body(draw, scope, site, depth + 1)
    heads = ["try:", pick(draw, ("except AttributeError:", "except KeyError:", "finally:"))]
    bodies = [inner, draw_body(draw, scope, site, depth + 1)]
    if heads[1] != "finally:" and chance(draw, 20):
        heads.append("else:")
        bodies.append(draw_body(draw, scope, site, depth + 1))
    return [Block(tuple(heads), tuple(bodies))]


def _suppress(draw: st.DrawFn, scope: Scope, site: Site, depth: int) -> list[Statement]:
    head = pick(draw, ("with torch.no_grad():", "with contextlib.suppress(AttributeError):"))
    return [Block((head,), (draw_body(draw, scope, site, depth + 1),))]


def _match(draw: st.DrawFn, scope: Scope, site: Site, depth: int) -> list[Statement]:
    subject, first = pick(
        draw,
        (
            ("self.inference_only", "True"),
            ("(self.inference_only, self.training)", "(True, False)"),
            ("self._mode", '"pol"'),
            ("self._mode", '"val"'),
        )[: 4 if scope.flags else 2],
    )
    second = pick(draw, ("_", '"pol"', "False", "other if self.training"))
    cases = ((first, draw_body(draw, scope, site, depth + 1)),)
    cases += ((second, draw_body(draw, scope, site, depth + 1)),)
    return [Match(subject, cases)]


def _loop(draw: st.DrawFn, scope: Scope, site: Site, depth: int) -> list[Statement]:
    parts = scope.usable(site.phase)
    if not parts:
        return [Line("pass")]
    lists = [p for p in parts if p.kind.items]
    if lists and chance(draw, 60):
        access = draw_access(draw, scope, pick(draw, lists), plain=chance(draw, 50))
        return pick(
            draw,
            (
                [Block((f"for net in {access}:",), ((Line("x = net(x)"),),))],
                [Block((f"for _, net in enumerate({access}):",), ((Line("x = net(x)"),),))],
                [
                    Block(
                        (f"for net in {access}:",),
                        ((Line("x = net(x)"), *_break(draw, scope)),),
                    )
                ],
                [Block(("for i in range(1, 2):",), ((Line(f"x = {access}[i](x)"),),))],
                [Block((f"for net, _ in zip({access}, range(1)):",), ((Line("x = net(x)"),),))],
            ),
        )
    callables = [p for p in parts if p.kind.callable]
    if not callables:
        return [Block(("for _ in range(2):",), (draw_body(draw, scope, site, depth + 1),))]
    chosen = [pick(draw, callables) for _ in range(1 + chance(draw, 50))]
    nets = "".join(f"self.{p.name}, " for p in chosen)
    names = "".join(f'"{p.name}", ' for p in chosen)
    return pick(
        draw,
        (
            [Block((f"for net in ({nets}):",), ((Line("x = net(x)"),),))],
            [Block((f"for name in ({names}):",), ((Line("x = getattr(self, name)(x)"),),))],
            [Block((f"for name in ({names}):",), ((Line("x = value_of(self, name, x)"),),))],
            [Block(("while True:",), ((Line(f"x = self.{chosen[0].name}(x)"), Line("break")),))],
            [Block((f"for net in [{nets}]:",), ((Line("x = net(x)"), *_break(draw, scope)),))],
            [Line(f"nets = [{nets}]"), Line("x = sum(net(x) for net in nets)")],
            [Line(f"first, *rest = {nets}"), Line("x = first(x)")],
        ),
    )


def _break(draw: st.DrawFn, scope: Scope) -> list[Statement]:
    return [Block((f"if {draw_condition(draw, scope)}:",), ((Line("break"),),))]


def _nested(draw: st.DrawFn, scope: Scope, site: Site, depth: int) -> list[Statement]:
    inner = (*draw_body(draw, scope, replace(site, leave="return x"), depth + 1), Line("return x"))
    define: list[Statement] = [Block(("def inner(x):",), (inner,))]
    if chance(draw, 25):
        return define  # never called
    return [*define, Line("x = inner(x)")]


def _extra(draw: st.DrawFn, scope: Scope, site: Site, depth: int) -> list[Statement]:
    use = draw_use(draw, scope, site)
    if not site.batch:
        return [Line(f"x = {use} + x")]
    test = '"extra" in batch'
    return [Block((f"if {test}:",), ((Line(f"x = {use}"),),))]


SIMPLE = (_assign, _assign, _add, _discard, _local, _helper, _helper, _delegate, _choice, _logic)
COMPOUND = (
    _guard,
    _guard,
    _leave,
    _loop,
    _loop,
    _attempt,
    _match,
    _suppress,
    _nested,
    _extra,
)


# Construction


def draw_setup(draw: st.DrawFn, scope: Scope, own: list[Part], builds: dict[str, str]) -> list[Statement]:
    """Statements that bind a class's own parts, each under its condition."""
    body: list[Statement] = []
    for part in own:
        options = catalogue.BINDINGS
        if not part.kind.registered or part.kind is catalogue.KINDS["parameter"]:
            options = tuple(b for b in options if "_module" not in b)
        form = pick(draw, options) if chance(draw, 30) else options[0]
        lines = tuple(Line(t) for t in [form.format(n=part.name, b=builds[part.name])])
        if not part.condition:
            body.extend(lines)
        elif chance(draw, 15) and part.condition == "not self.inference_only":
            body.append(Block((f"if {part.condition}:", "else:"), (lines, (Line(f"self.{part.name} = None"),))))
        else:
            body.append(Block((f"if {part.condition}:",), (lines,)))
    return body


def draw_parts(draw: st.DrawFn, scope: Scope, count: int, nets: dict[str, catalogue.Kind]) -> tuple[list[Part], dict[str, str]]:
    """New parts of a class, and how they are built; they are added to the scope."""
    own: list[Part] = []
    builds: dict[str, str] = {}
    free = [n for n in PARTS if n not in scope.parts and n not in TAKEN.get(scope.framework, ())]
    kinds = {**catalogue.KINDS, **nets}
    if scope.net:
        kinds = {k: v for k, v in kinds.items() if v.registered}
    for name in free[:count]:
        phase = "learner" if own and chance(draw, 45) else "inference"
        always = [p for p in scope.parts.values() if not p.condition and p.kind.callable]
        condition = flag = ""
        if phase == "learner" and not scope.net and chance(draw, 25):
            condition = "not self.inference_only"
        elif scope.flags and not scope.net and chance(draw, 10):
            flag = pick(draw, scope.flags)
            condition = f'self.model_config.get("{flag}")'
        if always and chance(draw, 25):
            other = pick(draw, always)
            build, kind_name = pick(draw, catalogue.DERIVED)
            kind = other.kind if kind_name is None else catalogue.KINDS[kind_name]
            build = build.format(o=other.name)
        else:
            kind = kinds["linear"] if chance(draw, 35) else pick(draw, list(kinds.values()))
            build = pick(draw, kind.builds)
        if scope.net and (not kind.registered or "self._make" in build):
            kind, build = kinds["linear"], catalogue.LINEAR
        part = Part(name, kind, phase, condition, flag)
        own.append(part)
        builds[name] = build
        scope.parts[name] = part
    return own, builds


def draw_net(draw: st.DrawFn, name: str, nets: dict[str, catalogue.Kind]) -> tuple[ClassDef, catalogue.Kind]:
    """A network class with parts of its own, a forward and another method."""
    scope = Scope((), RANKS[0], net=True)
    own, builds = draw_parts(draw, scope, 2 + chance(draw, 40), nets)
    site = Site("inference", "return x", "forward")
    setup = [Line("super().__init__()"), *draw_setup(draw, scope, own, builds)]
    methods = [
        Method("__init__", "self", tuple(setup)),
        Method("forward", "self, x", _net_body(draw, scope, site)),
        Method("value", "self, x", _net_body(draw, scope, replace(site, phase="learner", name="value"))),
    ]
    uses = ["{p}({x})", "{p}.value({x})"]
    uses += [part.kind.uses[0].replace("{p}", f"{{p}}.{part.name}") for part in own]
    kind = catalogue.Kind((f"{name}()",), tuple(uses), below=tuple(p.name for p in own))
    return ClassDef(name, ("nn.Module",), tuple(methods)), kind


def _net_body(draw: st.DrawFn, scope: Scope, site: Site) -> tuple[Statement, ...]:
    inside = _without_flags(draw_body(draw, scope, site, 1))
    return (*inside, Line("return x"))


def _without_flags(body: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """A network knows no mode but ``training``, and no helpers."""
    text = "\n".join(render(body))
    if re.search(r"inference_only|self\._[a-z]+\b(?!\w)|model_config", text):
        plain = [s for s in body if not re.search(r"inference_only|self\._[a-z]|model_config", "\n".join(s.lines()))]
        return tuple(plain) or (Line("pass"),)
    return body


# Classes


def draw_class(
    draw: st.DrawFn, name: str, base: tuple[str, Scope] | None, scope: Scope, nets: dict[str, catalogue.Kind]
) -> ClassDef:
    """A module class; ``scope`` becomes what its subclasses see."""
    bases, framework = _bases(draw, base, scope)
    inherits = base is not None or bool(framework)
    keeps = inherits and not (base is not None and not framework and chance(draw, 10))
    if base is not None and not keeps:
        scope.parts.clear()
    own, builds = draw_parts(draw, scope, 1 + draw(_below(4)), nets)
    late = [p for p in own if not p.condition and p is not own[0] and chance(draw, 6)]
    target = [p for p in own if p not in late and p.phase == "learner" and not p.condition and chance(draw, 20)]
    for part in target:
        part = replace(part, condition='hasattr(self, "{n}")'.format(n=part.name))
        scope.parts[part.name] = part
        if chance(draw, 60):
            callables = [p for p in scope.parts.values() if p.kind.callable and not p.condition]
            if callables:
                other = pick(draw, callables)
                builds[part.name] = f"make_target_network(self.{other.name})"
                scope.parts[part.name] = replace(part, kind=other.kind)
    setup = draw_setup(draw, scope, [p for p in own if p not in late and p not in target], builds)
    methods: list[Method] = []
    if late:
        body = [Line("super().__init__(*args, **kwargs)"), *draw_setup(draw, scope, late, builds)]
        methods.append(Method("__init__", "self, *args, **kwargs", tuple(body)))
    if setup or base is None:
        first = [Line("super().setup()")] if keeps else []
        methods.append(Method("setup", "self", (*first, *setup)))
    if target:
        lines = draw_setup(draw, scope, [replace(p, condition="") for p in target], builds)
        first = [Line("super().make_target_networks()")] if framework in {"DQN", "SAC"} else []
        methods.append(Method("make_target_networks", "self", (*first, *lines)))
    methods += _helpers(draw, scope)
    methods += _forwards(draw, scope, framework)
    if chance(draw, 60) and not framework:
        methods.append(_values(draw, scope))
    if chance(draw, 10) and not framework:
        methods.append(_state(draw, scope))
    if chance(draw, 8):
        methods.append(_dist(draw, scope))
    if chance(draw, 4):
        methods.append(_get_state(draw))
    listed = draw_list(
        draw,
        ListSource(tuple(scope.parts.values()), scope.flags, inherited=scope.listed),
    ) if chance(draw, 75) else None
    constants: list[str] = []
    if listed is not None:
        methods.append(listed.method)
        constants += listed.class_constants
        scope.listed = scope.listed or listed.method.name == "get_non_inference_attributes"
        if chance(draw, 92) and not scope.api:
            bases = (*bases, "InferenceOnlyAPI")
            scope.api = True
    elif chance(draw, 5) and not scope.api:
        bases = (*bases, "InferenceOnlyAPI")
        scope.api = True
    if any(m.name == "compute_values" for m in methods) and base is None and not framework and chance(draw, 60):
        bases = (*bases, "ValueFunctionAPI")
    decorators = ("@registered",) if chance(draw, 5) else ()
    made = ClassDef(name, bases, tuple(methods), tuple(constants), decorators)
    return _complete(made, scope)


def _bases(draw: st.DrawFn, base: tuple[str, Scope] | None, scope: Scope) -> tuple[tuple[str, ...], str]:
    if base is not None:
        return (base[0],), scope.framework
    if chance(draw, 6):
        framework = pick(draw, ("PPO", "DQN", "SAC"))
        scope.framework = framework
        scope.api = scope.listed = True
        return (f"Default{framework}TorchRLModule",), framework
    return ("TorchRLModule",), ""


def _helpers(draw: st.DrawFn, scope: Scope) -> list[Method]:
    found = []
    for name in reversed(HELPERS):
        if not chance(draw, 30):
            continue
        site = Site(HELPERS[name], "return x", name)
        body = draw_body(draw, scope, site)
        if name in scope.helpers and chance(draw, 50):
            body = (Line(f"x = super().{name}(x)"), *body)
        decorators = pick(draw, ((), (), (), ("@logged",), ("@torch.no_grad()",), ("@times(2)",)))
        found.append(Method(name, "self, x", (*body, Line("return x")), decorators))
        scope.helpers.add(name)
    return found


def _forwards(draw: st.DrawFn, scope: Scope, framework: str) -> list[Method]:
    if framework:
        names: tuple[str, ...] = pick(draw, ((), ("_forward_inference",), ("_forward_inference", "_forward_exploration")))
    elif scope.forwards:
        names = pick(draw, ((), ("_forward",), ("_forward_inference",), ("_forward_exploration",), ("_forward_train",), ("_forward", "_forward_train")))
    else:
        names = pick(
            draw,
            (
                ("_forward",),
                ("_forward", "_forward_train"),
                ("_forward_inference", "_forward_exploration", "_forward_train"),
                ("_forward_inference", "_forward"),
                ("_forward_exploration", "_forward"),
                FORWARDS,
            ),
        )
    if "_forward" in names and scope.ranks.index("_forward") < scope.ranks.index("_forward_train") and "_forward_train" not in scope.forwards:
        names = tuple(dict.fromkeys((*names, "_forward_train"))) if not framework else names
    ordered = [n for n in reversed(scope.ranks) if n in names]  # callees first
    found = []
    for name in ordered:
        found.append(_forward(draw, scope, name, framework))
        scope.forwards.add(name)
    return found


def _forward(draw: st.DrawFn, scope: Scope, name: str, framework: str) -> Method:
    phase = "learner" if name == "_forward_train" else "inference"
    keyword = pick(draw, ("**kwargs", "**kwargs", "t=None, **kwargs"))
    decorators = ("@override(TorchRLModule)",) if chance(draw, 30) else ()
    leave = f"return {{{LOGITS}: x}}"
    targets = _targets(scope, name)
    body: tuple[Statement, ...]
    site = Site(phase, leave, name, batch=True)
    first: tuple[Statement, ...] = (Line("x = batch[Columns.OBS]"),)
    if framework:
        body = (
            Line(f"out = super().{name}(batch, **kwargs)"),
            *first,
            *draw_body(draw, scope, replace(site, leave="return out"), 1),
            Line('out["aux"] = x'),
            Line("return out"),
        )
    elif targets and chance(draw, 25):
        target = pick(draw, targets)
        call = pick(draw, ("self.{t}(batch)", "self.{t}(batch, **kwargs)", "type(self).{t}(self, batch)"))
        before = draw_body(draw, scope, site, 1) if chance(draw, 20) else ()
        body = ((*first, *before) if before else ()) + (Line(f"return {call.format(t=target)}"),)
    elif name in scope.forwards and chance(draw, 50):
        body = (
            Line(f"out = super().{name}(batch, **kwargs)"),
            Line(f"x = out[{LOGITS}]"),
            *draw_body(draw, scope, site),
            Line(f"return {{**out, {LOGITS}: x}}"),
        )
    else:
        body = (*first, *draw_body(draw, scope, site), *_result(draw, scope, site))
    return Method(name, f"self, batch, {keyword}".replace("t=None, **kwargs", "**kwargs") if framework else f"self, batch, {keyword}", body, decorators)


def _result(draw: st.DrawFn, scope: Scope, site: Site) -> tuple[Statement, ...]:
    if not chance(draw, 25):
        return (Line(f"return {{{LOGITS}: x}}"),)
    key = pick(draw, ('"aux"', "Columns.VF_PREDS"))
    use = draw_use(draw, scope, site)
    if chance(draw, 50):
        return (Line(f"return {{{LOGITS}: x, {key}: {use}}}"),)
    return (Line(f"out = {{{LOGITS}: x}}"), Line(f"out[{key}] = {use}"), Line("return out"))


def _values(draw: st.DrawFn, scope: Scope) -> Method:
    site = Site("learner", "return x", "compute_values")
    body = (Line("x = batch[Columns.OBS]"), *draw_body(draw, scope, site), Line("return x"))
    scope.values = True
    return Method("compute_values", "self, batch, embeddings=None", body)


def _state(draw: st.DrawFn, scope: Scope) -> Method:
    site = Site("inference", 'return {"h": x}', "get_initial_state")
    use = draw_use(draw, scope, site, "torch.ones(1, 2)") if chance(draw, 60) else "torch.zeros(1, 2)"
    return Method("get_initial_state", "self", (Line(f'return {{"h": {use}[0].detach()}}'),))


def _dist(draw: st.DrawFn, scope: Scope) -> Method:
    name = pick(draw, ("get_exploration_action_dist_cls", "get_inference_action_dist_cls", "get_train_action_dist_cls"))
    site = Site("inference", "return None", name)
    use = draw_use(draw, scope, site, "torch.ones(1, 2)")
    return Method(name, "self", (Line(f"_ = {use}"), Line(f"return super().{name}()")))


def _get_state(draw: st.DrawFn) -> Method:
    parameters = pick(draw, ("self, *args, inference_only=False, **kwargs", "self, *args, **kwargs"))
    body = pick(
        draw,
        (
            "return super().get_state(*args, inference_only=inference_only, **kwargs)",
            "return super().get_state(*args, **kwargs)",
        ),
    )
    if "inference_only=False" not in parameters:
        body = "return super().get_state(*args, **kwargs)"
    return Method("get_state", parameters, (Line(body),))


def _complete(cls: ClassDef, scope: Scope) -> ClassDef:
    """Add the small methods and attributes that the class's text mentions."""
    text = cls.text
    more: list[Method] = []
    for name in scope.parts:
        if f"self._the_{name}" in text and f"_the_{name}(" not in text:
            more.append(Method(f"_the_{name}", "self", (Line(f"return self.{name}"),), ("@property",)))
        if f"self._get_{name}()" in text:
            more.append(Method(f"_get_{name}", "self", (Line(f"return self.{name}"),)))
    if "self._get(" in text:
        more.append(Method("_get", "self, name", (Line("return getattr(self, name)"),)))
    if "self._make()" in text:
        more.append(Method("_make", "self", (Line(f"return {catalogue.LINEAR}"),)))
    if "self._learns" in text:
        more.append(Method("_learns", "self", (Line("return not self.inference_only"),), ("@property",)))
    if "self._is_learner()" in text:
        more.append(Method("_is_learner", "self", (Line("return not self.inference_only"),)))
    constants = list(cls.constants)
    if "self._mode" in text:
        value = f'"val" if self.model_config.get("{scope.flags[0]}") else "pol"'
        more.append(Method("_mode", "self", (Line(f"return {value}"),), ("@property",)))
    for flag in scope.flags:
        if f"self._{flag}" in text:
            more.append(
                Method(f"_{flag}", "self", (Line(f'return self.model_config.get("{flag}", False)'),), ("@property",))
            )
    return replace(cls, methods=(*more, *cls.methods), constants=tuple(constants))


# Programs


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """A package with one to four module classes in one to three files."""
    flags = FLAGS[: draw(_below(3)) if chance(draw, 35) else 0]
    ranks = pick(draw, RANKS)
    nets: dict[str, catalogue.Kind] = {}
    net_classes: list[ClassDef] = []
    for index in range(draw(_below(3)) if chance(draw, 40) else 0):
        cls, kind = draw_net(draw, f"Net{index}", nets)
        nets[cls.name] = kind
        net_classes.append(cls)
    classes: list[tuple[str, ClassDef]] = []
    scopes: list[Scope] = []
    files = ["module", "base", "more"][: 1 + (chance(draw, 40)) + (chance(draw, 15))]
    files = sorted(files)  # base before module before more
    place = 0
    for index in range(1 + draw(_below(4))):
        base = None
        scope = Scope(flags, ranks)
        if scopes and chance(draw, 55):
            parent = draw(_below(len(scopes)))
            scope = scopes[parent].copy()
            base = (classes[parent][1].name, scopes[parent])
        if place + 1 < len(files) and index and chance(draw, 50):
            place += 1
        cls = draw_class(draw, f"M{index}", base, scope, nets)
        classes.append((files[place], cls))
        scopes.append(scope)
    return _assembled(draw, files, net_classes, classes, flags)


def _assembled(
    draw: st.DrawFn, files: list[str], nets: list[ClassDef], classes: list[tuple[str, ClassDef]], flags: tuple[str, ...]
) -> Program:
    made: list[File] = []
    homes: dict[str, str] = {}
    if nets and chance(draw, 60):
        made.append(File("nets", (), tuple(nets)))
        homes.update({n.name: "nets" for n in nets})
        nets = []
    homes.update({cls.name: name for name, cls in classes})
    for name in files:
        own = [cls for file, cls in classes if file == name]
        if not own:
            continue
        here = tuple(nets) if not made or made[-1].name == "nets" else ()
        if here:
            homes.update({n.name: name for n in here})
        mine = [*here, *own]
        texts = "\n".join(cls.text for cls in mine)
        used = [n for n, home in homes.items() if home != name and re.search(rf"\b{n}\b", texts)]
        imports = []
        for wanted in used:
            imports.append(
                pick(draw, (f"from .{homes[wanted]} import {wanted}", f"from .{homes[wanted]} import *"))
            )
        constants = tuple(c for c in (_names_constant(texts),) if c)
        made.append(File(name, tuple(dict.fromkeys(imports)), tuple(mine), constants))
    concrete = tuple((name, cls.name) for name, cls in classes)
    return Program(tuple(made), catalogue.LIBRARY, concrete, flags)


def _names_constant(text: str) -> str:
    match = re.search(r"# NAMES: (.*)", text)
    if match:
        return f"NAMES = [{match.group(1)}]"
    return 'NAMES = ["vf"]' if re.search(r"(?<!\.)\bNAMES\b(?! =)", text) else ""
