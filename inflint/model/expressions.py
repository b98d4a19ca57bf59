"""Expressions: what each kind evaluates to, and what evaluating it touches."""

from __future__ import annotations

import re
from abc import abstractmethod
from functools import partial
from typing import TYPE_CHECKING, TypeGuard

from inflint.model.builtins import Builtins
from inflint.model.core import Arguments, sole, texts_of
from inflint.model.frames import Closure, Frame
from inflint.model.heap import ANY, key_of
from inflint.model.mentions import rebinds
from inflint.model.presence import is_something
from inflint.model.units import Site
from inflint.model.values import (
    ABSENT,
    UNKNOWN,
    Const,
    FuncRef,
    Pattern,
    Ref,
    Reflect,
    Value,
    constant,
    follows_mode,
    is_none,
    join,
    present,
    truth,
)
from inflint.syntax import facts

if TYPE_CHECKING:
    from collections.abc import Callable

    from inflint.model.values import Atom

_WIDTH = re.compile(r"%[^a-zA-Z%]*\d")
_OPERATORS = (
    "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__contains__", "__add__",
    "__radd__", "__sub__", "__rsub__", "__mul__", "__rmul__", "__matmul__", "__rmatmul__",
    "__truediv__", "__neg__", "__mod__", "__or__", "__and__",
)  # fmt: skip


class Expressions(Builtins):
    """Evaluates expressions in the current frame."""

    def site(self, at: int) -> Site | None:
        """The place of a site of the running code."""
        return None if self.frame is None else Site(self.frame.closure.unit, at)

    def evaluate(self, expr: facts.Expr) -> Value:
        """The value of an expression. Raises :class:`Terminated`."""
        self.step()
        return _EXPRESSIONS[type(expr)](self, expr)

    def _const(self, expr: facts.Const) -> Value:
        site = self.site(expr.at) if isinstance(expr.value, str) else None
        return constant(expr.value, site, guard=self.by_mode > 0)

    def _name(self, expr: facts.Name) -> Value:
        frame = self.frame
        if frame is not None and expr.id in frame.env:
            return present(frame.env[expr.id]) or UNKNOWN
        return present(self.name(expr.id)) or UNKNOWN

    def _attr(self, expr: facts.Attr) -> Value:
        return self.attribute(self.evaluate(expr.value), expr.name, self.site(expr.at))

    def _item(self, expr: facts.Item) -> Value:
        value, key = self.evaluate(expr.value), self.evaluate(expr.key)
        if isinstance(expr.key, facts.Opaque):
            return self._slice(value, self.site(expr.at))
        return self.element(value, key, self.site(expr.at))

    def _slice(self, value: Value, site: Site | None) -> Value:
        """Some of the elements, in a container of the same kind."""
        results = []
        for atom in value:
            if isinstance(atom, Ref) and self.object(atom).kind in {"list", "tuple"}:
                results.append(self._many(self.all_elements(atom.oid, site), site))
            else:
                results.append(self.element(frozenset((atom,)), UNKNOWN, site))
        return join(*results) or UNKNOWN

    def _call_expression(self, expr: facts.Call) -> Value:
        callee = self.evaluate(expr.func)
        positional: list[Value] = []
        more: list[Value] = []
        for arg in expr.args:
            if isinstance(arg, facts.Star):
                rounds, either = self.iterate(self.evaluate(arg.value), self.site(expr.at))
                if rounds is None or more:
                    more.append(either)
                else:
                    positional.extend(rounds)
            else:
                (more or positional).append(self.evaluate(arg))
        keywords: list[tuple[str, Value]] = []
        for name, arg in expr.keywords:
            value = self.evaluate(arg)
            if name is not None:
                keywords.append((name, value))
            else:
                self._spread(value, keywords, more, self.site(expr.at))
        args = Arguments(tuple(positional), tuple(keywords), join(*more))
        return self.call(callee, args, self.site(expr.at))

    def _spread(
        self,
        value: Value,
        keywords: list[tuple[str, Value]],
        more: list[Value],
        site: Site | None,
    ) -> None:
        """``**value`` in a call."""
        for atom in value:
            if isinstance(atom, Reflect):
                self.use(atom.oid, site, "all its parts are handed over")
                more.append(frozenset((atom,)))
            if not isinstance(atom, Ref) or self.object(atom).kind != "dict":
                more.append(join(UNKNOWN, frozenset((atom,)) if isinstance(atom, Ref) else UNKNOWN))
                continue
            for key, element in self.heap.slots(atom.oid).items():
                self.record_read(atom.oid, key, site)
                if key == ANY or ABSENT in element or len(value) > 1:
                    more.append(present(element))
                else:
                    keywords.append((key, element))

    def _sequence(self, expr: facts.Sequence) -> Value:
        site = self.site(expr.at)
        made = self.allocate(expr.kind, site)
        for item in expr.items:
            if isinstance(item, facts.Star):
                self.extend(Ref(made.oid), self.evaluate(item.value), site)
            else:
                self.heap.append(made.oid, self.evaluate(item))
        return frozenset((Ref(made.oid),))

    def _mapping(self, expr: facts.Mapping) -> Value:
        site = self.site(expr.at)
        made = self.allocate("dict", site)
        for key, item in expr.items:
            value = self.evaluate(item)
            if key is None:
                self._dict_update(Ref(made.oid), Arguments((value,)), site)
                continue
            name = key_of(self.evaluate(key))
            if name is None:
                name, value = ANY, join(value, self.heap.get(made.oid, ANY) or frozenset())
            self.heap.set(made.oid, name, value)
        return frozenset((Ref(made.oid),))

    def _text(self, expr: facts.Text) -> Value:
        """An f-string: known, known at both ends, or unknown."""
        parts = [self.evaluate(p) for p in expr.parts]
        known = [sole(p) for p in parts]
        values = [a.value for a in known if isinstance(a, Const)]
        if len(values) == len(parts):
            return constant("".join(str(v) for v in values), self.site(expr.at))
        prefix, suffix = _ends(known), _ends(known[::-1], backwards=True)
        return frozenset((Pattern(prefix, suffix),))

    def _binary(self, expr: facts.Binary) -> Value:
        left, right = self.evaluate(expr.left), self.evaluate(expr.right)
        return self.add(expr.op, left, right, self.site(expr.at))

    def add(self, op: str, left: Value, right: Value, site: Site | None) -> Value:
        """``left op right``, exact for strings, lists and dicts."""
        one, other = sole(left), sole(right)
        if op == "%" and isinstance(one, Const) and isinstance(other, Const):
            return self._format(one, other, site)
        lists = [a for a in (*left, *right) if self._is_list(a)]
        if op == "*" and lists:
            return self._many(join(*(self.all_elements(a.oid, site) for a in lists)), site)
        if op == "+" and isinstance(one, Const) and isinstance(other, Const):
            if isinstance(one.value, str) and isinstance(other.value, str):
                return constant(one.value + other.value, one.site or site)
            return UNKNOWN
        if op == "+" and lists:
            made = self.allocate("list", site)
            self.extend(Ref(made.oid), left, site)
            self.extend(Ref(made.oid), right, site)
            return frozenset((Ref(made.oid),))
        if op == "|" and isinstance(one, Ref) and self.object(one).kind == "dict":
            made = self.allocate("dict", site)
            self._dict_update(Ref(made.oid), Arguments((left, right)), site)
            return frozenset((Ref(made.oid),))
        if isinstance(one, Ref) and self.object(one).kind == "set":
            return self._many(join(*(self.iterate(v, site)[1] for v in (left, right))), site)
        if op == "+" and isinstance(one, Const) and isinstance(one.value, str):
            return frozenset((Pattern(one.value, ""),))
        self._operate(join(left, right), site)
        return self._derived(site, left, right)

    def _derived(self, site: Site | None, *values: Value) -> Value:
        """What an operator makes of modules or parameters, when something is built of it."""
        held = join(*values)
        if self.demanding or not self.carries(held):
            return UNKNOWN
        return self.unknown(site, "an operator uses it", held)

    def _format(self, template: Const, argument: Const, site: Site | None) -> Value:
        if not isinstance(template.value, str) or _WIDTH.search(template.value):
            return UNKNOWN
        try:
            return constant(template.value % argument.value, template.site or site)
        except (TypeError, ValueError):
            return UNKNOWN

    def _operate(self, value: Value, site: Site | None) -> None:
        """An operator on modules or parameters uses them, or calls what stands for it."""
        for atom in value:
            if isinstance(atom, Reflect):
                self.escape(frozenset((atom,)), site, "an operator uses it")
            if not isinstance(atom, Ref):
                continue
            target = self.object(atom)
            if target.kind == "instance" and target.cls is not None:
                for name in _OPERATORS:
                    method = self._inherited_of(atom, name)
                    if method:
                        self._try_call(method, site)
            if target.kind == "opaque" or (target.kind == "instance" and atom.oid != self.root):
                self.escape(frozenset((atom,)), site, "an operator uses it")

    def test(self, expr: facts.Expr) -> Value:
        """A condition; objects may decide on their own truth."""
        value = (
            self._logic(expr, tested=True) if isinstance(expr, facts.Logic) else self.evaluate(expr)
        )
        for atom in value:
            if isinstance(atom, Ref) and self.object(atom).kind == "instance":
                for name in ("__bool__", "__len__"):
                    method = self._inherited_of(atom, name)
                    if method:
                        self._try_call(method, None)
        return value

    def _is_list(self, atom: Atom) -> TypeGuard[Ref]:
        return isinstance(atom, Ref) and self.object(atom).kind in {"list", "tuple"}

    def _logic(self, expr: facts.Logic, *, tested: bool = False) -> Value:
        left = self.test(expr.left)
        follow = self.test if tested else self.evaluate
        known = truth(left)
        if known is not None:
            stops = known == (expr.op == "or")
            return left if stops else follow(expr.right)
        right: list[Value] = []

        def otherwise() -> bool:
            right.append(follow(expr.right))
            return True

        self.alternatives(lambda: True, otherwise)
        if tested and right and truth(right[0]) == (expr.op == "or"):
            return right[0]  # whatever the left side is, it is no more than as true as this
        return join(left, *right)

    def _not(self, expr: facts.Not) -> Value:
        value = self.test(expr.value)
        known = truth(value)
        return UNKNOWN if known is None else constant(not known, guard=follows_mode(value))

    def _compare(self, expr: facts.Compare) -> Value:
        left, right = self.evaluate(expr.left), self.evaluate(expr.right)
        value = self._compared(expr.op, left, right)
        if truth(value) is None:
            self.asked |= {text for text, _ in texts_of(join(left, right))}
        return value

    def _compared(self, op: str, left: Value, right: Value) -> Value:
        one, other = sole(left), sole(right)
        if (
            isinstance(one, Const)
            and isinstance(other, Const)
            and one.firm
            and other.firm
            and op in {"==", "!=", "is", "is not"}
        ):
            same = (one.value == other.value) == (op in {"==", "is"})
            return constant(same, guard=one.guard or other.guard)
        if op in {"is", "is not"} and (is_none(one) or is_none(other)):
            there = is_something(self, right if is_none(one) else left)
            return constant(op == "is not") if there else UNKNOWN
        if op in {"in", "not in"}:
            return self._membership(op, one, right)
        if op not in {"is", "is not"}:
            self._operate(join(left, right), None)
        return UNKNOWN

    def _membership(self, op: str, one: Atom | None, right: Value) -> Value:
        """``x in (…)``, decided where both sides are literal."""
        container = sole(right)
        if isinstance(container, Reflect) and isinstance(one, Const):
            owner: Value = frozenset((Ref(container.oid),))
            there = self.has(owner, str(one.value))
            if there and not self._registers_module(container, str(one.value)):
                there = None
            self.note_test(owner, str(one.value), None)
            return UNKNOWN if there is None else constant(there == (op == "in"))
        for atom in right:
            if isinstance(atom, Ref) and self.object(atom).kind != "instance":
                self.all_elements(atom.oid, None)
        self._operate(right, None)
        if not isinstance(one, Const) or not one.firm or not isinstance(container, Ref):
            return UNKNOWN
        target = self.object(container)
        if target.shared or target.kind == "instance" or target.summary:
            return UNKNOWN
        known = self.heap.elements(container.oid)
        atoms = [sole(v) for v in known or ()]
        if (
            known is None
            or target.kind == "dict"
            or not all(isinstance(a, Const) and a.firm for a in atoms)
        ):
            return UNKNOWN
        inside = any(isinstance(a, Const) and a.value == one.value for a in atoms)
        return constant(inside == (op == "in"))

    def _registers_module(self, container: Reflect, name: str) -> bool:
        """Whether a name certainly is a key of ``_modules``."""
        value = self.heap.get(container.oid, name)
        return (
            container.by == "_modules"
            and bool(value)
            and all(isinstance(a, Ref) and self._is_module(a) for a in value or ())
        )

    def _is_module(self, atom: Ref) -> bool:
        target = self.object(atom)
        if target.cls is not None:
            return target.cls.is_torch()
        return target.factory is not None and target.factory.kind in {"module", "container"}

    def _choice(self, expr: facts.Choice) -> Value:
        test = self.test(expr.test)
        known = truth(test)
        if known is not None:
            with self.following(test):
                return self.evaluate(expr.body if known else expr.orelse)
        results: list[Value] = []

        def one(branch: facts.Expr) -> bool:
            results.append(self.evaluate(branch))
            return True

        if not self.alternatives(lambda: one(expr.body), lambda: one(expr.orelse)):
            return UNKNOWN
        return join(*results)

    def _lambda(self, expr: facts.Lambda) -> Value:
        return self.closure(expr.function)

    def closure(self, function: facts.Function) -> Value:
        """A function made by the running code, with its variables."""
        frame = self.frame
        if frame is None:
            return UNKNOWN
        around = frame.closure
        label = f"{around.label}.{function.name}" if around.label else function.name
        self.forks &= not rebinds(function)
        made = Closure(function, around.unit, around.chain, around.owner, frame, label)
        for param in function.params:
            if param.default is not None:
                made.defaults[param.name] = self.evaluate(param.default)
        return frozenset((FuncRef(made),))

    def _comprehension(self, expr: facts.Comprehension) -> Value:
        frame = self.frame
        assert frame is not None  # noqa: S101 - comprehensions stand in functions
        site = self.site(expr.at)
        kind = {"generator": "list", "set": "set"}.get(expr.kind, expr.kind)
        made = self.allocate(kind, site, once=expr.kind == "generator")
        inner = Frame(
            frame.closure,
            dict(frame.env),
            frame.receiver,
            frame.called_at,
            frame.caller,
            frame.mark,
            yields=frame.yields,
            outside=frame.outside,
        )
        self.frame = inner
        try:
            self._clauses(expr, 0, made.oid, site)
        finally:
            self.frame = frame
        return frozenset((Ref(made.oid),))

    def _clauses(self, expr: facts.Comprehension, index: int, oid: int, site: Site | None) -> None:
        if index == len(expr.clauses):
            self._collect(expr, oid, site)
            return
        clause = expr.clauses[index]
        rounds, either = self.iterate(self.evaluate(clause.iterable), site)

        def once(value: Value) -> bool:
            self.assign(clause.target, value, site)
            for position, test in enumerate(clause.tests):
                known = truth(self.evaluate(test))
                if known is False:
                    return True
                if known is None:
                    rest = clause.tests[position + 1 :]
                    return self.alternatives(lambda: True, partial(passed, rest))
            self._clauses(expr, index + 1, oid, site)
            return True

        def passed(rest: tuple[facts.Expr, ...]) -> bool:
            for test in rest:
                self.evaluate(test)
            self._clauses(expr, index + 1, oid, site)
            return True

        if rounds is not None:
            for value in rounds:
                once(value)
            return
        target = self.heap.objects[oid]
        before, target.summary = target.summary, True
        with self.summarised():
            self.alternatives(lambda: True, lambda: once(either))
        target.summary = before

    def _collect(self, expr: facts.Comprehension, oid: int, site: Site | None) -> None:
        value = self.evaluate(expr.element)
        if expr.key is not None:
            key = self.evaluate(expr.key)
            self.bind_element(frozenset((Ref(oid),)), key, value, site)
        else:
            self.heap.append(oid, value)

    def _walrus(self, expr: facts.Walrus) -> Value:
        value = self.evaluate(expr.value)
        self.assign(expr.target, value, None)
        return value

    @abstractmethod
    def assign(self, target: facts.Expr, value: Value, site: Site | None) -> None:
        """Bind a target; provided by the layer above."""

    def _star(self, expr: facts.Star) -> Value:
        return self.iterate(self.evaluate(expr.value), None)[1]

    def _yield(self, expr: facts.Yield) -> Value:
        value = UNKNOWN if expr.value is None else self.evaluate(expr.value)
        if self.frame is not None:
            self.frame.yields.append(value)
        return UNKNOWN

    def _opaque_expression(self, expr: facts.Opaque) -> Value:
        site = self.site(expr.at)
        values = [self.evaluate(part) for part in expr.parts]
        for value in values:
            self._operate(value, site)
        return self._derived(site, *values)


def _ends(atoms: list[Atom | None], *, backwards: bool = False) -> str:
    text = ""
    for atom in atoms:
        if isinstance(atom, Const):
            text = f"{atom.value}{text}" if backwards else f"{text}{atom.value}"
        elif isinstance(atom, Pattern):
            return atom.suffix + text if backwards else text + atom.prefix
        else:
            break
    return text


_EXPRESSIONS: dict[type, Callable[..., Value]] = {
    facts.Const: Expressions._const,
    facts.Name: Expressions._name,
    facts.Attr: Expressions._attr,
    facts.Item: Expressions._item,
    facts.Call: Expressions._call_expression,
    facts.Sequence: Expressions._sequence,
    facts.Mapping: Expressions._mapping,
    facts.Text: Expressions._text,
    facts.Binary: Expressions._binary,
    facts.Logic: Expressions._logic,
    facts.Not: Expressions._not,
    facts.Compare: Expressions._compare,
    facts.Choice: Expressions._choice,
    facts.Lambda: Expressions._lambda,
    facts.Comprehension: Expressions._comprehension,
    facts.Walrus: Expressions._walrus,
    facts.Star: Expressions._star,
    facts.Yield: Expressions._yield,
    facts.Opaque: Expressions._opaque_expression,
}
