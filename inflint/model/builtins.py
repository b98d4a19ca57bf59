"""Python's builtins, container and string methods, and ``torch.nn.Module``'s own methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inflint.model.calls import Calls
from inflint.model.core import Arguments, sole, texts_of
from inflint.model.heap import ANY, Edge, key_of
from inflint.model.values import (
    ABSENT,
    NONE,
    NOTHING,
    UNKNOWN,
    Atom,
    Bound,
    ClassRef,
    Const,
    FuncRef,
    Ref,
    Reflect,
    Super,
    Value,
    constant,
    join,
    present,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from inflint.model.units import Site

UNROLL = 64
"""Longest loop that is run round by round."""
_HARMLESS = frozenset(
    (
        "isinstance", "issubclass", "print", "id", "repr", "callable", "str", "int", "float",
        "bool", "abs", "round", "hash", "format", "object", "open", "bytes", "divmod", "pow",
        "chr", "ord", "bin", "hex", "slice", "complex", "memoryview", "bytearray", "input",
        "globals", "locals", "NotImplementedError", "ValueError", "TypeError", "RuntimeError",
        "AttributeError", "KeyError", "Exception", "AssertionError", "StopIteration",
    )
)  # fmt: skip
_STRING_METHODS = frozenset(
    (
        "strip", "lstrip", "rstrip", "lower", "upper", "replace", "removeprefix",
        "removesuffix", "title", "split", "format",
    )
)  # fmt: skip


class Builtins(Calls):
    """Natives by name; each takes its receiver, arguments and site."""

    def native(self, name: str, receiver: Atom | None, args: Arguments, site: Site | None) -> Value:
        """Run a builtin or modelled method."""
        group, _, method = name.partition(".")
        if group == "torch" and isinstance(receiver, Ref):
            return self._torch(method, receiver, args, site)
        if group == "foreign":
            this = frozenset((receiver,)) if receiver is not None else UNKNOWN
            if isinstance(receiver, Ref):
                self._keep(receiver.oid, args.every())
            return self.unknown(site, "a base class that cannot be read", this, args.every())
        if group == "reflect" and isinstance(receiver, Reflect):
            return self._reflect_method(method, receiver, args, site)
        if group == "super" and isinstance(receiver, Ref):
            return self._super_attribute(method, receiver, args, site)
        if group == "str" and isinstance(receiver, Const):
            return self._string(receiver, method, args, site)
        if group in {"list", "tuple", "set", "dict"} and method and isinstance(receiver, Ref):
            return self._container(group, method, receiver, args, site)
        handler = _BUILTINS.get(name)
        if handler is not None:
            return handler(self, args, site)
        if name in _HARMLESS:
            return UNKNOWN
        return self.unknown(site, f"it is handed to {name}()", args.every())

    # Iteration

    def iterate(self, value: Value, site: Site | None) -> tuple[list[Value] | None, Value]:
        """What a loop over ``value`` sees: each round's value if known, and any round's."""
        atom = sole(value)
        if isinstance(atom, Ref):
            return self._iterate_object(atom, site)
        if isinstance(atom, Const) and isinstance(atom.value, str) and len(atom.value) <= UNROLL:
            rounds = [constant(c, atom.site) for c in atom.value]
            return rounds, join(*rounds) or UNKNOWN
        if isinstance(atom, Reflect):
            self.use(atom.oid, site, "all its parts are iterated over")
            return None, frozenset((atom,))
        parts = [self.iterate(frozenset((a,)), site)[1] for a in value] if len(value) > 1 else []
        return None, join(*parts) or UNKNOWN

    def _iterate_object(self, atom: Ref, site: Site | None) -> tuple[list[Value] | None, Value]:
        target = self.object(atom)
        if target.kind == "instance":
            method = self._inherited_of(atom, "__iter__")
            if method:
                found = self.call(method, Arguments(), site)
                if atom not in found:
                    return self.iterate(found, site)
                step = self._inherited_of(atom, "__next__")
                return None, self.call(step, Arguments(), site) if step else UNKNOWN
        if target.kind in {"instance", "opaque"}:
            return None, self.unknown(site, "it is iterated over", frozenset((atom,)))
        slots = self.heap.slots(atom.oid)
        if target.kind == "dict":
            if ANY in slots or any(ABSENT in v for v in slots.values()):
                return None, UNKNOWN
            keys = [constant(k) for k in slots]
            return keys, join(*keys) or UNKNOWN
        for key in slots:
            self.record_read(atom.oid, key, site)
        known = self.heap.elements(atom.oid)
        if known is not None and len(known) > UNROLL:
            known = None
        return known, self.heap.everything(atom.oid)

    # Builtin functions

    def _len(self, args: Arguments, site: Site | None) -> Value:
        atom = sole(args.positional[0]) if args.positional else None
        if isinstance(atom, Ref):
            method = self._inherited_of(atom, "__len__")
            if method:
                self._try_call(method, site)
        if isinstance(atom, Ref) and self.object(atom).kind in {"list", "tuple", "dict"}:
            self.all_elements(atom.oid, site)
            known = self.heap.elements(atom.oid)
            if known is not None and not self.object(atom).summary:
                return constant(len(known), firm=False)
        return UNKNOWN

    def _range(self, args: Arguments, site: Site | None) -> Value:
        bounds = [sole(a) for a in args.positional]
        if bounds and all(isinstance(b, Const) and type(b.value) is int for b in bounds):
            numbers = range(*(b.value for b in bounds if isinstance(b, Const)))  # type: ignore[arg-type]
            if len(numbers) <= UNROLL:
                return self.sequence("list", [constant(n) for n in numbers], site)
        made = self.allocate("list", site)
        self.heap.set(made.oid, ANY, UNKNOWN)
        return frozenset((Ref(made.oid),))

    def _enumerate(self, args: Arguments, site: Site | None) -> Value:
        rounds, either = self.iterate(args.positional[0] if args.positional else UNKNOWN, site)
        if rounds is None:
            return self._many(self.sequence("tuple", [UNKNOWN, either], site), site)
        pairs = [self.sequence("tuple", [constant(i), v], site) for i, v in enumerate(rounds)]
        return self.sequence("list", pairs, site)

    def _zip(self, args: Arguments, site: Site | None) -> Value:
        columns = [self.iterate(a, site) for a in args.positional]
        known = [rounds for rounds, _ in columns if rounds is not None]
        if len(known) == len(columns) and columns:
            rows = [self.sequence("tuple", list(row), site) for row in zip(*known, strict=False)]
            return self.sequence("list", rows, site)
        either = [either for _, either in columns]
        return self._many(self.sequence("tuple", either, site), site)

    def _many(self, value: Value, site: Site | None) -> Value:
        made = self.allocate("list", site)
        self.heap.set(made.oid, ANY, value)
        return frozenset((Ref(made.oid),))

    def _list(self, args: Arguments, site: Site | None, kind: str = "list") -> Value:
        if not args.positional:
            return self.sequence(kind, [], site)
        rounds, either = self.iterate(args.positional[0], site)
        if rounds is not None:
            return self.sequence(kind, rounds, site)
        atom = sole(args.positional[0])
        made = self.allocate(kind, site)
        if isinstance(atom, Ref) and self.object(atom).kind in {"list", "tuple", "set"}:
            for key, value in self.heap.slots(atom.oid).items():
                self.heap.set(made.oid, key, value)
        else:
            self.heap.set(made.oid, ANY, either)
        return frozenset((Ref(made.oid),))

    def _tuple(self, args: Arguments, site: Site | None) -> Value:
        return self._list(args, site, "tuple")

    def _set(self, args: Arguments, site: Site | None) -> Value:
        return self._list(args, site, "set")

    def _dict(self, args: Arguments, site: Site | None) -> Value:
        made = self.allocate("dict", site)
        self._dict_update(Ref(made.oid), args, site)
        return frozenset((Ref(made.oid),))

    def _map(self, args: Arguments, site: Site | None) -> Value:
        if len(args.positional) < 2:
            return UNKNOWN
        function, *iterables = args.positional
        columns = [self.iterate(i, site) for i in iterables]
        known = [rounds for rounds, _ in columns if rounds is not None]
        if len(known) == len(columns):
            rows = zip(*known, strict=False)
            results = [self.call(function, Arguments(tuple(row)), site) for row in rows]
            return self._once(self.sequence("list", results, site))
        either = tuple(either for _, either in columns)
        with self.summarised():
            return self._once(self._many(self.call(function, Arguments(either), site), site))

    def _once(self, value: Value) -> Value:
        """Mark a new sequence as an iterator."""
        for atom in value:
            if isinstance(atom, Ref):
                self.object(atom).once = True
        return value

    def _filter(self, args: Arguments, site: Site | None) -> Value:
        if len(args.positional) < 2:
            return UNKNOWN
        function, iterable = args.positional[:2]
        _, either = self.iterate(iterable, site)
        self._each(function, either, site)
        return self._once(self._many(either, site))

    def _next(self, args: Arguments, site: Site | None) -> Value:
        """One part of many: ``next(self.parameters())`` works whatever is removed."""
        value = args.positional[0] if args.positional else UNKNOWN
        if value and all(isinstance(a, Reflect) for a in value):
            return frozenset(a._replace(sample=True) for a in value if isinstance(a, Reflect))
        return join(self.iterate(value, site)[1], *args.positional[1:])

    def _iter(self, args: Arguments, site: Site | None) -> Value:
        if len(args.positional) > 1:
            return self._once(self._many(self.call(args.positional[0], Arguments(), site), site))
        return args.positional[0] if args.positional else UNKNOWN

    def _hasattr(self, args: Arguments, site: Site | None) -> Value:  # noqa: ARG002
        if len(args.positional) < 2:
            return UNKNOWN
        target, names = args.positional[:2]
        texts = texts_of(names)
        if len(texts) != len(names):
            return UNKNOWN
        answers = {self.has(target, text) for text, _ in texts}
        answer = answers.pop() if len(answers) == 1 else None
        return UNKNOWN if answer is None else constant(answer)

    def _getattr(self, args: Arguments, site: Site | None) -> Value:
        if len(args.positional) < 2:
            return UNKNOWN
        target, names, *default = args.positional
        return self.dynamic_attribute(target, names, default[0] if default else None, site)

    def _setattr(self, args: Arguments, site: Site | None) -> Value:
        if len(args.positional) == 3:
            self.bind_dynamic(*args.positional, site)
        return NONE

    def _delattr(self, args: Arguments, site: Site | None) -> Value:  # noqa: ARG002
        if len(args.positional) == 2:
            for text, _ in texts_of(args.positional[1]):
                self.delete_attribute(args.positional[0], text)
        return NONE

    def _super(self, args: Arguments, site: Site | None) -> Value:  # noqa: ARG002
        frame = self.frame
        while frame is not None and frame.closure.owner is None:
            frame = frame.closure.outer
        if frame is None:
            return UNKNOWN
        after, receiver = frame.closure.owner, frame.receiver
        if len(args.positional) == 2:
            given = sole(args.positional[0])
            after = given.info if isinstance(given, ClassRef) else after
            receiver = args.positional[1]
        results: set[Atom] = set()
        for atom in receiver:
            cls = self.object(atom).cls if isinstance(atom, Ref) else None
            if isinstance(atom, Ref) and cls is not None and after in cls.mro:
                results.add(Super(cls.mro[cls.mro.index(after) + 1 :], atom))
        return frozenset(results) or UNKNOWN

    def _type(self, args: Arguments, site: Site | None) -> Value:
        if len(args.positional) != 1:
            held = [self.everything_in(v) for v in args.positional]
            return self.unknown(site, "a class is made of it", *held)
        return self.attribute(
            frozenset(a for a in args.positional[0] if isinstance(a, Ref)), "__class__", site
        )

    def everything_in(self, value: Value) -> Value:
        """A value and what it directly holds, if it is a container."""
        held = [self.heap.everything(a.oid) for a in value if isinstance(a, Ref)]
        return join(value, *held)

    def _vars(self, args: Arguments, site: Site | None) -> Value:  # noqa: ARG002
        value = args.positional[0] if args.positional else UNKNOWN
        return frozenset(Reflect(a.oid, "vars") for a in value if isinstance(a, Ref)) or UNKNOWN

    def _get_attribute(self, args: Arguments, site: Site | None) -> Value:
        """``object.__getattribute__(obj, name)``."""
        if len(args.positional) != 2:
            return UNKNOWN
        return self.dynamic_attribute(*args.positional, None, site)

    def _evaluate_text(self, args: Arguments, site: Site | None) -> Value:
        """``eval`` and ``exec`` see everything that the code around them sees."""
        frame = self.frame
        held = join(*frame.env.values()) if frame is not None else UNKNOWN
        return self.unknown(site, "code is run from text", held, args.every())

    def _each(self, function: Value, element: Value, site: Site | None) -> None:
        """A function is called for each element of something."""
        self._try_call(function, site, Arguments((element,)))

    def _consume(self, args: Arguments, site: Site | None) -> Value:
        """``sorted``, ``sum``, ``max`` and their like: elements in, one or all out."""
        results = [self.iterate(a, site)[1] for a in args.positional]
        for _, function in args.keywords:
            self._each(function, join(*results), site)
        return join(UNKNOWN, *results)

    def _sorted(self, args: Arguments, site: Site | None) -> Value:
        rounds, either = self.iterate(args.positional[0] if args.positional else UNKNOWN, site)
        for _, function in args.keywords:
            self._each(function, either, site)
        atoms = [sole(r) for r in rounds or ()]
        texts = [a for a in atoms if isinstance(a, Const) and isinstance(a.value, str)]
        if rounds is None or len(texts) != len(rounds) or args.keywords:
            return self._many(either, site)
        ordered = sorted(texts, key=lambda a: str(a.value))
        return self.sequence("list", [frozenset((a,)) for a in ordered], site)

    def _reversed(self, args: Arguments, site: Site | None) -> Value:
        rounds, either = self.iterate(args.positional[0] if args.positional else UNKNOWN, site)
        if rounds is None:
            return self._many(either, site)
        return self.sequence("list", rounds[::-1], site)

    # Strings

    def _string(self, text: Const, method: str, args: Arguments, site: Site | None) -> Value:
        if method in {"startswith", "endswith", "join"}:
            for value in args.positional:
                self.iterate(value, site)
            return UNKNOWN
        given = [sole(a) for a in args.positional]
        plain = [a.value for a in given if isinstance(a, Const)]
        if not hasattr(str, method):  # a member of an enumeration, say
            return self.unknown(site, "a method of an unknown object gets it", args.every())
        if method == "format" and ":" in str(text.value):
            return UNKNOWN
        if method not in _STRING_METHODS or len(plain) != len(args.positional) or args.keywords:
            return UNKNOWN
        try:
            result = getattr(str(text.value), method)(*plain)
        except (TypeError, ValueError, IndexError, KeyError):
            return UNKNOWN
        if isinstance(result, list):
            return self.sequence("list", [constant(r, text.site) for r in result], site)
        return constant(result, text.site)

    # Containers

    def _container(
        self, group: str, method: str, receiver: Ref, args: Arguments, site: Site | None
    ) -> Value:
        if group == "dict" and method in {"items", "values", "keys"}:
            return self._dict_view(method, receiver, site)
        handler = _CONTAINER_METHODS.get(method)
        if handler is not None:
            return handler(self, receiver, args, site)
        if method in {"forward", "__call__"}:
            return self._call_object(receiver, args, site)
        if method == "__getitem__" and args.positional:
            return self.element(frozenset((receiver,)), args.positional[0], site)
        if method in {"index", "count", "__len__", "__contains__"}:
            self.all_elements(receiver.oid, site)
            return UNKNOWN
        # Anything else may reorder, drop or replace what it holds, or hand it out.
        for _, function in args.keywords:
            self._each(function, self.heap.everything(receiver.oid), site)
        given = self.unknown(site, f"it is handed to {method}()", args.every())
        self.heap.weaken(receiver.oid, args.every(), given)
        return self._many(self.all_elements(receiver.oid, site), site)

    def _mutates(self, receiver: Ref, site: Site | None) -> None:
        shared = self.object(receiver).shared or self._holder(receiver)
        if shared and (receiver.oid < self.listing_since or shared in {"class", "module"}):
            self.mutations.append((site, shared))

    def _holder(self, receiver: Ref) -> str:
        """``instance`` where an attribute of the module itself is this very list."""
        if self.root is None or self.object(receiver).factory is not None:
            return ""
        held = self.heap.slots(self.root).values()
        return "instance" if any(receiver in value for value in held) else ""

    def _append(self, receiver: Ref, args: Arguments, site: Site | None) -> Value:
        self._mutates(receiver, site)
        for value in args.positional:
            key = self.heap.append(receiver.oid, value)
            self._made(receiver, key, site)
        return NONE

    def _insert(self, receiver: Ref, args: Arguments, site: Site | None) -> Value:
        self._mutates(receiver, site)
        self.heap.weaken(receiver.oid, *args.positional[1:])
        return NONE

    def _extend(self, receiver: Ref, args: Arguments, site: Site | None) -> Value:
        self._mutates(receiver, site)
        for value in args.positional:
            self.extend(receiver, value, site)
        return NONE

    def extend(self, receiver: Ref, value: Value, site: Site | None) -> None:
        """Append what iterating over ``value`` gives."""
        rounds, either = self.iterate(value, site)
        if rounds is not None:
            for element in rounds:
                self._made(receiver, self.heap.append(receiver.oid, element), site)
            return
        refs = [a for a in sorted(value, key=repr) if isinstance(a, Ref)]
        lists = [a for a in refs if self.object(a).kind in {"list", "tuple", "set"}]
        if lists and len(lists) == len(value):
            for atom in lists:
                self._extend_by(receiver, atom, certain=len(lists) == 1)
            return
        before = self.heap.get(receiver.oid, ANY) or frozenset()
        self.heap.set(receiver.oid, ANY, join(before, either))

    def _extend_by(self, receiver: Ref, source: Ref, *, certain: bool) -> None:
        for key, element in self.heap.slots(source.oid).items():
            if key == ANY:
                before = self.heap.get(receiver.oid, ANY) or frozenset()
                self.heap.set(receiver.oid, ANY, join(before, element))
            else:
                self.heap.append(receiver.oid, element if certain else element | NOTHING)

    def _reflect_method(
        self, method: str, receiver: Reflect, args: Arguments, site: Site | None
    ) -> Value:
        """A method of ``__dict__``, ``_modules`` and their like."""
        this: Value = frozenset((Ref(receiver.oid),))
        if method in {"get", "pop", "setdefault"} and args.positional:
            default = args.positional[1] if len(args.positional) > 1 else NONE
            return self.dynamic_attribute(this, args.positional[0], default, site)
        if method == "update":
            made = self._dict(args, site)
            for atom in made:
                slots = self.heap.slots(atom.oid) if isinstance(atom, Ref) else {}
                for name, value in slots.items():
                    key = UNKNOWN if name == ANY else constant(name)
                    self.bind_element(frozenset((receiver,)), key, value, site)
            return NONE
        self.use(receiver.oid, site, "all its parts are handed out")
        return UNKNOWN

    def _made(self, receiver: Ref, key: str, site: Site | None) -> None:
        self.heap.edges.setdefault((receiver.oid, key), Edge(site, self.stage, ""))

    def _pop(self, receiver: Ref, args: Arguments, site: Site | None) -> Value:
        if self.object(receiver).kind == "dict" and args.positional:
            key = args.positional[0]
            found = self.element(frozenset((receiver,)), key, site)
            name = key_of(key)
            if name is not None and name in self.heap.slots(receiver.oid):
                self.heap.set(receiver.oid, name, NOTHING)
            return join(found, *args.positional[1:])
        found = self.all_elements(receiver.oid, site)
        self.heap.weaken(receiver.oid)
        return found

    def _get(self, receiver: Ref, args: Arguments, site: Site | None) -> Value:
        if not args.positional:
            return UNKNOWN
        found = self.element(frozenset((receiver,)), args.positional[0], site)
        return join(found, *(args.positional[1:] or (NONE,)))

    def _setdefault(self, receiver: Ref, args: Arguments, site: Site | None) -> Value:
        if len(args.positional) == 2:
            key, value = args.positional
            before = self.element(frozenset((receiver,)), key, None)
            self.bind_element(frozenset((receiver,)), key, join(before, value), site)
            return join(before, value)
        return UNKNOWN

    def _dict_update(self, receiver: Ref, args: Arguments, site: Site | None) -> Value:
        for name, value in args.keywords:
            self.set_slot(receiver.oid, name, value, site)
        for value in args.positional:
            for atom in value:
                if isinstance(atom, Ref) and self.object(atom).kind == "dict":
                    for key, element in self.heap.slots(atom.oid).items():
                        self.record_read(atom.oid, key, site)
                        self.set_slot(receiver.oid, key, element, site)
                else:
                    self._update_from_pairs(receiver, frozenset((atom,)), site)
        if args.more:
            self.set_slot(receiver.oid, ANY, args.more, site)
        return NONE

    def _update_from_pairs(self, receiver: Ref, value: Value, site: Site | None) -> None:
        rounds, either = self.iterate(value, site)
        for pair in [either] if rounds is None else rounds:
            ref = sole(pair)
            halves = self.heap.elements(ref.oid) if isinstance(ref, Ref) else None
            if halves is not None and len(halves) == 2:
                self.bind_element(frozenset((receiver,)), halves[0], halves[1], site)
            else:
                self.set_slot(receiver.oid, ANY, join(UNKNOWN, pair), site)

    def _dict_view(self, method: str, receiver: Ref, site: Site | None) -> Value:
        slots = self.heap.slots(receiver.oid)
        known = ANY not in slots and not any(ABSENT in v for v in slots.values())
        if method == "keys":
            keys = [constant(k) if k != ANY else UNKNOWN for k in slots]
            return self.sequence("list", keys, site) if known else self._many(UNKNOWN, site)
        rows = []
        for key, value in slots.items():
            self.record_read(receiver.oid, key, site)
            name = UNKNOWN if key == ANY else constant(key)
            element = present(value) or UNKNOWN
            row = self.sequence("tuple", [name, element], site) if method == "items" else element
            rows.append(row)
        return self.sequence("list", rows, site) if known else self._many(join(*rows), site)

    # torch.nn.Module

    def _torch(self, method: str, receiver: Ref, args: Arguments, site: Site | None) -> Value:
        role = self.profile.torch_methods[method]
        this: Value = frozenset((receiver,))
        if role == "identity":
            self._recurse(method, receiver, site)
            parts = this | {Reflect(receiver.oid, method)}
            for function in args.positional:
                if any(isinstance(a, (FuncRef, Bound)) for a in function):
                    self._each(function, parts, site)
            self.escape(args.every() - this, site, f"it is handed to {method}()")
            return this
        if role == "reflect":
            return frozenset((Reflect(receiver.oid, method),))
        if role == "hook":
            target = self.object(receiver)
            functions = args.positional[0] if args.positional else args.every()
            target.hooks = join(target.hooks, functions)
            return UNKNOWN
        if role == "path":
            return self._by_path(this, args, site)
        if role.startswith("bind") and len(args.positional) + len(args.keywords) >= 1:
            return self._register(this, role.partition("_")[2], args, site)
        self.escape(args.every(), site, f"it is handed to {method}()")
        return UNKNOWN

    def _recurse(self, method: str, receiver: Ref, site: Site | None) -> None:
        """Methods such as ``eval`` end in one that classes override, sub-modules included."""
        name = self.profile.recursive_methods.get(method)
        if name is None:
            return
        if self.demanding and method == name:
            self.trained = True  # no one knows in which mode what follows runs
        if name != method:
            own = self._inherited_of(receiver, name)
            if own:
                self.call(own, Arguments((constant(False),)), site)
                return
        for value in self.heap.slots(receiver.oid).values():
            for atom in value:
                if isinstance(atom, Ref) and atom.oid != receiver.oid:
                    own = self._inherited_of(atom, name)
                    if own:
                        self.call(own, Arguments((UNKNOWN,)), site)

    def _by_path(self, this: Value, args: Arguments, site: Site | None) -> Value:
        texts = texts_of(args.positional[0]) if args.positional else []
        if not texts:
            return self.dynamic_attribute(this, UNKNOWN, None, site)
        results = []
        for text, _ in texts:
            value = this
            for part in text.split("."):
                value = self.attribute(value, part, site)
            results.append(value)
        return join(*results)

    def _register(self, this: Value, kind: str, args: Arguments, site: Site | None) -> Value:
        given = [*args.positional, *(v for _, v in args.keywords)]
        names, value = given[0], given[1] if len(given) > 1 else UNKNOWN
        self.bind_dynamic(this, names, value, site)
        for text, _ in texts_of(names):
            for atom in this:
                if isinstance(atom, Ref) and value != NONE and kind == "buffer":
                    self.mark_edge(atom.oid, text, kind)
        return NONE

    def _super_attribute(
        self, name: str, receiver: Ref, args: Arguments, site: Site | None
    ) -> Value:
        """``super().__getattr__(name)`` and its like."""
        this: Value = frozenset((receiver,))
        if name == "__setattr__":
            return self._setattr(args._replace(positional=(this, *args.positional)), site)
        names = args.positional[0] if args.positional else UNKNOWN
        return self.dynamic_attribute(this, names, None, site)

    def _call_object_setattr(self, args: Arguments, site: Site | None) -> Value:
        """``object.__setattr__(obj, name, value)``: bound, but not registered."""
        if len(args.positional) == 3:
            target, names, value = args.positional
            self.bind_dynamic(target, names, value, site)
            for text, _ in texts_of(names):
                for atom in target:
                    if isinstance(atom, Ref):
                        self.mark_edge(atom.oid, text, "unregistered")
        return NONE


_BUILTINS: dict[str, Callable[[Builtins, Arguments, Site | None], Value]] = {
    "len": Builtins._len,
    "range": Builtins._range,
    "enumerate": Builtins._enumerate,
    "zip": Builtins._zip,
    "list": Builtins._list,
    "tuple": Builtins._tuple,
    "set": Builtins._set,
    "frozenset": Builtins._set,
    "dict": Builtins._dict,
    "map": Builtins._map,
    "filter": Builtins._filter,
    "next": Builtins._next,
    "iter": Builtins._iter,
    "hasattr": Builtins._hasattr,
    "getattr": Builtins._getattr,
    "setattr": Builtins._setattr,
    "delattr": Builtins._delattr,
    "super": Builtins._super,
    "type": Builtins._type,
    "vars": Builtins._vars,
    "eval": Builtins._evaluate_text,
    "exec": Builtins._evaluate_text,
    "sorted": Builtins._sorted,
    "reversed": Builtins._reversed,
    "sum": Builtins._consume,
    "max": Builtins._consume,
    "min": Builtins._consume,
    "any": Builtins._consume,
    "all": Builtins._consume,
    "object.__setattr__": Builtins._call_object_setattr,
    "object.__getattribute__": Builtins._get_attribute,
}
_CONTAINER_METHODS: dict[str, Callable[[Builtins, Ref, Arguments, Site | None], Value]] = {
    "append": Builtins._append,
    "add": Builtins._append,
    "insert": Builtins._insert,
    "extend": Builtins._extend,
    "update": Builtins._dict_update,
    "pop": Builtins._pop,
    "get": Builtins._get,
    "setdefault": Builtins._setdefault,
    "copy": lambda m, r, _a, s: (
        m._list(Arguments((frozenset((r,)),)), s)
        if m.object(r).kind != "dict"
        else m._dict(Arguments((frozenset((r,)),)), s)
    ),
}
