"""Draws the statements of a method: each turns ``x`` into another ``x`` of the same shape."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.differential import catalogue
from tests.differential.programs import Block, Line, Match, Statement
from tests.differential.scope import FORWARDS, HELPERS, LOGITS, Part, Scope, Site, chance, pick

if TYPE_CHECKING:
    from hypothesis import strategies as st

# Uses


def draw_use(
    draw: st.DrawFn, scope: Scope, site: Site, x: str = "x", *, plain: bool = False
) -> str:
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
    elif chance(draw, 4):
        options = catalogue.RARE_ACCESSES
    elif part.kind.registered and chance(draw, 4) and part.kind is not catalogue.KINDS["parameter"]:
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
    targets = forward_targets(scope, site.name)
    if site.batch and scope.values and site.name in FORWARDS and site.phase == "learner":
        return [Line("x = x + self.compute_values(batch)")]
    if not targets or not site.batch:
        return _assign(draw, scope, site, depth)
    return [Line(f"x = x + self.{pick(draw, targets)}(batch)[{LOGITS}]")]


def forward_targets(scope: Scope, name: str) -> list[str]:
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
