"""What names mean where code reads them, and how classes and functions come to be."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from inflint.model.decorators import hands_back
from inflint.model.frames import Closure, Frame
from inflint.model.hierarchy import Class, Entry, merge, root_mro
from inflint.model.profile import Root
from inflint.model.universe import Definition, External, ModuleFile, Symbol
from inflint.model.values import (
    UNKNOWN,
    Atom,
    ClassRef,
    Ext,
    FuncRef,
    ModuleRef,
    Native,
    Value,
    join,
    soften,
)
from inflint.syntax import facts
from inflint.syntax.errors import LoweringError
from inflint.syntax.headers import Assigned, Inner

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inflint.model.units import SourceFile
    from inflint.syntax.headers import Scope

from inflint.model.core import Arguments, Core, Terminated

BUILTINS = frozenset(dir(__builtins__) if not isinstance(__builtins__, dict) else __builtins__)
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*")


class Naming(Core):
    """Names, functions, assignments outside of functions, and classes with their bases."""

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
        patched: Value = frozenset()
        if self.patches:
            patched = self.patches.get((str(frame.file.path), identifier), patched)
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
        known = self.universe.closures
        if id(scope) not in known:
            label = f"{owner.name}.{scope.name}" if owner is not None else scope.name
            name = owner.name if owner is not None else None
            unit = found.file.function(scope, name, label)
            chain = (*found.chain, scope)
            try:
                closure = Closure(unit.function, unit, chain, owner, None, label)
            except LoweringError as error:
                line = scope.span.line + error.line - 1
                self.universe.errors.setdefault(found.file.path, (str(error), line, 1))
                known[id(scope)] = scope, None
            else:
                known[id(scope)] = scope, closure
        return known[id(scope)][1]

    def methods(self, cls: Class) -> tuple[Closure, ...]:
        """All functions in the bodies of a class and its known bases."""
        known = self.universe.methods.get(cls)
        if known is None:
            known = self.universe.methods[cls] = tuple(self._methods(cls))
        return known

    def _methods(self, cls: Class) -> Iterator[Closure]:
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
            made = self.universe.classes[key] = Class(file, file.seen_from(chain))
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
            if any(self._may_change(a, called="(" in text) for a in known):
                cls.unknown.append(f"the decorator {text} may change it")

    def _may_change(self, atom: Atom, *, called: bool) -> bool:
        """Whether a decorator may return another class, or alter the one it gets."""
        if not isinstance(atom, (FuncRef, ClassRef)) or self._is_library(atom):
            return False
        if isinstance(atom, FuncRef) and atom.closure.outer is None:
            return not hands_back(atom.closure.function, called=called)
        return True

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
        house = self.profile.house_root(cls.dotted)
        if house is not None and not any(isinstance(e, Root) and e.module for e in merged):
            cls.unknown.clear()  # whoever names it in the configuration vouches for it
            kept = [e for e in merged if not self.is_foreign(e) and not isinstance(e, Root)]
            merged = [*kept, *root_mro(house, self.profile)]
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
                known = self.profile.root_by_name.get(atom.name)
                root = known or self.profile.house_root(atom.name)
                api = self.profile.api_names
                candidates.append(root or (api[0] if atom.name in api else atom.name))
            elif isinstance(atom, Native) and atom.name in {"object", "type"}:
                return None
        if not candidates:
            bare = text.partition("[")[0].strip()
            return self.profile.house_root(bare) or bare
        return min(candidates, key=_preference)


def _preference(entry: Entry) -> tuple[int, str]:
    if isinstance(entry, Class):
        return 1, entry.dotted
    return (2, entry) if isinstance(entry, str) else (0, entry.name)


def expression_of(text: str) -> facts.Expr:
    """Lower a short expression; plain dotted names need no parser."""
    if _DOTTED.fullmatch(text):
        first, *rest = (part.strip() for part in text.split("."))
        expr: facts.Expr = facts.Name(0, first)
        for part in rest:
            expr = facts.Attr(0, expr, part)
        return expr
    from inflint.syntax.lower import lower_expression  # LibCST is slow to import

    try:
        return lower_expression(text)
    except LoweringError:
        return facts.Opaque(0, ())
