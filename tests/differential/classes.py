"""Draws networks and module classes: what they build, their methods, their list of names."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from tests.differential import catalogue
from tests.differential.listing import METHOD, ListSource, draw_list
from tests.differential.programs import Block, ClassDef, Line, Method, Statement, render
from tests.differential.scope import (
    FORWARDS,
    HELPERS,
    LOGITS,
    PARTS,
    RANKS,
    TAKEN,
    Part,
    Scope,
    Site,
    below,
    chance,
    pick,
)
from tests.differential.statements import draw_body, draw_use, forward_targets

if TYPE_CHECKING:
    from hypothesis import strategies as st

# Construction


def draw_setup(
    draw: st.DrawFn, scope: Scope, own: list[Part], builds: dict[str, str]
) -> list[Statement]:
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
            body.append(
                Block(
                    (f"if {part.condition}:", "else:"), (lines, (Line(f"self.{part.name} = None"),))
                )
            )
        else:
            body.append(Block((f"if {part.condition}:",), (lines,)))
    return body


def draw_parts(
    draw: st.DrawFn, scope: Scope, count: int, nets: dict[str, catalogue.Kind]
) -> tuple[list[Part], dict[str, str]]:
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


def draw_net(
    draw: st.DrawFn, name: str, nets: dict[str, catalogue.Kind]
) -> tuple[ClassDef, catalogue.Kind]:
    """A network class with parts of its own, a forward and another method."""
    scope = Scope((), RANKS[0], net=True)
    own, builds = draw_parts(draw, scope, 2 + chance(draw, 40), nets)
    site = Site("inference", "return x", "forward")
    setup = [Line("super().__init__()"), *draw_setup(draw, scope, own, builds)]
    methods = [
        Method("__init__", "self", tuple(setup)),
        Method("forward", "self, x", _net_body(draw, scope, site)),
        Method(
            "value", "self, x", _net_body(draw, scope, replace(site, phase="learner", name="value"))
        ),
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
        plain = [
            s
            for s in body
            if not re.search(r"inference_only|self\._[a-z]|model_config", "\n".join(s.lines()))
        ]
        return tuple(plain) or (Line("pass"),)
    return body


# Classes


def draw_class(
    draw: st.DrawFn,
    name: str,
    base: tuple[str, Scope] | None,
    scope: Scope,
    nets: dict[str, catalogue.Kind],
) -> ClassDef:
    """A module class; ``scope`` becomes what its subclasses see."""
    bases = _bases(draw, base, scope)
    methods = [
        *_construction(draw, base is not None, scope, nets),
        *_helpers(draw, scope),
        *_forwards(draw, scope, scope.framework),
        *_others(draw, scope),
    ]
    listed = None
    if chance(draw, 75):
        parts = tuple(scope.parts.values())
        source = ListSource(name, parts, scope.flags, inherited=scope.listed, tuples=scope.tuples)
        listed = draw_list(draw, source)
        methods.append(listed.method)
        scope.tuples = scope.tuples or listed.tuples
        scope.listed = scope.listed or listed.method.name == METHOD
    if chance(draw, 5 if listed is None else 92) and not scope.api:
        bases = (*bases, "InferenceOnlyAPI")
        scope.api = True
    values = any(m.name == "compute_values" for m in methods)
    if values and base is None and not scope.framework and chance(draw, 60):
        bases = (*bases, "ValueFunctionAPI")
    decorators = ("@registered",) if chance(draw, 5) else ()
    constants = () if listed is None else listed.class_constants
    around = () if listed is None else listed.file_constants
    return _complete(ClassDef(name, bases, tuple(methods), constants, decorators, around), scope)


def _construction(
    draw: st.DrawFn, derived: bool, scope: Scope, nets: dict[str, catalogue.Kind]
) -> list[Method]:
    """What binds the class's parts: ``setup``, and ``__init__`` and targets for some of them."""
    keeps = bool(scope.framework) or (derived and not chance(draw, 10))
    if not keeps:
        scope.parts.clear()
    own, builds = draw_parts(draw, scope, 1 + draw(below(4)), nets)
    late = [p for p in own if not p.condition and p is not own[0] and chance(draw, 6)]
    free = [p for p in own if p not in late and p.phase == "learner" and not p.condition]
    target = [p for p in free if chance(draw, 20)]
    for part in target:
        _make_target(draw, scope, part, builds)
    setup = draw_setup(draw, scope, [p for p in own if p not in late and p not in target], builds)
    methods: list[Method] = []
    if late:
        body = [Line("super().__init__(*args, **kwargs)"), *draw_setup(draw, scope, late, builds)]
        methods.append(Method("__init__", "self, *args, **kwargs", tuple(body)))
    if setup or not derived:
        first = [Line("super().setup()")] if keeps else []
        methods.append(Method("setup", "self", (*first, *setup)))
    if target:
        has_some = scope.framework in {"DQN", "SAC"}
        first = [Line("super().make_target_networks()")] if has_some else []
        lines = draw_setup(draw, scope, target, builds)
        methods.append(Method("make_target_networks", "self", (*first, *lines)))
    return methods


def _make_target(draw: st.DrawFn, scope: Scope, part: Part, builds: dict[str, str]) -> None:
    """Let a part be there on Learners only, mostly as another one's target network."""
    made = replace(part, condition=f'hasattr(self, "{part.name}")')
    callables = [p for p in scope.parts.values() if p.kind.callable and not p.condition]
    if callables and chance(draw, 60):
        other = pick(draw, callables)
        builds[part.name] = f"make_target_network(self.{other.name})"
        made = replace(made, kind=other.kind)
    scope.parts[part.name] = made


def _others(draw: st.DrawFn, scope: Scope) -> list[Method]:
    methods = []
    if chance(draw, 60) and not scope.framework:
        methods.append(_values(draw, scope))
    if chance(draw, 10) and not scope.framework:
        methods.append(_state(draw, scope))
    if chance(draw, 8):
        methods.append(_dist(draw, scope))
    if chance(draw, 4):
        methods.append(_get_state(draw))
    return methods


def _bases(draw: st.DrawFn, base: tuple[str, Scope] | None, scope: Scope) -> tuple[str, ...]:
    if base is not None:
        return (base[0],)
    if chance(draw, 6):
        scope.framework = pick(draw, ("PPO", "DQN", "SAC"))
        scope.api = scope.listed = True
        return (f"Default{scope.framework}TorchRLModule",)
    return ("TorchRLModule",)


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
        names: tuple[str, ...] = pick(
            draw, ((), ("_forward_inference",), ("_forward_inference", "_forward_exploration"))
        )
    elif scope.forwards:
        names = pick(
            draw,
            (
                (),
                ("_forward",),
                ("_forward_inference",),
                ("_forward_exploration",),
                ("_forward_train",),
                ("_forward", "_forward_train"),
            ),
        )
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
    if (
        "_forward" in names
        and scope.ranks.index("_forward") < scope.ranks.index("_forward_train")
        and "_forward_train" not in scope.forwards
    ):
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
    targets = forward_targets(scope, name)
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
        call = pick(
            draw, ("self.{t}(batch)", "self.{t}(batch, **kwargs)", "type(self).{t}(self, batch)")
        )
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
    return Method(
        name,
        f"self, batch, {keyword}".replace("t=None, **kwargs", "**kwargs")
        if framework
        else f"self, batch, {keyword}",
        body,
        decorators,
    )


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
    site = Site(pick(draw, ("learner", "inference")), "return {}", "get_initial_state")
    use = (
        draw_use(draw, scope, site, "torch.ones(1, 2)") if chance(draw, 60) else "torch.zeros(1, 2)"
    )
    return Method("get_initial_state", "self", (Line(f'return {{"h": {use}[0].detach()}}'),))


def _dist(draw: st.DrawFn, scope: Scope) -> Method:
    name = pick(
        draw,
        (
            "get_exploration_action_dist_cls",
            "get_inference_action_dist_cls",
            "get_train_action_dist_cls",
        ),
    )
    site = Site(pick(draw, ("learner", "inference")), "return None", name)
    use = draw_use(draw, scope, site, "torch.ones(1, 2)")
    return Method(name, "self", (Line(f"_ = {use}"), Line(f"return super().{name}()")))


def _get_state(draw: st.DrawFn) -> Method:
    parameters = pick(
        draw, ("self, *args, inference_only=False, **kwargs", "self, *args, **kwargs")
    )
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
            more.append(
                Method(f"_the_{name}", "self", (Line(f"return self.{name}"),), ("@property",))
            )
        if f"self._get_{name}()" in text:
            more.append(Method(f"_get_{name}", "self", (Line(f"return self.{name}"),)))
    if "self._get(" in text:
        more.append(Method("_get", "self, name", (Line("return getattr(self, name)"),)))
    if "self._make()" in text:
        more.append(Method("_make", "self", (Line(f"return {catalogue.LINEAR}"),)))
    if "self._learns" in text:
        more.append(
            Method("_learns", "self", (Line("return not self.inference_only"),), ("@property",))
        )
    if "self._is_learner()" in text:
        more.append(Method("_is_learner", "self", (Line("return not self.inference_only"),)))
    constants = list(cls.constants)
    if "self._mode" in text:
        value = f'"val" if self.model_config.get("{scope.flags[0]}") else "pol"'
        more.append(Method("_mode", "self", (Line(f"return {value}"),), ("@property",)))
    more += [
        Method(
            f"_{flag}",
            "self",
            (Line(f'return self.model_config.get("{flag}", False)'),),
            ("@property",),
        )
        for flag in scope.flags
        if f"self._{flag}" in text
    ]
    return replace(cls, methods=(*more, *cls.methods), constants=tuple(constants))
