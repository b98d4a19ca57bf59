"""Reading, binding and deleting attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inflint.model.core import Arguments, Terminated, texts_of
from inflint.model.heap import ANY, Edge
from inflint.model.hierarchy import Class, Entry
from inflint.model.mentions import assigned_names
from inflint.model.profile import Root
from inflint.model.units import Site
from inflint.model.values import (
    ABSENT,
    NOTHING,
    UNKNOWN,
    Atom,
    Bound,
    ClassRef,
    Const,
    Ext,
    FuncRef,
    ModuleRef,
    Native,
    Pattern,
    Ref,
    Reflect,
    RootMethod,
    Super,
    Value,
    constant,
    follows_mode,
    is_none,
    join,
    present,
    soften,
)
from inflint.syntax.headers import Imported

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inflint.model.heap import Object
    from inflint.model.universe import Definition
    from inflint.syntax.headers import Scope

from inflint.model.escaping import Escaping

_NEVER: Value = frozenset()
_CONTAINERS = frozenset(("list", "tuple", "set", "dict"))


class Attributes(Escaping):
    """Attribute access on all kinds of values."""

    # Reading

    def attribute(self, value: Value, name: str, site: Site | None) -> Value:
        """``value.name``."""
        return join(*[self._attribute(atom, name, site) for atom in value]) or UNKNOWN

    def _attribute(self, atom: Atom, name: str, site: Site | None) -> Value:
        if isinstance(atom, Ref):
            return self._object_attribute(atom, name, site)
        if isinstance(atom, Super):
            found = self._inherited(atom.after, name, atom.receiver, site)
            return found or self._object_protocol(name, atom.receiver)
        if isinstance(atom, ClassRef):
            if name in {"__name__", "__qualname__", "__module__"}:
                return UNKNOWN
            return self._inherited(atom.info.mro, name, atom, site)
        if isinstance(atom, ModuleRef):
            symbols = self.universe.member(atom.file, name)
            return join(*(self.symbol(s) for s in symbols)) or UNKNOWN
        if isinstance(atom, Ext):
            return self._external(atom, name)
        if isinstance(atom, Const) and isinstance(atom.value, str):
            return frozenset((Native(f"str.{name}", atom),))
        if isinstance(atom, Native) and atom.receiver is None:
            return frozenset((Native(f"{atom.name}.{name}", None),))
        if isinstance(atom, Reflect):
            return self._reflected(atom, name, site)
        if isinstance(atom, (FuncRef, Bound)):
            patched = self.patches.get((atom.closure, name))
            called = frozenset((atom,)) if name == "__call__" else UNKNOWN
            return join(patched or frozenset(), called)
        return UNKNOWN

    def _reflected(self, atom: Reflect, name: str, site: Site | None) -> Value:
        """A method of ``__dict__`` and its like, or an attribute of some part."""
        if atom.sample and name in self.profile.sample_attributes:
            return UNKNOWN
        if not atom.sample and name in {"update", "setdefault", "pop", "get", "keys"}:
            return frozenset((Native(f"reflect.{name}", atom),))
        self.use(atom.oid, site, "all its parts are handed out")
        return frozenset((atom,))

    def _object_protocol(self, name: str, receiver: Ref) -> Value:
        """What every object has."""
        if name in {"__getattr__", "__getattribute__", "__setattr__", "__delattr__"}:
            return frozenset((Native(f"super.{name}", receiver),))
        return frozenset()

    def _external(self, atom: Ext, name: str) -> Value:
        dotted = f"{atom.name}.{name}"
        if dotted in self.profile.guards:
            return self._guard(dotted)
        if self.frame is None or atom.name.endswith((")", "]")):
            return frozenset((Ext(dotted),))
        return self.symbol(self.universe.attribute(dotted, self.frame.file))

    def _guard(self, dotted: str) -> Value:
        known = self.profile.guards[dotted]
        if known == "mode":
            self.forks = False
            return constant(self.inference_only, guard=True)
        return constant(known)

    def _object_attribute(self, atom: Ref, name: str, site: Site | None) -> Value:
        target = self.object(atom)
        if target.kind == "instance":
            return self._instance_attribute(atom, target, name, site)
        if name in self.profile.torch_methods and (
            target.kind == "opaque" or target.factory is not None
        ):
            return frozenset((Native(f"torch.{name}", atom),))
        own = self.heap.get(atom.oid, name)
        if target.kind in _CONTAINERS:
            if target.factory is not None and own is not None:
                self.record_read(atom.oid, name, site)
                return present(own)
            return frozenset((Native(f"{target.kind}.{name}", atom),))
        self.record_read(atom.oid, name, site)
        if own is not None and present(own):
            return present(own)
        return frozenset((Ref(self._child(target, name, site)),))

    def _child(self, parent: Object, name: str, site: Site | None) -> int:
        """What an opaque object has under ``name``: opaque, too, and part of it."""
        if name not in parent.parts_of:
            made = self.heap.new(
                "opaque", site, origin=f"{parent.origin}.{name}", parent=parent.oid
            )
            parent.parts_of[name] = made.oid
        return parent.parts_of[name]

    def _instance_attribute(self, atom: Ref, target: Object, name: str, site: Site | None) -> Value:
        cls = target.cls
        assert cls is not None  # noqa: S101 - instances have a class
        if name == "__class__":
            return frozenset((ClassRef(cls),))
        if name in self.profile.reflective_attributes:
            return frozenset((Reflect(atom.oid, name),))
        own = self._slot(atom.oid, name)
        if own is not None and ABSENT not in own:
            self.record_read(atom.oid, name, site)
            return soften(own, guards=not self._is_settled(own, cls, name))
        fallback = self._default(atom, cls, name, site)
        if own is not None:
            self.record_read(atom.oid, name, site)
            return join(soften(present(own)), fallback) or UNKNOWN
        if fallback:
            return fallback
        self.record_read(atom.oid, name, site)
        getter = self._inherited(cls.mro, "__getattr__", atom, None)
        if any(isinstance(a, Bound) for a in getter):
            return self.call(getter, Arguments((constant(name),)), site)
        if target.captured:  # a field of a dataclass or named tuple, say
            return join(UNKNOWN, target.captured)
        return self._object_protocol(name, atom) or UNKNOWN

    def _is_settled(self, own: Value, cls: Class, name: str) -> bool:
        """Whether an attribute that follows from the mode can never change afterwards."""
        return follows_mode(own) and not self.assigned_elsewhere(cls, name)

    def _slot(self, oid: int, name: str) -> Value | None:
        """An attribute, also one bound under a name that is only partly known."""
        own = self.heap.get(oid, name)
        wild = [v | NOTHING for k, v in self.heap.wild(oid).items() if matches(k, name)]
        if not wild:
            return own
        return join(own if own is not None else NOTHING, *wild)

    def _default(self, atom: Ref, cls: Class, name: str, site: Site | None) -> Value:
        """What the framework or the class has under ``name``."""
        for root in cls.roots():
            if name in root.constants:
                return constant(root.constants[name])
        for root in cls.roots():
            if root.torch_module and f"torch.{name}" in self.profile.guards:
                if not self.evaluating or self.trained:
                    return UNKNOWN
                return self._guard(f"torch.{name}")
            if name in root.attributes:
                dotted = f"rlmodule.{name}"
                if dotted in self.profile.guards:
                    return self._guard(dotted)
                found = self._inherited(cls.mro, name, atom, site)
                return found or frozenset((Ext(dotted),))
        return self._inherited(cls.mro, name, atom, site)

    def _inherited(
        self, mro: Iterable[Entry], name: str, receiver: Atom, site: Site | None
    ) -> Value:
        """The first class attribute of that name along an MRO, bound to ``receiver``."""
        for entry in mro:
            if isinstance(entry, Class):
                found = entry.own(name)
                patched = self.patches.get((entry, name), frozenset())
                if patched and not found:
                    return bind(patched, receiver)
                if found:
                    return join(
                        bind(patched, receiver),
                        *(self._member(f, entry, receiver, site) for f in found),
                    )
            elif isinstance(entry, Root):
                role = entry.torch_module and self.profile.torch_methods.get(name)
                if role and isinstance(receiver, Ref):
                    return frozenset((Native(f"torch.{name}", receiver),))
                if describes(entry, name):
                    return frozenset((RootMethod(entry, name, receiver),))
            elif self.is_foreign(entry):
                return frozenset((Native("foreign", receiver),))
        return frozenset()

    def _member(self, found: Definition, owner: Class, receiver: Atom, site: Site | None) -> Value:
        value = self.definition(found, owner)
        scope = found.scope
        roles = set() if scope is None else self._roles(scope, owner)
        if "staticmethod" in roles:
            return value
        if "classmethod" in roles:
            cls = receiver
            if isinstance(receiver, Ref):
                own = self.object(receiver).cls
                cls = ClassRef(own) if own is not None else receiver
            return bind(value, cls)
        if isinstance(receiver, ClassRef):
            return value
        if roles & {"setter", "deleter"}:
            return frozenset()
        if roles & {"property", "cached_property"}:
            if isinstance(receiver, Ref):
                self.record_read(receiver.oid, found.name, site)
            return self.call(bind(value, receiver), Arguments(), site)
        if scope is None and isinstance(receiver, Ref):
            self.record_read(receiver.oid, found.name, site)
        return self._descriptors(bind(value, receiver), receiver, site)

    def _roles(self, scope: Scope, owner: Class) -> set[str]:
        """What a method's decorators make of it, imported under whatever name."""
        roles = {d.rpartition(".")[2] for d in scope.decorators}
        for text in scope.decorators:
            found = owner.file.header.bindings.get(text, ())
            roles |= {b.attribute for b in found if isinstance(b, Imported) and b.attribute}
        return roles

    def _descriptors(self, value: Value, receiver: Atom, site: Site | None) -> Value:
        """A class attribute that computes its value: ``property(f)``, an own ``__get__``."""
        results: list[Value] = [value]
        for atom in value:
            if not isinstance(atom, Ref):
                continue
            target = self.object(atom)
            args = Arguments((frozenset((receiver,)),))
            if target.kind == "instance":
                getter = self._inherited_of(atom, "__get__")
                if getter:
                    results.append(self.call(getter, args, site))
            elif target.kind == "opaque":
                functions = frozenset(
                    a for a in target.captured if isinstance(a, (FuncRef, Native, Bound))
                )
                results.extend(self._try_call(frozenset((f,)), site, args) for f in functions)
        return join(*results)

    # Is it there?

    def has(self, value: Value, name: str) -> bool | None:
        """``hasattr(value, name)``; None where that is not known."""
        answers = {self._has(atom, name) for atom in value}
        return answers.pop() if len(answers) == 1 else None

    def _has(self, atom: Atom, name: str) -> bool | None:
        if not isinstance(atom, Ref) or self.object(atom).kind != "instance":
            return None
        own = self._slot(atom.oid, name)
        if atom.oid == self.root and name in self.removed:
            return own is not None and all(is_none(a) for a in own)
        cls = self.object(atom).cls
        assert cls is not None  # noqa: S101 - instances have a class
        if own is not None and ABSENT not in own:
            return True
        try:
            default = self._default(atom, cls, name, None)
        except Terminated:
            return None  # a property that raises
        if any(isinstance(a, Native) and a.name == "foreign" for a in default):
            return None
        if default:
            return True
        if (own is not None and own != NOTHING) or self.object(atom).captured or self.wild:
            return None
        if self.object(atom).escaped or cls.unknown or any(self.is_foreign(e) for e in cls.mro):
            return None
        return None if self.assigned_elsewhere(cls, name) else False

    def note_test(self, target: Value, name: str, site: Site | None) -> None:
        """Note that code asks for an attribute: it goes another way without it."""
        if site is None and self.frame is not None:
            closure = self.frame.closure
            site = Site(closure.unit, closure.function.at)
        self.catches += 1  # it reckons with that
        for atom in target:
            gone = atom == Ref(self.root or 0) and name in self.removed
            if isinstance(atom, Ref) and self._slot(atom.oid, name) is not None and not gone:
                self.record_read(atom.oid, name, site)
        self.catches -= 1

    def assigned_elsewhere(self, cls: Class, name: str) -> bool:
        """Whether a method that has not run yet assigns ``self.name``."""
        return any(
            name in assigned_names(closure.function)
            for closure in self.methods(cls)
            if closure.unit not in (self.constructed or self.ran)
        )

    # Binding

    def bind_attribute(self, target: Value, name: str, value: Value, site: Site | None) -> None:
        """``target.name = value``."""
        self.switches.update(f"{a.name}.{name}" for a in target if isinstance(a, Ext))
        for atom in target:
            if isinstance(atom, ClassRef):
                self._patch(atom.info, name, value)
            elif isinstance(atom, (FuncRef, Bound)):
                self._patch(atom.closure, name, value)
            elif isinstance(atom, Reflect):
                self._keep(atom.oid, value)
            elif isinstance(atom, Ref) and name == "__class__":
                self.wild = self.wild or "its class is replaced"
            elif isinstance(atom, Ref):
                if self.object(atom).kind == "opaque":
                    self._keep(atom.oid, value)
                several = len(target) > 1
                before = (self.heap.get(atom.oid, name) or NOTHING) if several else _NEVER
                self.set_slot(atom.oid, name, join(value, before), site)

    def _patch(self, owner: object, name: str, value: Value) -> None:
        key = (owner, name)
        self.patches[key] = join(self.patches.get(key, frozenset()), value)

    def set_slot(
        self, oid: int, name: str, value: Value, site: Site | None, kind: str = ""
    ) -> None:
        """Bind one attribute, through a property's setter if there is one."""
        target = self.heap.objects[oid]
        cls = target.cls
        if cls is not None:
            for owner in cls.classes():
                for found in owner.own(name):
                    scope = found.scope
                    if scope is not None and f"{name}.setter" in scope.decorators:
                        closure = self.closure_at(found, scope, owner)
                        if closure is not None:
                            method = Bound(closure, Ref(oid))
                            self.call(frozenset((method,)), Arguments((value,)), site)
                            return
        if self.demanding and oid == self.root and site is not None:
            self.record_write(name, site)
        self.heap.set(oid, name, value)
        substantial = any(not is_none(a) and a != ABSENT for a in value)
        if substantial or (oid, name) not in self.heap.edges:
            self.heap.edges[oid, name] = Edge(site, self.stage, kind)

    def delete_attribute(self, target: Value, name: str) -> None:
        """``del target.name``."""
        for atom in target:
            if isinstance(atom, Ref):
                self.heap.set(atom.oid, name, NOTHING)

    # Names that are computed

    def dynamic_attribute(
        self, target: Value, names: Value, default: Value | None, site: Site | None
    ) -> Value:
        """``getattr(target, names[, default])``."""
        results: list[Value] = []
        for text, _ in texts_of(names):
            there = None if default is None else self.has(target, text)
            if default is not None and there is not True:
                results.append(default)
            if there is not False:
                self.catches += default is not None
                try:
                    results.append(self.attribute(target, text, site))
                except Terminated:
                    if default is None:
                        raise
                finally:
                    self.catches -= default is not None
        for atom in names:
            if isinstance(atom, Pattern):
                results.append(self._matching(target, atom, site))
            elif not (isinstance(atom, Const) and isinstance(atom.value, str)):
                for ref in target:
                    if isinstance(ref, Ref):
                        self.use(ref.oid, site, "getattr with a name that is not known")
                        results.append(self.heap.everything(ref.oid))
        if default is not None and len(results) == 0:
            results.append(default)
        return join(*results) or UNKNOWN

    def _matching(self, target: Value, pattern: Pattern, site: Site | None) -> Value:
        results = [UNKNOWN]
        for ref in target:
            if isinstance(ref, Ref):
                this: Value = frozenset((ref,))
                names = dict.fromkeys(self.heap.slots(ref.oid))
                cls = self.object(ref).cls
                for owner in cls.classes() if cls is not None else ():
                    names.update(dict.fromkeys(owner.scope.bindings))
                fitting = [n for n in names if _fits(pattern, n)]
                results.extend(self.attribute(this, name, site) for name in fitting)
        return join(*results)

    def bind_dynamic(self, target: Value, names: Value, value: Value, site: Site | None) -> None:
        """``setattr(target, names, value)``."""
        for atom in names:
            if isinstance(atom, Const) and isinstance(atom.value, str):
                self.bind_attribute(target, atom.value, value, site)
            elif isinstance(atom, Pattern):
                self.bind_attribute(target, f"{atom.prefix}{ANY}{atom.suffix}", value, site)
            else:
                self.bind_attribute(target, ANY, value, site)

    def _inherited_of(self, atom: Ref, name: str) -> Value:
        cls = self.object(atom).cls
        found = frozenset[Atom]() if cls is None else self._inherited(cls.mro, name, atom, None)
        return frozenset(a for a in found if isinstance(a, Bound))


def bind(value: Value, receiver: Atom) -> Value:
    """Functions become methods of ``receiver``; anything else stays."""
    return frozenset(Bound(a.closure, receiver) if isinstance(a, FuncRef) else a for a in value)


def describes(root: Root, name: str) -> bool:
    """Whether the profile says what this method of a framework base does."""
    return (
        name in root.methods
        or name in root.raises
        or name in root.inert
        or name == root.call
        or name in {"__init__", "__call__"}
    )


def matches(pattern: str, name: str) -> bool:
    """Whether a name with an unknown middle may be ``name``."""
    prefix, _, suffix = pattern.partition(ANY)
    enough = len(name) >= len(prefix) + len(suffix)
    return enough and name.startswith(prefix) and name.endswith(suffix)


def _fits(pattern: Pattern, name: str) -> bool:
    return name.startswith(pattern.prefix) and name.endswith(pattern.suffix)
