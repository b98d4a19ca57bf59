"""Abstract values: what an expression may evaluate to.

A :data:`Value` is a set of *atoms*, one for each thing it may be. :data:`UNKNOWN` stands
for anything that is no component; :data:`ABSENT` says that a name may be unbound.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from inflint.model.frames import Closure
    from inflint.model.hierarchy import Class, Entry
    from inflint.model.profile import Constant, Root
    from inflint.model.units import Site, SourceFile, Unit


class Const(NamedTuple):
    """A constant. Only a *firm* one decides a branch: nothing else can rebind it.

    ``type`` keeps ``1`` and ``True`` apart; ``site`` is where a string was written;
    ``guard`` says that it follows from the mode in which the module is built.
    """

    type: str
    value: Constant
    firm: bool
    site: Site | None
    guard: bool = False


class Pattern(NamedTuple):
    """A string of which only the beginning and the end are known."""

    prefix: str
    suffix: str


class Ref(NamedTuple):
    """An object on the heap."""

    oid: int


class ClassRef(NamedTuple):
    """A class whose source is known."""

    info: Class


class FuncRef(NamedTuple):
    """A function whose source is known."""

    closure: Closure


class Bound(NamedTuple):
    """A method with its receiver."""

    closure: Closure
    receiver: Atom


class Super(NamedTuple):
    """``super()``: the rest of the receiver's MRO."""

    after: tuple[Entry, ...]
    receiver: Ref


class ModuleRef(NamedTuple):
    """A module whose source is known."""

    file: SourceFile


class Ext(NamedTuple):
    """Something outside the sources that are read, by its dotted name."""

    name: str


class Native(NamedTuple):
    """A builtin function, or a method that the model itself implements."""

    name: str
    receiver: Atom | None


class RootMethod(NamedTuple):
    """A method of one of the framework's base classes, described by the profile."""

    root: Root
    name: str
    receiver: Atom


class Reflect(NamedTuple):
    """Something through which every part of an object can be reached.

    ``by`` is the attribute or method that gave it; ``sample`` says that it is one of the
    parts, whichever comes first.
    """

    oid: int
    by: str = ""
    sample: bool = False


class Mark(NamedTuple):
    """A value without content."""

    name: str


Atom: TypeAlias = (
    Const
    | Pattern
    | Ref
    | ClassRef
    | FuncRef
    | Bound
    | Super
    | ModuleRef
    | Ext
    | Native
    | RootMethod
    | Reflect
    | Mark
)
Value: TypeAlias = frozenset[Atom]

ABSENT = Mark("absent")
UNKNOWN_ATOM = Mark("unknown")
UNKNOWN: Value = frozenset((UNKNOWN_ATOM,))
NOTHING: Value = frozenset((ABSENT,))
TEXT = 4096
"""Longest string that is kept."""
LIMIT = 48
"""Most atoms a value holds before its constants are forgotten."""


def constant(
    value: Constant, site: Site | None = None, *, firm: bool = True, guard: bool = False
) -> Value:
    """The value of a literal."""
    if isinstance(value, str) and len(value) > TEXT:
        return UNKNOWN
    return frozenset((Const(type(value).__name__, value, firm, site, guard),))


NONE = constant(None)


_EMPTY: Value = frozenset()


def join(*values: Value) -> Value:
    """What is one of several values."""
    result = values[0] if len(values) == 1 else _EMPTY.union(*values)
    if len(result) > LIMIT:
        kept = (a for a in result if not isinstance(a, (Const, Pattern)))
        return frozenset((UNKNOWN_ATOM, *kept))
    return result


def soften(value: Value, *, guards: bool = True) -> Value:
    """The same constants, no longer able to decide a branch.

    Without ``guards``, those that follow from the mode still are.
    """

    def soft(atom: Atom) -> Atom:
        keeps = not isinstance(atom, Const) or (atom.guard and not guards)
        return atom if keeps or not isinstance(atom, Const) else atom._replace(firm=False)

    return frozenset(soft(a) for a in value)


def follows_mode(value: Value) -> bool:
    """Whether a constant follows from the mode in which the module is built."""
    return bool(value) and all(isinstance(a, Const) and a.guard for a in value)


def present(value: Value) -> Value:
    """The value without the possibility of being unbound."""
    return value - NOTHING if ABSENT in value else value


def strings(value: Value) -> list[str] | None:
    """The strings it may be, or None if it may be something else."""
    texts = [a.value for a in value if isinstance(a, Const) and isinstance(a.value, str)]
    return sorted(texts) if len(texts) == len(value) else None


def ordered(value: Value) -> list[Atom]:
    """The atoms of a value, in the same order in each run.

    Sets have none, since the hashes of texts and of objects differ from run to run.
    """
    return list(value) if len(value) < 2 else sorted(value, key=_rank)


def _rank(atom: Atom) -> tuple[str, ...]:
    kind = type(atom).__name__
    match atom:
        case Ref():
            return kind, f"{atom.oid:09}"
        case Const():
            site = () if atom.site is None else _place(atom.site.unit, atom.site.at)
            return kind, atom.type, repr(atom.value), *site
        case FuncRef():
            return kind, *_place(atom.closure.unit, atom.closure.function.at)
        case Bound():
            place = _place(atom.closure.unit, atom.closure.function.at)
            return kind, *place, *_rank(atom.receiver)
        case ClassRef():
            return kind, str(atom.info.file.path), *map(str, atom.info.scope.head)
        case ModuleRef():
            return kind, str(atom.file.path)
        case RootMethod():
            return kind, atom.root.names[0], atom.name, *_rank(atom.receiver)
        case Super():
            return kind, str(len(atom.after)), *_rank(atom.receiver)
        case Native():
            receiver = () if atom.receiver is None else _rank(atom.receiver)
            return kind, atom.name, *receiver
        case _:
            return kind, repr(atom)


def _place(unit: Unit, at: int) -> tuple[str, ...]:
    return str(unit.file.path), f"{unit.span.line:07}", f"{unit.span.column:05}", f"{at:07}"


def is_none(atom: Atom | None) -> bool:
    """Whether an atom is ``None`` itself."""
    return isinstance(atom, Const) and atom.value is None


def truth(value: Value) -> bool | None:
    """Whether it is true; None where that is not known for certain."""
    answers = {_truth(a) for a in value}
    return answers.pop() if len(answers) == 1 else None


def _truth(atom: Atom) -> bool | None:
    if isinstance(atom, Const):
        return bool(atom.value) if atom.firm else None
    if isinstance(atom, (ClassRef, FuncRef, Bound, Native, RootMethod)):
        return True
    return None
