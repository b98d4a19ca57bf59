"""Statements, and with them the whole machine."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inflint.model.core import Arguments, Terminated, sole
from inflint.model.expressions import Expressions
from inflint.model.universe import Definition
from inflint.model.values import (
    NONE,
    NOTHING,
    UNKNOWN,
    ClassRef,
    Const,
    FuncRef,
    Pattern,
    Ref,
    Value,
    join,
    truth,
)
from inflint.syntax import facts
from inflint.syntax.headers import Imported, Inner

if TYPE_CHECKING:
    from collections.abc import Callable

    from inflint.model.units import Site

ROUNDS = 6
"""Most passes over a loop of unknown length before its variables count as unknown."""
_MISSING = frozenset(("AttributeError", "Exception", "BaseException"))


class Machine(Expressions):
    """The abstract interpreter; see :mod:`inflint.model.core`."""

    def run(self, body: facts.Body) -> bool:
        """Run statements in order; False if they never reach the end."""
        for statement in body:
            self.step()
            if not _STATEMENTS[type(statement)](self, statement):
                return False
        return True

    # Binding

    def _assign(self, node: facts.Assign) -> bool:
        value = self.evaluate(node.value)
        for target in node.targets:
            self.assign(target, value, self.site(node.at))
        return True

    def assign(self, target: facts.Expr, value: Value, site: Site | None) -> None:
        """Bind a target."""
        if isinstance(target, facts.Name):
            if self.frame is not None:
                self.frame.env[target.id] = value
        elif isinstance(target, facts.Attr):
            self.bind_attribute(self.evaluate(target.value), target.name, value, site)
        elif isinstance(target, facts.Item):
            key = self.evaluate(target.key)
            self.bind_element(self.evaluate(target.value), key, value, site)
        elif isinstance(target, facts.Sequence):
            self._unpack(target.items, value, site)
        elif isinstance(target, facts.Star):
            self.assign(target.value, self._many(value, site), site)

    def _unpack(self, targets: tuple[facts.Expr, ...], value: Value, site: Site | None) -> None:
        rounds, either = self.iterate(value, site)
        starred = [i for i, t in enumerate(targets) if isinstance(t, facts.Star)]
        if rounds is not None and starred:
            head, tail = starred[0], len(targets) - starred[0] - 1
            middle = rounds[head : len(rounds) - tail]
            packed = self.sequence("list", middle, site)
            rounds = [*rounds[:head], packed, *rounds[len(rounds) - tail :]]
            targets = tuple(t.value if isinstance(t, facts.Star) else t for t in targets)
        if rounds is None or len(rounds) != len(targets):
            if self._are_opaque(value):
                either = UNKNOWN
            for target in targets:
                self.assign(target, either, site)
            return
        for target, element in zip(targets, rounds, strict=True):
            self.assign(target, element, site)

    def _are_opaque(self, value: Value) -> bool:
        atom = sole(value)
        return isinstance(atom, Ref) and self.object(atom).kind == "opaque"

    def _augment(self, node: facts.Augment) -> bool:
        site = self.site(node.at)
        before = self.evaluate(node.target)
        value = self.evaluate(node.value)
        atom = sole(before)
        if node.op == "+" and isinstance(atom, Ref) and self.object(atom).kind == "list":
            self._mutates(atom, site)
            self.extend(atom, value, site)
            self.assign(node.target, before, site)
            return True
        self.assign(node.target, self.add(node.op, before, value, site), site)
        return True

    def _evaluate_statement(self, node: facts.Evaluate) -> bool:
        self.evaluate(node.value)
        return True

    def _delete(self, node: facts.Delete) -> bool:
        for target in node.targets:
            if isinstance(target, facts.Attr):
                self.delete_attribute(self.evaluate(target.value), target.name)
            elif isinstance(target, facts.Name) and self.frame is not None:
                self.frame.env[target.id] = NOTHING
            elif isinstance(target, facts.Item):
                self._delete_item(target)
        return True

    def _delete_item(self, target: facts.Item) -> None:
        container, key = self.evaluate(target.value), sole(self.evaluate(target.key))
        if isinstance(key, Const):
            for atom in container:
                if isinstance(atom, Ref) and self.object(atom).kind == "dict":
                    self.heap.set(atom.oid, str(key.value), NOTHING)

    def _define(self, node: facts.Define) -> bool:
        value = self.closure(node.function)
        for decorator in reversed(node.function.decorators):
            wrapper = self.evaluate(decorator)
            value = self._wrap(wrapper, value)
        if self.frame is not None:
            self.frame.env[node.function.name] = value
        return True

    def _wrap(self, wrapper: Value, value: Value) -> Value:
        if not any(isinstance(a, (FuncRef, ClassRef)) for a in wrapper):
            return value
        try:
            return join(value, self.call(wrapper, Arguments((value,)), None))
        except Terminated:
            return value

    def _define_class(self, node: facts.DefineClass) -> bool:
        frame = self.frame
        if frame is None:
            return True
        bindings = frame.chain[-1].bindings.get(node.name, ())
        inner = [b for b in bindings if isinstance(b, Inner)]
        values = [
            self.definition(Definition(frame.file, frame.chain, node.name, b), None) for b in inner
        ]
        frame.env[node.name] = join(*values) or UNKNOWN
        return True

    def _import(self, node: facts.Import) -> bool:
        frame = self.frame
        if frame is not None:
            for name, module, attribute, level in node.names:
                found = self.universe.imported(Imported(module, attribute, level), frame.file)
                frame.env[name] = join(*(self.symbol(s) for s in found)) or UNKNOWN
        return True

    # Control flow

    def _branch(self, node: facts.Branch) -> bool:
        known = truth(self.evaluate(node.test))
        if known is not None:
            return self.run(node.body if known else node.orelse)
        return self.alternatives(lambda: self.run(node.body), lambda: self.run(node.orelse))

    def _match(self, node: facts.Match) -> bool:
        subject = self.evaluate(node.subject)
        atom = sole(subject)
        known = atom if isinstance(atom, Const) and atom.firm else None
        ways: list[Callable[[], bool]] = []
        exhaustive = False
        for case in node.cases:
            if known is not None and case.literals is not None:
                if known.value not in [c.value for c in case.literals]:
                    continue
                if case.guard is None:
                    exhaustive = True
            elif case.literals is None and case.binds == () and case.guard is None:
                exhaustive = exhaustive or known is not None
            ways.append(lambda case=case: self._case(case, subject))  # type: ignore[misc]
            if exhaustive:
                break
        if not exhaustive:
            ways.append(lambda: True)
        if len(ways) == 1:
            return ways[0]()
        return self.alternatives(*ways)

    def _case(self, case: facts.Case, subject: Value) -> bool:
        if self.frame is not None:
            for name in case.binds:
                self.frame.env[name] = join(UNKNOWN, subject)
        if case.guard is not None and truth(self.evaluate(case.guard)) is False:
            return True
        return self.run(case.body)

    def _loop(self, node: facts.Loop) -> bool:
        site = self.site(node.at)
        if node.target is None:
            return self._while(node)
        rounds, either = self.iterate(self.evaluate(node.iterable), site)
        target = node.target
        if rounds is not None and not _leaves_early(node.body):
            for value in rounds:
                self.assign(target, value, site)
                if not self.run(node.body):
                    return False
            return self.run(node.orelse)

        def once() -> bool:
            self.assign(target, either, site)
            return self.run(node.body)

        self._until_stable(once)
        return self.run(node.orelse)

    def _while(self, node: facts.Loop) -> bool:
        if truth(self.evaluate(node.iterable)) is False:
            return self.run(node.orelse)

        def once() -> bool:
            alive = self.run(node.body)
            self.evaluate(node.iterable)
            return alive

        self._until_stable(once)
        return self.run(node.orelse)

    def _until_stable(self, once: Callable[[], bool]) -> None:
        """Run a body until another round would change nothing."""
        frame = self.frame
        assert frame is not None  # noqa: S101 - statements run in frames
        with self.summarised():
            for count in range(ROUNDS):
                env, mark = dict(frame.env), self.heap.mark()
                self.alternatives(lambda: True, once)
                if frame.env == env and not self.heap.writes_since(mark):
                    return
                if count >= 2:
                    self._widen(env)

    def _widen(self, before: dict[str, Value]) -> None:
        frame = self.frame
        assert frame is not None  # noqa: S101 - statements run in frames
        for name, value in frame.env.items():
            if before.get(name) != value:
                kept = (a for a in value if not isinstance(a, (Const, Pattern)))
                frame.env[name] = join(UNKNOWN, frozenset(kept))

    def _return(self, node: facts.Return) -> bool:
        value = NONE if node.value is None else self.evaluate(node.value)
        frame = self.frame
        if frame is not None:
            frame.returns.append(value)
            frame.exits.append(self.heap.writes_since(frame.mark))
        return False

    def _raise(self, node: facts.Raise) -> bool:
        for part in node.parts:
            self.evaluate(part)
        return False

    def _jump(self, node: facts.Jump) -> bool:  # noqa: ARG002
        return True  # what follows may run in another round

    def _attempt(self, node: facts.Attempt) -> bool:
        catches = any(
            not h.catches or {c.rpartition(".")[2] for c in h.catches} & _MISSING
            for h in node.handlers
        )

        def body() -> bool:
            self.catches += catches
            try:
                alive = self.run(node.body)
            finally:
                self.catches -= catches
            return alive and self.run(node.orelse)

        def handler(clause: facts.Handler) -> bool:
            self._interrupted(node.body)
            if self.frame is not None and clause.name:
                self.frame.env[clause.name] = UNKNOWN
            return self.run(clause.body)

        if not node.handlers:
            alive = self._finally(body)
        else:
            ways = [partial(handler, clause) for clause in node.handlers]
            alive = self.alternatives(body, *ways)
        return self.run(node.final) and alive

    def _finally(self, body: Callable[[], bool]) -> bool:
        try:
            return body()
        except Terminated:
            return False

    def _interrupted(self, body: facts.Body) -> None:
        """Some of a ``try`` block may have happened when a handler runs."""
        for statement in body[:-1]:
            self.alternatives(lambda: True, partial(self.run, (statement,)))

    def _with(self, node: facts.With) -> bool:
        for context, target in node.items:
            value = self.evaluate(context)
            if target is not None:
                self.assign(target, value, self.site(node.at))
        return self.run(node.body)


def _leaves_early(body: facts.Body) -> bool:
    """Whether a loop body can leave the loop, so that rounds need not all happen."""
    for node in body:
        if isinstance(node, (facts.Return, facts.Jump, facts.Raise)):
            return True
        if isinstance(node, facts.Branch) and (
            _leaves_early(node.body) or _leaves_early(node.orelse)
        ):
            return True
        if isinstance(node, (facts.With, facts.Attempt)) and _leaves_early(node.body):
            return True
    return False


_STATEMENTS: dict[type, Callable[..., bool]] = {
    facts.Assign: Machine._assign,
    facts.Augment: Machine._augment,
    facts.Evaluate: Machine._evaluate_statement,
    facts.Branch: Machine._branch,
    facts.Loop: Machine._loop,
    facts.Return: Machine._return,
    facts.Raise: Machine._raise,
    facts.Delete: Machine._delete,
    facts.Attempt: Machine._attempt,
    facts.With: Machine._with,
    facts.Match: Machine._match,
    facts.Define: Machine._define,
    facts.DefineClass: Machine._define_class,
    facts.Import: Machine._import,
    facts.Jump: Machine._jump,
}
