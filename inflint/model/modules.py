"""What ``torch.nn.Module`` brings: registering, walking its parts, hooks, modes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inflint.model.containers import Containers
from inflint.model.core import Arguments, texts_of
from inflint.model.values import (
    NONE,
    UNKNOWN,
    Bound,
    FuncRef,
    Ref,
    Reflect,
    Value,
    constant,
    join,
)

if TYPE_CHECKING:
    from inflint.model.units import Site


class Modules(Containers):
    """The methods of modules, by the role that the profile gives them."""

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
            self.heap.hook(target, functions)
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
