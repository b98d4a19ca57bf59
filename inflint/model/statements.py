"""Statements, and with them the whole machine."""

from __future__ import annotations

from copy import copy
from functools import partial
from typing import TYPE_CHECKING

from inflint.model.core import Arguments, Exhausted, Terminated, join_variables, sole
from inflint.model.expressions import Expressions
from inflint.model.heap import key_of
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

    from inflint.model.frames import State
    from inflint.model.units import Site

ROUNDS = 6
"""Most passes over a loop of unknown length before its variables count as unknown."""
_MISSING = frozenset(("AttributeError", "Exception", "BaseException"))


class Machine(Expressions):
    """The abstract interpreter; see :mod:`inflint.model.core`."""

    def fork(self, *, inference_only: bool) -> Machine:
        """A machine in the same state, from where on each goes its own way."""
        other = copy(self)
        other.inference_only = inference_only
        for name, value in vars(self).items():
            if isinstance(value, (dict, list, set)):
                setattr(other, name, value.copy())
        other.heap = self.heap.fork()
        return other

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
            self._assign_name(target.id, value)
        elif isinstance(target, facts.Attr):
            self.bind_attribute(self.evaluate(target.value), target.name, value, site)
        elif isinstance(target, facts.Item):
            key = self.evaluate(target.key)
            self.bind_element(self.evaluate(target.value), key, value, site)
        elif isinstance(target, facts.Sequence):
            self._unpack(target.items, value, site)
        elif isinstance(target, facts.Star):
            self.assign(target.value, self._many(value, site), site)

    def _assign_name(self, name: str, value: Value) -> None:
        frame = self.frame
        if frame is None:
            return
        kind = frame.outside.get(name)
        if kind is None:
            frame.env[name] = value
        elif kind == "global":
            key = (str(frame.file.path), name)
            self.patches[key] = join(self.patches.get(key, frozenset()), value)
        else:
            outer = frame.closure.outer
            while outer is not None and name not in outer.env:
                outer = outer.closure.outer
            if outer is not None:
                outer.env[name] = join(outer.env[name], value)

    def _declare(self, node: facts.Declare) -> bool:
        if self.frame is not None:
            self.frame.outside.update(dict.fromkeys(node.names, node.kind))
        return True

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
        container, key = self.evaluate(target.value), key_of(self.evaluate(target.key))
        for atom in container:
            if not isinstance(atom, Ref):
                continue
            if key is not None and self.object(atom).kind == "dict":
                self.heap.set(atom.oid, key, NOTHING)
                continue
            known = key is not None and len(container) == 1 and self.heap.take(atom.oid, key)
            if not known and self.object(atom).kind in {"dict", "list"}:
                self.heap.weaken(atom.oid)

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
        test = self.test(node.test)
        known = truth(test)
        if known is not None:
            with self.following(test):
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
            elif case.wildcard and case.guard is None:
                exhaustive = True
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
        if rounds is not None:
            return self._rounds(node, target, rounds, site)

        def once() -> bool:
            self.assign(target, either, site)
            return self._round(node.body)

        self._until_stable(once)
        return self.run(node.orelse)

    def _rounds(
        self, node: facts.Loop, target: facts.Expr, rounds: list[Value], site: Site | None
    ) -> bool:
        """A loop over known elements, round by round."""
        frame = self.frame
        assert frame is not None  # noqa: S101 - statements run in frames
        outer, frame.breaks = frame.breaks, []
        mark = self.heap.mark()
        alive = True
        for value in rounds:
            self.assign(target, value, site)
            alive = self._round(node.body, mark)
            if not alive:
                break
        alive = alive and self.run(node.orelse)
        breaks, frame.breaks = frame.breaks, outer
        return self._rejoin(breaks, mark, alive=alive)

    def _round(self, body: facts.Body, loop: int | None = None) -> bool:
        """One round; ``continue`` ends it, and so does ``break`` where rounds are merged."""
        frame = self.frame
        assert frame is not None  # noqa: S101 - statements run in frames
        outer, frame.continues = frame.continues, []
        outer_breaks = frame.breaks
        if loop is None:
            frame.breaks = []
        mark = self.heap.mark()
        frame.loop, before = (mark, mark if loop is None else loop), frame.loop
        alive = self.run(body)
        frame.loop = before
        ends = frame.continues
        if loop is None:
            ends = [*ends, *frame.breaks]
            frame.breaks = outer_breaks
        frame.continues = outer
        return self._rejoin(ends, mark, alive=alive)

    def _rejoin(self, states: list[State], mark: int, *, alive: bool) -> bool:
        """Go on from wherever control comes: from here, and from some jumps."""
        frame = self.frame
        assert frame is not None  # noqa: S101 - statements run in frames
        if not states:
            return alive
        if alive:
            states = [*states, (frame.env, self.heap.writes_since(mark))]
        self.heap.undo(mark)
        self.heap.merge([writes for _, writes in states])
        frame.env = join_variables([env for env, _ in states])
        return True

    def _while(self, node: facts.Loop) -> bool:
        if truth(self.evaluate(node.iterable)) is False:
            return self.run(node.orelse)

        def once() -> bool:
            alive = self._round(node.body)
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
        raise Exhausted

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
        raise Terminated

    def _jump(self, node: facts.Jump) -> bool:
        frame = self.frame
        if frame is None or frame.loop is None:
            return True
        since_round, since_loop = frame.loop
        if node.kind == "continue":
            frame.continues.append((dict(frame.env), self.heap.writes_since(since_round)))
        else:
            frame.breaks.append((dict(frame.env), self.heap.writes_since(since_loop)))
        return False

    def _attempt(self, node: facts.Attempt) -> bool:
        catches = self._leaves(node.final) or any(
            not h.catches or {c.rpartition(".")[2] for c in h.catches} & _MISSING
            for h in node.handlers
        )
        frame = self.frame
        assert frame is not None  # noqa: S101 - statements run in frames
        states: list[State] = [(dict(frame.env), {})]
        mark = self.heap.mark()

        def body() -> bool:
            self.raised.append((frame, mark, states))
            self.catches += catches
            try:
                alive = True
                for statement in node.body:
                    alive = alive and self.run((statement,))
                    self.note_raise()
            except Terminated:
                self.note_raise()
                raise
            finally:
                self.catches -= catches
                self.raised.pop()
            return alive and self.run(node.orelse)

        def handler(clause: facts.Handler) -> bool:
            frame.env = join_variables([env for env, _ in states])
            self.heap.merge([writes for _, writes in states])
            if clause.name:
                frame.env[clause.name] = UNKNOWN
            return self.run(clause.body)

        if not node.handlers:
            try:
                alive = body()
            except Terminated:
                if self.run(node.final):
                    raise
                return False
            return self.run(node.final) and alive
        ways = [partial(handler, clause) for clause in node.handlers]
        alive = self.alternatives(body, *ways)
        return self.run(node.final) and alive

    def _leaves(self, final: facts.Body) -> bool:
        """Whether a ``finally`` certainly ends an exception by leaving the function or loop."""
        for statement in final:
            if isinstance(statement, (facts.Return, facts.Jump)):
                return True
            if isinstance(statement, facts.Branch):
                known = truth(self.test(statement.test))
                body, orelse = (self._leaves(way) for way in (statement.body, statement.orelse))
                if (body or known is False) and (orelse or known is True):
                    return True
        return False

    def _with(self, node: facts.With) -> bool:
        site = self.site(node.at)
        leaves: list[Value] = []
        swallows = catches = False
        for context, target in node.items:
            value = self.evaluate(context)
            leaves.append(value)
            origins = {self.object(a).origin for a in value if isinstance(a, Ref)}
            catches = catches or "contextlib.suppress()" in origins
            swallows = swallows or self._may_swallow(value)
            entered = self._enter(value, site)
            if target is not None:
                self.assign(target, entered, site)
        self.catches += catches
        try:
            alive = self.run(node.body)
        except Terminated:
            if not swallows:
                raise
            self.note_raise()
            alive = True
        finally:
            self.catches -= catches
        for value in leaves:
            self._method(value, "__exit__", site)
        return alive

    def _enter(self, value: Value, site: Site | None) -> Value:
        """What ``as`` binds: what ``__enter__`` returns, or a generator yields."""
        results = [self._method(value, "__enter__", site)]
        for atom in value:
            if isinstance(atom, Ref) and self.object(atom).once:
                results.append(self.heap.everything(atom.oid))
            elif not isinstance(atom, Ref) or self.object(atom).kind != "instance":
                results.append(frozenset((atom,)))
        return join(*results) or UNKNOWN

    def _method(self, value: Value, name: str, site: Site | None) -> Value:
        results: list[Value] = []
        for atom in value:
            if isinstance(atom, Ref) and self.object(atom).kind == "instance":
                method = self._inherited_of(atom, name)
                if method:
                    results.append(self._try_call(method, site))
        return join(*results)

    def _may_swallow(self, value: Value) -> bool:
        """Whether leaving a context may end an exception: unknown ones may."""
        for atom in value:
            if isinstance(atom, Ref):
                target = self.object(atom)
                origin = target.origin
                if target.kind == "instance" or (
                    target.kind == "opaque" and not self.profile.is_opaque(origin)
                ):
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
    facts.Declare: Machine._declare,
    facts.Jump: Machine._jump,
}
