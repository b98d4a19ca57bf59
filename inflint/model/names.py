"""The declared list: which names ``get_non_inference_attributes`` returns, and how surely."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from inflint.model.core import ANYTHING, Terminated
from inflint.model.heap import ANY
from inflint.model.hierarchy import Class
from inflint.model.values import (
    ABSENT,
    Atom,
    Bound,
    Const,
    FuncRef,
    Mark,
    Ref,
    RootMethod,
    Value,
    ordered,
)

if TYPE_CHECKING:
    from inflint.model.frames import Closure
    from inflint.model.profile import Profile
    from inflint.model.statements import Machine
    from inflint.model.units import Site


@dataclass(frozen=True)
class ListedName:
    """One name of the list.

    Attributes:
        name: The dotted path, as listed.
        site: Where the string stands.
        certain: It is listed under every condition.
        group: Names of the same group stand in one list; those of others replace them.
    """

    name: str
    site: Site | None
    certain: bool
    group: int = 0


@dataclass(frozen=True)
class Declaration:
    """What the method returns.

    Attributes:
        names: In order, duplicates included.
        complete: All names are known, but for what the faults say.
        owner: The class whose method it is.
        closure: The method.
        faults: What it returns that is no list of names: ``text``, ``none``,
            ``generator``, ``property``, ``objects``.
        mutations: Where it changes a list that others share, and who shares it.
        kinds: What it returns: ``list``, ``tuple``, ``set``, ``dict``; empty where that is
            not known.
    """

    names: tuple[ListedName, ...]
    complete: bool
    owner: Class
    closure: Closure
    faults: frozenset[str] = frozenset()
    mutations: tuple[tuple[Site, str], ...] = ()
    kinds: frozenset[str] = frozenset()

    def lists(self, name: str) -> ListedName | None:
        """The entry for a path."""
        return next((n for n in self.names if n.name == name), None)


def declaration(machine: Machine, cls: Class, method: str = "") -> Declaration | None:
    """The list of a built class; None where no method of the MRO gives one.

    Args:
        machine: That built it.
        cls: The class.
        method: What gives the list; empty for the API's method.
    """
    method = method or machine.profile.api_method
    owner = implementer(machine.profile, cls, method)
    if owner is None:
        return None
    definition = owner.own(method)[-1]
    scope = definition.scope
    if scope is None or scope.kind != "function":
        return None
    closure = machine.closure_at(definition, scope, owner)
    if closure is None:
        return None
    this = Ref(machine.root or 0)
    value = machine.definition(definition, owner)
    roles = {d.rpartition(".")[2] for d in scope.decorators}
    if "abstractmethod" in roles and not closure.function.body:
        return None
    machine.mutations = []
    machine.listing_since = len(machine.heap.objects)
    callees = frozenset(Bound(a.closure, this) for a in value if isinstance(a, FuncRef))
    try:
        returned = machine.call(callees, ANYTHING, None)
    except Terminated:
        return None
    faults = {"property"} if roles & {"property", "cached_property"} else set()
    if closure.function.generator:
        faults.add("generator")
    names, complete = _names(machine, returned, faults)
    if faults and value != frozenset((FuncRef(closure),)):
        faults.clear()  # a decorator of the project may turn it into a list
        complete = False
    mutations = tuple((site, who) for site, who in machine.mutations if site is not None)
    objects = [machine.object(a) if isinstance(a, Ref) else None for a in returned]
    kinds = frozenset(made.kind for made in objects if made is not None)
    if None in objects:
        kinds = frozenset()
    return Declaration(names, complete, owner, closure, frozenset(faults), mutations, kinds)


def declaration_apart(machine: Machine, cls: Class, method: str = "") -> Declaration | None:
    """As :func:`declaration`, but the machine is as before afterwards."""
    mark, ran, recorder = machine.heap.mark(), set(machine.ran), machine.recorder
    machine.recorder = None
    found = declaration(machine, cls, method)
    machine.heap.undo(mark)
    machine.ran, machine.recorder = ran, recorder
    return found


def in_both_modes(listed: Declaration | None, runner: Machine, cls: Class) -> Declaration | None:
    """A Learner's list, and what an EnvRunner's module lists beyond it or does not list.

    A Learner's list filters the state, an EnvRunner's own one is what is removed from it.
    Names of one mode alone are not certain.
    """
    if listed is None or listed.faults:
        return listed
    other = declaration_apart(runner, cls)
    if other is None or other.faults:
        return listed
    mine, theirs = ({n.name for n in d.names} for d in (listed, other))
    names = [n if n.name in theirs else replace(n, certain=False) for n in listed.names]
    groups = 1 + max((n.group for n in listed.names), default=0)
    known = {(n.name, n.site) for n in names}
    names += [
        replace(n, certain=n.certain and n.name in mine, group=n.group + groups)
        for n in other.names
        if (n.name, n.site) not in known
    ]
    return replace(listed, names=tuple(names), complete=listed.complete and other.complete)


def implementer(profile: Profile, cls: Class, method: str) -> Class | None:
    """The class whose method Python finds; None where that is the API's abstract one."""
    for entry in cls.mro:
        if isinstance(entry, Class):
            if entry.own(method):
                return entry
        elif isinstance(entry, str) and entry in profile.api_names:
            return None
    return None


def _names(
    machine: Machine, returned: Value, faults: set[str]
) -> tuple[tuple[ListedName, ...], bool]:
    lists: list[list[tuple[str, Site | None, bool]]] = []
    complete = True
    for atom in ordered(returned):
        if isinstance(atom, Const):
            if atom.firm:
                faults.add("none" if atom.value is None else "text")
            complete = complete and atom.firm
        elif isinstance(atom, Ref) and machine.object(atom).kind in {"list", "tuple", "set"}:
            if machine.object(atom).once:
                faults.add("generator")
            found, known = _elements(machine, atom.oid, faults)
            complete = complete and known
            lists.append(found)
        elif isinstance(atom, Ref) and machine.object(atom).kind == "dict":
            slots = machine.heap.slots(atom.oid)
            complete = complete and ANY not in slots
            lists.append([(k, None, ABSENT not in v) for k, v in slots.items() if k != ANY])
        else:
            complete = False
    everywhere = [{n for n, _, sure in entries if sure} for entries in lists]
    result = []
    for group, entries in enumerate(lists):
        for name, site, _ in entries:
            certain = complete and all(name in sure for sure in everywhere)
            result.append(ListedName(name, site, certain, group))
    return tuple(result), complete


def _elements(
    machine: Machine, oid: int, faults: set[str]
) -> tuple[list[tuple[str, Site | None, bool]], bool]:
    found: list[tuple[str, Site | None, bool]] = []
    complete = True
    for key, value in machine.heap.slots(oid).items():
        sure = ABSENT not in value and key != ANY
        for atom in ordered(value):
            if isinstance(atom, Const) and isinstance(atom.value, str):
                alone = len(value) == 1
                found.append((atom.value, atom.site, sure and alone))
            elif _is_object(machine, atom):
                faults.add("objects")
            elif not (isinstance(atom, Mark) and atom == ABSENT):
                complete = False
    return found, complete


def _is_object(machine: Machine, atom: Atom) -> bool:
    """Whether a list element certainly is a module or method, and no name."""
    if not isinstance(atom, Ref):
        return isinstance(atom, (Bound, RootMethod, FuncRef))
    target = machine.object(atom)
    if target.cls is not None:
        return target.cls.is_torch()
    return target.factory is not None and target.factory.kind not in {"", "plain"}
