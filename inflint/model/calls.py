"""Calling things: functions, classes, modules, the framework, and what is not known."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from inflint.model.attributes import bind
from inflint.model.core import Arguments, Exhausted, Recorder, Terminated
from inflint.model.elements import Elements
from inflint.model.frames import Closure, Frame
from inflint.model.heap import ANY
from inflint.model.hierarchy import Class, root_mro
from inflint.model.profile import Root
from inflint.model.values import (
    NONE,
    UNKNOWN,
    Atom,
    Bound,
    ClassRef,
    Const,
    Ext,
    FuncRef,
    Native,
    Ref,
    Reflect,
    RootMethod,
    Value,
    join,
    ordered,
)

if TYPE_CHECKING:
    from inflint.model.units import Site
    from inflint.syntax import facts

DEPTH = 60
"""Most calls in progress; a class that needs more is too complex to be followed."""
_HANDED = "it is handed to code that is not known"
_DICTS = frozenset(("collections.OrderedDict", "collections.UserDict"))


class Calls(Elements):
    """Dispatch of calls."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self._active: list[tuple[Closure, Arguments]] = []
        self._results: dict[object, tuple[int, Value | None]] = {}

    @abstractmethod
    def native(self, name: str, receiver: Atom | None, args: Arguments, site: Site | None) -> Value:
        """A builtin or modelled method; provided by a layer above."""

    def call(self, callee: Value, args: Arguments, site: Site | None) -> Value:
        """Call each thing that ``callee`` may be, and join what they return.

        Raises:
            Terminated: None of them returns.
        """
        self.step()
        if len(callee) == 1:
            (atom,) = callee
            return self._call(atom, args, site)
        results: list[Value] = []

        def one(atom: Atom) -> bool:
            results.append(self._call(atom, args, site))
            return True

        ways = [lambda a=a: one(a) for a in ordered(callee)]
        if not ways:
            return UNKNOWN
        if not self.alternatives(*ways):
            raise Terminated
        return join(*results)

    def _call(self, atom: Atom, args: Arguments, site: Site | None) -> Value:
        if isinstance(atom, FuncRef):
            return self.invoke(atom.closure, args, site)
        if isinstance(atom, Bound):
            first: Value = frozenset((atom.receiver,))
            positional = (first, *args.positional)
            return self.invoke(atom.closure, args._replace(positional=positional), site)
        if isinstance(atom, ClassRef):
            return self.instantiate(atom.info, args, site)
        if isinstance(atom, Ref):
            return self._call_object(atom, args, site)
        if isinstance(atom, RootMethod):
            return self._call_root(atom.root, atom.name, atom.receiver, args, site)
        if isinstance(atom, Native):
            return self.native(atom.name, atom.receiver, args, site)
        if isinstance(atom, Ext):
            return self._call_external(atom.name, args, site)
        if isinstance(atom, Reflect):
            self.use(atom.oid, site, "its parts are called")
        made = self.unknown(site, _HANDED, args.every())
        if made == UNKNOWN and not self.demanding:
            return self._opaque("unknown()", args, site)
        if not self.demanding:
            self._remember(args.every())
        return made

    def _remember(self, value: Value) -> None:
        """Functions that unknown code may have stored, and may call at any time."""
        found = frozenset(a for a in value if isinstance(a, (Bound, FuncRef)))
        if found:
            self.pending.append(found)

    # Functions

    def invoke(self, closure: Closure, args: Arguments, site: Site | None) -> Value:
        """Run a function. Raises :class:`Terminated`."""
        same = sum(1 for c, a in self._active if c is closure and a == args)
        if same:
            return UNKNOWN
        if len(self._active) > DEPTH:
            raise Exhausted
        if self.demanding and closure.outer is None and self._is_idle(closure, args):
            return UNKNOWN
        if closure.outer is not None:
            return self._run_active(closure, args, site)  # its variables may have changed
        key = (closure, args, self.guards > 0, self.catches > 0, self.recorder)
        known = self._results.get(key)
        if known is not None and known[0] == self.heap.version:
            if known[1] is None:
                raise Terminated
            return known[1]
        before = self.heap.version
        try:
            result = self._run_active(closure, args, site)
        except Terminated:
            if before == self.heap.version:
                self._results[key] = (before, None)
            raise
        if before == self.heap.version:
            self._results[key] = (before, result)
        return result

    def _run_active(self, closure: Closure, args: Arguments, site: Site | None) -> Value:
        self._active.append((closure, args))
        try:
            return self._run_function(closure, args, site)
        finally:
            self._active.pop()

    def _is_idle(self, closure: Closure, args: Arguments) -> bool:
        """Whether a library's function gets nothing through which it could reach anything."""
        return self.universe.is_installed(closure.file) and not self.carries(args.every())

    def _run_function(self, closure: Closure, args: Arguments, site: Site | None) -> Value:
        outer = self.frame
        receiver = args.positional[0] if args.positional else UNKNOWN
        frame = Frame(closure, {}, receiver, site, outer, self.heap.mark())
        self.ran.add(closure.unit)
        self._bind_parameters(frame, args)
        self.frame = frame
        try:
            alive = self.run(closure.function.body)
        except Terminated:
            alive = False
        finally:
            self.frame = outer
        if not alive and not frame.exits:
            raise Terminated
        if frame.exits:
            ends = [*frame.exits, *([self.heap.writes_since(frame.mark)] if alive else [])]
            self.heap.undo(frame.mark)
            self.heap.merge(ends)
        if closure.function.generator:
            made = self.allocate("list", site, once=True)
            self.heap.set(made.oid, ANY, join(*frame.yields))
            return frozenset((Ref(made.oid),))
        if alive:
            frame.returns.append(NONE)
        return join(*frame.returns)

    def _bind_parameters(self, frame: Frame, args: Arguments) -> None:
        positional = list(args.positional)
        keywords = dict(args.keywords)
        for param in frame.closure.function.params:
            if param.kind == "star":
                frame.env[param.name] = self._rest(positional, args, frame.called_at)
                positional = []
            elif param.kind == "double":
                frame.env[param.name] = self._keywords(keywords, args, frame.called_at)
            elif param.kind == "positional" and positional:
                frame.env[param.name] = positional.pop(0)
            elif param.name in keywords:
                frame.env[param.name] = keywords.pop(param.name)
            else:
                default = self._parameter_default(frame, param)
                value = join(args.more, default) if args.more else default
                frame.env[param.name] = value or UNKNOWN

    def _rest(self, values: list[Value], args: Arguments, site: Site | None) -> Value:
        made = self.sequence("tuple", values, site)
        if args.more:
            (ref,) = made
            assert isinstance(ref, Ref)  # noqa: S101 - sequence() returns one reference
            self.heap.set(ref.oid, ANY, args.more)
        return made

    def _keywords(self, keywords: dict[str, Value], args: Arguments, site: Site | None) -> Value:
        made = self.allocate("dict", site)
        for name, value in keywords.items():
            self.heap.set(made.oid, name, value)
        if args.more:
            self.heap.set(made.oid, ANY, args.more)
        return frozenset((Ref(made.oid),))

    def _parameter_default(self, frame: Frame, param: facts.Param) -> Value:
        if param.default is None:
            return frozenset()
        closure = frame.closure
        if closure.outer is not None:
            return closure.defaults.get(param.name, UNKNOWN)
        with self.inside(closure, closure.chain[:-1]):
            value = self.evaluate(param.default)
        for atom in value:
            if isinstance(atom, Ref):
                self.object(atom).shared = "default"  # one object for all calls
        return value

    # Classes and objects

    def instantiate(self, cls: Class, args: Arguments, site: Site | None) -> Value:
        """Make an instance and run its constructor. Raises :class:`Terminated`."""
        made = self.allocate("instance", site, cls=cls)
        if made.cls is not cls:
            made = self.heap.new("instance", site, cls=cls)
        self.construct(Ref(made.oid), cls, args, site)
        return frozenset((Ref(made.oid),))

    def construct(self, ref: Ref, cls: Class, args: Arguments, site: Site | None) -> None:
        """Run the constructor of ``cls`` on an object. Raises :class:`Terminated`."""
        method = self._inherited(cls.mro, "__init__", ref, site)
        if any(isinstance(a, (Bound, RootMethod)) for a in method):
            self.call(method, args, site)
            return
        self._keep(ref.oid, args.every())
        for name, value in args.keywords:  # dataclasses, named tuples
            self.set_slot(ref.oid, name, value, site)
        after = self._inherited_of(ref, "__post_init__")
        if after:
            self.call(after, Arguments(), site)

    def _call_object(self, atom: Ref, args: Arguments, site: Site | None) -> Value:
        target = self.object(atom)
        for hook in ordered(target.hooks):
            self._try_call(frozenset((hook,)), site)
        if target.kind == "instance" and target.cls is not None:
            return self._call_instance(atom, target.cls, args, site)
        if target.factory is not None and target.factory.container == "sequence":
            value = args.every()
            for name, layer in self.heap.slots(atom.oid).items():
                self.record_read(atom.oid, name, site)
                value = self.call(layer, Arguments((value or UNKNOWN,)), site)
            return value
        if target.deferred is not None:
            return self.call(target.deferred.positional[0], target.deferred.before(args), site)
        self.escape(frozenset((atom,)), site, "it is called")
        self.escape(args.every(), site, _HANDED)
        if self.demanding:
            return UNKNOWN
        if target.parent is not None:
            self._keep(target.parent, args.every())
            self._remember(args.every())
        made = self._opaque(f"{target.origin}()", args, site)
        for ref in made:
            if isinstance(ref, Ref) and self.object(ref).factory is None:
                self._keep(ref.oid, frozenset((atom,)))
        return made

    def _call_instance(self, atom: Ref, cls: Class, args: Arguments, site: Site | None) -> Value:
        if cls.unknown and atom.oid != self.root:
            self.escape(frozenset((atom,)), site, cls.unknown[0])
        for name in ("__call__", *(r.call for r in cls.roots() if r.call)):
            method = self._inherited(cls.mro, name, atom, site)
            found = frozenset(a for a in method if isinstance(a, (Bound, Native)))
            own = self._slot(atom.oid, name)
            if own is not None:
                return self.call(own, args, site)
            if found:
                return self.call(found, args, site)
        self.escape(frozenset((atom,)), site, "it is called")
        return self.unknown(site, _HANDED, args.every(), frozenset((atom,)))

    # The framework

    def _call_root(
        self, root: Root, name: str, receiver: Atom, args: Arguments, site: Site | None
    ) -> Value:
        if name == "__init__":
            return self._construct_root(root, receiver, site)
        if name in root.raises:
            raise Terminated
        if name == "__call__" and isinstance(receiver, Ref):
            return self._call_object(receiver, args, site)
        if name not in root.methods or not isinstance(receiver, Ref):
            return UNKNOWN
        results: list[Value] = []
        evaluates = bool(self.profile.recursive_methods.keys() & set(root.methods[name]))
        self.evaluating += evaluates
        try:
            results.extend(
                self._root_step(root, target, receiver, args, site) for target in root.methods[name]
            )
        finally:
            self.evaluating -= evaluates
        return join(*results) or UNKNOWN

    def _root_step(
        self, root: Root, target: str, receiver: Ref, args: Arguments, site: Site | None
    ) -> Value:
        """One thing that a method of a framework base does: call, read, or return itself."""
        this: Value = frozenset((receiver,))
        if target == "self":
            return this
        value = self.attribute(this, target, site)
        if target in root.attributes:
            return value
        functions = frozenset(a for a in value if is_function(a))
        return self.call(functions, args, site) if functions else value

    def _construct_root(self, root: Root, receiver: Atom, site: Site | None) -> Value:
        if isinstance(receiver, Ref) and root.init_calls:
            first: Value = frozenset((receiver,))
            for name in root.init_calls:
                method = self.attribute(first, name, site)
                if any(is_function(a) and not isinstance(a, RootMethod) for a in method):
                    self.call(method, Arguments(), site)
            if receiver.oid == self.root:
                self.stage = "late"  # what follows in __init__ comes after the removal
                self.recorder = Recorder()
        return NONE

    # What is not known

    def _call_external(self, name: str, args: Arguments, site: Site | None) -> Value:
        owner, _, method = name.rpartition(".")
        root = self.profile.root_by_name.get(owner)
        if root is not None and args.positional:
            return self._call_root_on(root, method, args, site)
        if name in _DICTS:
            return self.native("dict", None, args, site)
        if name == "types.MethodType" and len(args.positional) == 2:
            function, receiver = args.positional
            return join(*(bind(function, atom) for atom in receiver))
        if name == "operator.attrgetter" and not args.keywords and len(args.positional) == 1:
            wanted = args.positional[0]
            if all(isinstance(a, Const) and isinstance(a.value, str) for a in wanted):
                return frozenset(Native(name, a) for a in wanted)
        if name == "functools.partial":
            return self._deferred(name, args, site)
        call = f"{name}()"
        if call in self.profile.returns:
            names = self.profile.returns[call]
            return self.sequence("tuple", [frozenset((Ext(n),)) for n in names], site)
        factory = self.profile.factory(call)
        first = args.positional[0] if args.positional else UNKNOWN
        if factory is not None:
            if factory.returns_argument:
                for atom in first:
                    if isinstance(atom, Ref):
                        self.object(atom).escaped = True
                return first
            if factory.container is not None:
                return self._torch_container(call, args, site)
            if factory.copies:
                return self._copy(call, first, site)
            if factory.kind in {"module", "catalog", "parameter", "container"}:
                return self._opaque(call, args, site)
        self.escape(args.every(), site, _HANDED)
        return self._opaque(call, args, site)

    def _call_root_on(self, root: Root, name: str, args: Arguments, site: Site | None) -> Value:
        """``Base.method(self, …)``."""
        rest = args._replace(positional=args.positional[1:])
        results = []
        for receiver in args.positional[0]:
            if isinstance(receiver, Ref):
                method = self._inherited(self._root_entries(root), name, receiver, site)
                method = method or self._object_protocol(name, receiver)
                results.append(self.call(method, rest, site) if method else UNKNOWN)
        return join(*results) or UNKNOWN

    def _root_entries(self, root: Root) -> list[Root]:
        return [e for e in root_mro(root, self.profile) if isinstance(e, Root)]

    def _opaque(self, origin: str, args: Arguments, site: Site | None) -> Value:
        made = self.allocate("opaque", site, origin=origin, factory=self.profile.factory(origin))
        self.heap.capture(made, args.every())
        parts = made.factory.parts if made.factory is not None else ()
        made.spared = frozenset(
            p.name for p in parts if not p.inference and (not p.switch or p.switch in self.switches)
        )
        return frozenset((Ref(made.oid),))

    def _deferred(self, name: str, args: Arguments, site: Site | None) -> Value:
        """A function with some of its arguments, to be called later."""
        value = self._opaque(f"{name}()", args, site)
        for atom in value:
            if isinstance(atom, Ref) and args.positional and not self.object(atom).summary:
                self.object(atom).deferred = args
        return value

    def _torch_container(self, call: str, args: Arguments, site: Site | None) -> Value:
        factory = self.profile.factory(call)
        assert factory is not None  # noqa: S101 - the caller asked for it
        kind = "dict" if factory.container == "dict" else "list"
        made = self.allocate(kind, site, origin=call, factory=factory)
        this = frozenset((Ref(made.oid),))
        if factory.container == "sequence":
            first = args.positional[0] if len(args.positional) == 1 else frozenset[Atom]()
            layers = [a for a in first if isinstance(a, Ref) and self.object(a).kind == "dict"]
            if layers:
                self.native("dict.update", Ref(made.oid), args, site)
            else:
                for value in args.positional:
                    self.heap.append(made.oid, value)
                if args.more:
                    self.heap.set(made.oid, ANY, args.more)
        elif args.positional or args.keywords:
            method = "dict.update" if kind == "dict" else "list.extend"
            self.native(method, Ref(made.oid), args, site)
        return this

    def _copy(self, call: str, original: Value, site: Site | None) -> Value:
        """A copy keeps what is known of its original: kind, class and elements."""
        factory = self.profile.factory(call)
        results: set[Atom] = set()
        for atom in original:
            if not isinstance(atom, Ref):
                results.add(atom)
                continue
            source = self.object(atom)
            if self.recorder is not None:
                self._read_below(atom.oid, site, set())  # after the removal: it copies what is left
            whole = factory is not None and bool(factory.kind)
            kind = "opaque" if whole else source.kind
            copied = self.allocate(
                kind,
                site,
                cls=None if whole else source.cls,
                origin=call if whole else source.origin,
                factory=factory if whole else source.factory,
            )
            if not whole:
                for name, value in self.heap.slots(atom.oid).items():
                    self.heap.set(copied.oid, name, value)
                self.heap.capture(copied, source.captured)
            results.add(Ref(copied.oid))
        return frozenset(results) or UNKNOWN

    def _read_below(self, oid: int, site: Site | None, seen: set[int]) -> None:
        """Note that all parts of an object are read, and all of theirs."""
        seen.add(oid)
        for name, value in self.heap.slots(oid).items():
            self.record_read(oid, name, site)
            for atom in value:
                if isinstance(atom, Ref) and atom.oid not in seen and atom.oid != self.root:
                    self._read_below(atom.oid, site, seen)


def is_function(atom: Atom) -> bool:
    """Whether an atom can stand for a method that was looked up on an object."""
    return isinstance(atom, (Bound, RootMethod, FuncRef, Native, Ref))
