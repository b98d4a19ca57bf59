"""The machine's state: heap, frames, what was read, and what names and classes mean.

The machine interprets facts abstractly: it runs constructors and entry points of one class
as Python would, follows calls into whatever source is known, takes both branches where a
condition is not known, and keeps for each value all that it may be. The layers above add
attributes (:mod:`attributes`), calls (:mod:`calls`), expressions and statements.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from inflint.model.frames import Closure, Frame
from inflint.model.heap import Heap, Object
from inflint.model.hierarchy import Class, Entry, merge, root_mro
from inflint.model.units import Site, Unit  # noqa: TC001 - NamedTuple fields
from inflint.model.universe import Definition, External, ModuleFile, Symbol
from inflint.model.values import (
    NOTHING,
    UNKNOWN,
    Atom,
    ClassRef,
    Const,
    Ext,
    FuncRef,
    ModuleRef,
    Native,
    Ref,
    Value,
    follows_mode,
    join,
    soften,
)
from inflint.syntax import facts
from inflint.syntax.headers import Assigned, Inner
from inflint.syntax.lower import LoweringError, lower_expression

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inflint.model.frames import State
    from inflint.model.profile import Profile
    from inflint.model.units import SourceFile
    from inflint.model.universe import Universe
    from inflint.syntax.headers import Scope

STEPS = 250_000
"""Steps that one class may cost before its verdict is *uncertain*: expressions, statements,
and what the heap does for them.
"""
BUILTINS = frozenset(dir(__builtins__) if not isinstance(__builtins__, dict) else __builtins__)
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*")


class Terminated(Exception):  # noqa: N818 - control flow of the analysed code, no error
    """The analysed code never gets past this point."""


class Exhausted(Exception):  # noqa: N818
    """The class is too complex to be followed to the end."""


class Arguments(NamedTuple):
    """What a call hands over; ``more`` are values of ``*args``/``**kwargs`` not sorted out."""

    positional: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()
    more: Value = frozenset()

    def every(self) -> Value:
        """All argument values together."""
        return join(*self.positional, *(v for _, v in self.keywords), self.more)


ANYTHING = Arguments(more=UNKNOWN)


@dataclass
class Read:
    """An attribute read, or a use of all that an object holds.

    Attributes:
        trail: Call sites from the entry point on, the read itself last.
        labels: Names of the functions on the way, outermost first.
        guarded: It happens only under a condition that is not known.
        caught: A missing attribute would be noticed: a default, or ``except``.
        reason: Why a use reaches everything.
    """

    trail: tuple[Site, ...]
    labels: tuple[str, ...]
    guarded: bool
    caught: bool
    reason: str = ""


@dataclass
class Recorder:
    """What was touched while it listened."""

    reads: dict[tuple[int, str], Read] = field(default_factory=dict)
    uses: dict[int, Read] = field(default_factory=dict)
    writes: dict[str, Read] = field(default_factory=dict)


class Core(ABC):
    """State, names and classes; see the module's docstring.

    Args:
        universe: Where names resolve.
        inference_only: The mode in which the module is built.
    """

    def __init__(self, universe: Universe, *, inference_only: bool) -> None:
        self.universe = universe
        self.profile: Profile = universe.profile
        self.inference_only = inference_only
        self.heap = Heap()
        self.frame: Frame | None = None
        self.recorder: Recorder | None = None
        self.demanding = False
        self.switches: set[str] = set()
        self.stage = "setup"
        self.root: int | None = None
        self.removed: frozenset[str] = frozenset()
        self.guards = 0
        self.catches = 0
        self.steps = 0
        self.ran: set[Unit] = set()
        self.constructed: set[Unit] = set()
        self.mutations: list[tuple[Site | None, str]] = []
        self.listing_since = 0
        self.evaluating = 0
        self.by_mode = 0
        self.trained = False
        self.wild: str = ""
        self.pending: list[Value] = []
        self.patches: dict[tuple[object, str], Value] = {}
        self.raised: list[tuple[Frame, int, list[State]]] = []
        self._summaries: dict[object, int] = {}
        self._assigned: dict[tuple[str, object, str], Value] = {}

    # Provided by the layers above

    @abstractmethod
    def evaluate(self, expr: facts.Expr) -> Value:
        """The value of an expression in the current frame."""

    @abstractmethod
    def run(self, body: facts.Body) -> bool:
        """Run statements in the current frame; False if they never reach the end."""

    @abstractmethod
    def call(self, callee: Value, args: Arguments, site: Site | None) -> Value:
        """Call something. Raises :class:`Terminated`."""

    # Heap

    def allocate(self, kind: str, site: Site | None, **details: object) -> Object:
        """A new object; in a loop of unknown length, one for all rounds."""
        if not self.heap.summarising:
            return self.heap.new(kind, site, **details)
        frame, path = self.frame, []
        while frame is not None:
            path.append(frame.called_at)
            frame = frame.caller
        key = (kind, site, tuple(path))
        oid = self._summaries.get(key)
        if oid is None:
            made = self.heap.new(kind, site, summary=True, **details)
            self._summaries[key] = made.oid
            return made
        return self.heap.objects[oid]

    def sequence(self, kind: str, values: list[Value], site: Site | None) -> Value:
        """A new list, tuple or set with these elements."""
        made = self.allocate(kind, site)
        for value in values:
            self.heap.append(made.oid, value)
        return frozenset((Ref(made.oid),))

    def object(self, atom: Ref) -> Object:
        """The object behind a reference."""
        return self.heap.objects[atom.oid]

    @contextmanager
    def summarised(self) -> Iterator[None]:
        """Objects made inside stand for those of every round of a loop."""
        self.heap.summarising += 1
        try:
            yield
        finally:
            self.heap.summarising -= 1

    @contextmanager
    def following(self, test: Value) -> Iterator[None]:
        """What happens inside follows from a condition, and so from the mode if that does."""
        follows = follows_mode(test)
        self.by_mode += follows
        try:
            yield
        finally:
            self.by_mode -= follows

    @contextmanager
    def permanent(self) -> Iterator[None]:
        """What is written inside outlives the branch that happened to need it first."""
        frame, self.frame = self.frame, None
        recorder, self.recorder = self.recorder, None
        summary, self.heap.summarising = self.heap.summarising, 0
        demanding, self.demanding = self.demanding, False
        journal, self.heap._journal = self.heap._journal, []
        try:
            yield
        finally:
            self.frame, self.recorder, self.demanding = frame, recorder, demanding
            self.heap.summarising, self.heap._journal = summary, journal

    def alternatives(self, *ways: Callable[[], bool]) -> bool:
        """Run each way from the present state, then join what they lead to.

        Returns whether any of them gets to its end.
        """
        frame = self.frame
        before = dict(frame.env) if frame is not None else {}
        results = []
        self.guards += 1
        for way in ways:
            mark = self.heap.mark()
            if frame is not None:
                frame.env = dict(before)
            try:
                alive = way()
            except Terminated:
                self.note_raise()
                alive = False
            if alive:
                env = frame.env if frame is not None else {}
                results.append((env, self.heap.writes_since(mark)))
            self.heap.undo(mark)
        self.guards -= 1
        self.heap.work += len(before) // 8
        if frame is not None:
            frame.env = before if not results else join_variables([env for env, _ in results])
        self.heap.merge([writes for _, writes in results])
        return bool(results)

    def note_raise(self) -> None:
        """Keep the present state for the handlers of the ``try`` in progress."""
        if self.raised:
            frame, mark, states = self.raised[-1]
            states.append((dict(frame.env), self.heap.writes_since(mark)))

    # Recording

    def record_read(self, oid: int, name: str, site: Site | None) -> None:
        """Note that an attribute was read."""
        if self.recorder is not None and site is not None:
            known = self.recorder.reads.get((oid, name))
            if known is None or self._stronger(known):
                self.recorder.reads[oid, name] = self._read(site, "")

    def use(self, oid: int, site: Site | None, reason: str) -> None:
        """Note that everything below an object may be read."""
        if self.recorder is None or not self.demanding or site is None:
            return
        if oid not in self.recorder.uses:
            self.recorder.uses[oid] = self._read(site, reason)

    def record_write(self, name: str, site: Site) -> None:
        """Note that inference binds an attribute of the module."""
        if self.recorder is not None and name not in self.recorder.writes:
            self.recorder.writes[name] = self._read(site, "inference binds it")

    def _stronger(self, known: Read) -> bool:
        return (known.guarded, known.caught) > (self.guards > 0, self.catches > 0)

    def _read(self, site: Site, reason: str) -> Read:
        trail, labels = [site], []
        frame = self.frame
        while frame is not None:
            labels.append(frame.closure.label)
            if frame.called_at is not None and frame.caller is not None:
                trail.append(frame.called_at)
            frame = frame.caller
        return Read(
            tuple(reversed(trail)),
            tuple(reversed(labels)),
            self.guards > 0,
            self.catches > 0,
            reason,
        )

    def step(self) -> None:
        """Count one step of work. Raises :class:`Exhausted`."""
        self.steps += 1
        if self.steps + self.heap.work > STEPS:
            raise Exhausted

    # Names

    def name(self, identifier: str) -> Value:
        """What a free name of the current code means."""
        frame = self.frame
        if frame is None:
            return UNKNOWN
        outer = frame.closure.outer
        while outer is not None:
            if identifier in outer.env:
                return soften(outer.env[identifier])  # it may be bound anew before this runs
            outer = outer.closure.outer
        patched = self.patches.get((str(frame.file.path), identifier), frozenset())
        symbols = self.universe.lookup(frame.file, frame.chain, identifier)
        if symbols:
            return join(patched, *(self.symbol(s) for s in symbols))
        if patched:
            return patched
        if identifier in BUILTINS:
            return frozenset((Native(identifier, None),))
        return UNKNOWN

    def symbol(self, symbol: Symbol) -> Value:
        """The value behind a resolved name."""
        if isinstance(symbol, External):
            return frozenset((Ext(symbol.name),))
        if isinstance(symbol, ModuleFile):
            return frozenset((ModuleRef(symbol.file),))
        return self.definition(symbol, None)

    def definition(self, found: Definition, owner: Class | None) -> Value:
        """The value of a class, function or assignment."""
        scope = found.scope
        if scope is None:
            return self._assignment(found, owner)
        if scope.kind == "class":
            return frozenset((ClassRef(self.class_at(found.file, (*found.chain, scope))),))
        closure = self.closure_at(found, scope, owner)
        if closure is None:
            return UNKNOWN
        return join(self._decorated(closure, scope), *self._variants(found, scope, owner))

    def _variants(self, found: Definition, scope: Scope, owner: Class | None) -> Iterator[Value]:
        """Functions that are registered with this one, as for single dispatch."""
        for index, other in enumerate(found.chain[-1].scopes):
            if any(d.startswith(f"{scope.name}.register") for d in other.decorators):
                variant = found._replace(name=other.name, binding=Inner(index))
                closure = self.closure_at(variant, other, owner)
                if closure is not None:
                    yield frozenset((FuncRef(closure),))

    def closure_at(self, found: Definition, scope: Scope, owner: Class | None) -> Closure | None:
        """The function of a ``def``, or None where its body cannot be read."""
        key = (str(found.file.path), scope.span.line, scope.span.column)
        if key not in self.universe.closures:
            label = f"{owner.name}.{scope.name}" if owner is not None else scope.name
            name = owner.name if owner is not None else None
            unit = found.file.function(scope, name, label)
            chain = (*found.chain, scope)
            try:
                closure = Closure(unit.function, unit, chain, owner, None, label)
            except LoweringError as error:
                line = scope.span.line + error.line - 1
                self.universe.errors.setdefault(found.file.path, (str(error), line, 1))
                self.universe.closures[key] = None
            else:
                self.universe.closures[key] = closure
        return self.universe.closures[key]

    def methods(self, cls: Class) -> Iterator[Closure]:
        """All functions in the bodies of a class and its known bases."""
        for owner in cls.classes():
            for scope in owner.scope.scopes:
                if scope.kind == "function":
                    for found in owner.own(scope.name):
                        if found.scope is scope:
                            closure = self.closure_at(found, scope, owner)
                            if closure is not None:
                                yield closure

    def _decorated(self, closure: Closure, scope: Scope) -> Value:
        """Apply those decorators whose source is known; others are taken to pass through."""
        value: Value = frozenset((FuncRef(closure),))
        for text in reversed(scope.decorators):
            head = _DOTTED.match(text)
            if head is None or head[0].rpartition(".")[2] in {"setter", "getter", "deleter"}:
                continue
            with self.permanent(), self.inside(closure, closure.chain[:-1]):
                known = self.evaluate(expression_of(head[0]))
                if not any(isinstance(a, (FuncRef, ClassRef)) for a in known):
                    continue
                decorator = known if head[0] == text else self.evaluate(expression_of(text))
                try:
                    value = join(value, self.call(decorator, Arguments((value,)), None))
                except Terminated:
                    continue
        return value

    @contextmanager
    def inside(self, closure: Closure, chain: tuple[Scope, ...]) -> Iterator[None]:
        """Evaluate as if standing in ``chain``, in the unit of ``closure``."""
        stand_in = Closure(closure.function, closure.unit, chain, closure.owner, None, "")
        outer = self.frame
        self.frame = Frame(stand_in, {}, UNKNOWN, None, None, self.heap.mark())
        try:
            yield
        finally:
            self.frame = outer

    def _assignment(self, found: Definition, owner: Class | None) -> Value:
        assert isinstance(found.binding, Assigned)  # noqa: S101 - the other case returned above
        key = (str(found.file.path), found.binding.span, found.name)
        if key not in self._assigned:
            self._assigned[key] = UNKNOWN  # what it refers to itself by is not known
            self._assigned[key] = self._run_assignment(found, found.binding, owner)
        return self._assigned[key]

    def _run_assignment(self, found: Definition, binding: Assigned, owner: Class | None) -> Value:
        where = found.chain[-1]
        label = owner.name if owner is not None else found.file.module
        unit = found.file.statement(binding.span, owner.name if owner else None, label)
        try:
            body = unit.body
        except LoweringError:
            return UNKNOWN
        nobody = facts.Function(found.name, (), (), body, generator=False, at=0)
        closure = Closure(nobody, unit, found.chain, owner, None, label)
        first = len(self.heap.objects)
        with self.permanent(), self.inside(closure, found.chain):
            assert self.frame is not None  # noqa: S101
            try:
                self.run(body)
            except Terminated:
                return UNKNOWN
            value = self.frame.env.get(found.name, UNKNOWN)
        for made in self.heap.objects[first:]:
            made.shared = where.kind if where.kind in {"module", "class"} else made.shared
        return soften(value)

    # Classes

    def class_at(self, file: SourceFile, chain: tuple[Scope, ...]) -> Class:
        """The class of a scope, with its MRO."""
        span = chain[-1].span
        key = (str(file.path), span.line, span.column)
        if key not in self.universe.classes:
            made = self.universe.classes[key] = Class(file, chain)
            made.mro = (made,)
            self._resolve_bases(made)
        return self.universe.classes[key]

    def _note_tampering(self, cls: Class) -> None:
        """Reasons why a class may not do what its body and its bases say."""
        for hook in ("__setattr__", "__getattribute__", "__init_subclass__", "__new__"):
            for owner in cls.classes():
                if owner.own(hook) and not self.universe.is_installed(owner.file):
                    cls.unknown.append(f"{owner.name} defines {hook}")
        for keyword in cls.scope.keywords:
            name, _, text = keyword.partition("=")
            if name == "metaclass" and text.rpartition(".")[2] not in {"ABCMeta", "type"}:
                cls.unknown.append(f"its metaclass is {text}")
        if any(n.partition(".")[0] == cls.name and "." in n for n in cls.chain[-2].bindings):
            cls.unknown.append("its methods are replaced outside its body")
        for text in cls.scope.decorators:
            head = _DOTTED.match(text)
            with self.permanent(), self.standing_in(cls):
                known = self.evaluate(expression_of(head[0])) if head else UNKNOWN
            if any(isinstance(a, (FuncRef, ClassRef)) and not self._is_library(a) for a in known):
                cls.unknown.append(f"the decorator {text} may change it")

    def _is_library(self, atom: FuncRef | ClassRef) -> bool:
        file = atom.closure.file if isinstance(atom, FuncRef) else atom.info.file
        return self.universe.is_installed(file)

    @contextmanager
    def standing_in(self, cls: Class) -> Iterator[None]:
        """Evaluate as the ``class`` statement would."""
        nobody = facts.Function(cls.name, (), (), (), generator=False, at=0)
        unit = cls.file.head(cls.scope, cls.name)
        closure = Closure(nobody, unit, cls.chain[:-1], None, None, cls.name)
        with self.inside(closure, cls.chain[:-1]):
            yield

    def _resolve_bases(self, cls: Class) -> None:
        sequences: list[list[Entry]] = []
        direct: list[Entry] = []
        for text in cls.scope.bases:
            with self.permanent(), self.standing_in(cls):
                entry = self._entry(text)
            if entry is None:
                continue
            if entry is cls or (isinstance(entry, Class) and cls in entry.mro):
                cls.unknown.append(f"{text} inherits from itself")
                continue
            direct.append(entry)
            sequences.append(self._entry_mro(entry, cls))
        merged = merge([*sequences, direct])
        if merged is None:
            cls.unknown.append("its bases have no consistent method resolution order")
            merged = list(dict.fromkeys(e for s in sequences for e in s))
        cls.bases = tuple(direct)
        cls.mro = (cls, *merged)
        self._note_tampering(cls)

    def _entry_mro(self, entry: Entry, cls: Class) -> list[Entry]:
        if isinstance(entry, Class):
            cls.unknown.extend(entry.unknown)
            return list(entry.mro)
        if not isinstance(entry, str):
            return root_mro(entry, self.profile)
        if entry in self.profile.api_names or self._inert(entry):
            return [entry]
        if self.profile.factory(f"{entry}()") is not None:
            torch = next(r for r in self.profile.roots if r.torch_module)
            return [entry, *root_mro(torch, self.profile)]
        cls.unknown.append(f"the base class {entry} cannot be read")
        return [entry]

    def _inert(self, name: str) -> bool:
        top = name.partition(".")[0]
        return top in self.universe.environment.standard_library or self.profile.is_inert_base(name)

    def is_foreign(self, entry: Entry) -> bool:
        """Whether an MRO entry may bring methods that cannot be read."""
        return (
            isinstance(entry, str)
            and entry not in self.profile.api_names
            and not self._inert(entry)
        )

    def _entry(self, text: str) -> Entry | None:
        if text.startswith("*"):
            return text
        value = self.evaluate(expression_of(text.partition("[")[0]))
        candidates: list[Entry] = []
        for atom in value:
            if isinstance(atom, ClassRef):
                candidates.append(atom.info)
            elif isinstance(atom, Ext):
                root = self.profile.root_by_name.get(atom.name)
                api = self.profile.api_names
                candidates.append(root or (api[0] if atom.name in api else atom.name))
            elif isinstance(atom, Native) and atom.name in {"object", "type"}:
                return None
        if not candidates:
            return text.partition("[")[0].strip()
        return min(candidates, key=_preference)


def _preference(entry: Entry) -> tuple[int, str]:
    if isinstance(entry, Class):
        return 1, entry.dotted
    return (2, entry) if isinstance(entry, str) else (0, entry.name)


def join_variables(envs: list[dict[str, Value]]) -> dict[str, Value]:
    """Local variables where several ways meet."""
    first, *rest = envs
    if not rest:
        return first
    names = dict.fromkeys(name for env in envs for name in env)
    return {name: join(*(env.get(name, NOTHING) for env in envs)) for name in names}


def expression_of(text: str) -> facts.Expr:
    """Lower a short expression; plain dotted names need no parser."""
    if _DOTTED.fullmatch(text):
        first, *rest = (part.strip() for part in text.split("."))
        expr: facts.Expr = facts.Name(0, first)
        for part in rest:
            expr = facts.Attr(0, expr, part)
        return expr
    try:
        return lower_expression(text)
    except LoweringError:
        return facts.Opaque(0, ())


def texts_of(value: Value) -> list[tuple[str, Site | None]]:
    """The strings among a value's atoms, with where they were written."""
    found = [(a.value, a.site) for a in value if isinstance(a, Const) and isinstance(a.value, str)]
    return sorted(found, key=lambda pair: pair[0])


def sole(value: Value) -> Atom | None:
    """The only atom of a value."""
    return next(iter(value)) if len(value) == 1 else None
