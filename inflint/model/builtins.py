"""Python's builtin functions and string methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inflint.model.containers import UNROLL
from inflint.model.core import Arguments, sole, texts_of
from inflint.model.heap import ANY
from inflint.model.modules import Modules
from inflint.model.presence import is_instance
from inflint.model.values import (
    NONE,
    UNKNOWN,
    Atom,
    ClassRef,
    Const,
    Ref,
    Reflect,
    Super,
    Value,
    constant,
    join,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from inflint.model.units import Site

_HARMLESS = frozenset(
    (
        "issubclass", "print", "id", "repr", "callable", "int", "float",
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


class Builtins(Modules):
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
        if name == "operator.attrgetter" and isinstance(receiver, Const) and args.positional:
            found = args.positional[0]
            for part in str(receiver.value).split("."):
                found = self.attribute(found, part, site)
            return found
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

    # Functions

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
        lengths = [len(n) for a in args.positional if (n := self._fixed(a)) is not None]
        most = min(lengths, default=None)
        columns = [self.iterate(a, site, most) for a in args.positional]
        known = [rounds for rounds, _ in columns if rounds is not None]
        if len(known) == len(columns) and columns:
            rows = [self.sequence("tuple", list(row), site) for row in zip(*known, strict=False)]
            return self.sequence("list", rows, site)
        either = [either for _, either in columns]
        return self._many(self.sequence("tuple", either, site), site)

    def _fixed(self, value: Value) -> list[Value] | None:
        """The elements of a list that nothing else can change, as no attribute holds it."""
        atom = sole(value)
        if not isinstance(atom, Ref) or self.object(atom).kind not in {"list", "tuple"}:
            return None
        if self.object(atom).summary or self.heap.holders(atom):
            return None
        return self.heap.elements(atom.oid)

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

    def _hasattr(self, args: Arguments, site: Site | None) -> Value:
        if len(args.positional) < 2:
            return UNKNOWN
        target, names = args.positional[:2]
        texts = texts_of(names)
        if len(texts) != len(names):
            return UNKNOWN
        answers = {self.has(target, text) for text, _ in texts}
        for text, _ in texts:
            self.note_test(target, text, site)
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

    def _isinstance(self, args: Arguments, _: Site | None) -> Value:
        certain = len(args.positional) == 2 and is_instance(self, *args.positional)
        return constant(value=True) if certain else UNKNOWN

    def _str(self, args: Arguments, _: Site | None) -> Value:
        """A text stays what it is; of nothing else the text is known."""
        given = args.positional[0] if args.positional else UNKNOWN
        texts = [a for a in given if isinstance(a, Const) and isinstance(a.value, str)]
        return given if texts and len(texts) == len(given) else UNKNOWN

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
    "isinstance": Builtins._isinstance,
    "str": Builtins._str,
    "reversed": Builtins._reversed,
    "sum": Builtins._consume,
    "max": Builtins._consume,
    "min": Builtins._consume,
    "any": Builtins._consume,
    "all": Builtins._consume,
    "object.__setattr__": Builtins._call_object_setattr,
    "object.__getattribute__": Builtins._get_attribute,
}
