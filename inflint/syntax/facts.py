"""The facts of a function: its statements and expressions, lowered, without meaning yet.

A small language that keeps only what matters for who binds, reads, calls, returns and
deletes which access path, and under which condition. Everything else becomes
:class:`Opaque`, whose parts are still evaluated. All nodes are immutable tuples, so that
they compare, hash and serialise without further ado.

``at`` is a *site*: the ordinal of the node within its function. LibCST computes
positions slowly, so a site becomes a line and column only where something is reported
(:func:`inflint.syntax.lower.spans`).
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Span(NamedTuple):
    """A region of a file: 1-based lines, 0-based character columns, end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class Const(NamedTuple):
    """A literal; ``joined`` says that adjacent string literals were run together."""

    at: int
    value: str | int | float | bool | None
    joined: tuple[str, ...] = ()


class Name(NamedTuple):
    """A name that is read, or bound where it is a target."""

    at: int
    id: str


class Attr(NamedTuple):
    """``value.name``, with private names already mangled."""

    at: int
    value: Expr
    name: str


class Item(NamedTuple):
    """``value[key]``; a slice is an :class:`Opaque` key."""

    at: int
    value: Expr
    key: Expr


class Call(NamedTuple):
    """``func(*args, **keywords)``; a keyword without a name is ``**mapping``."""

    at: int
    func: Expr
    args: tuple[Expr, ...]
    keywords: tuple[tuple[str | None, Expr], ...]


class Sequence(NamedTuple):
    """A list, tuple or set display."""

    at: int
    kind: str
    items: tuple[Expr, ...]


class Mapping(NamedTuple):
    """A dict display; an item without a key is ``**mapping``."""

    at: int
    items: tuple[tuple[Expr | None, Expr], ...]


class Text(NamedTuple):
    """An f-string: literal parts and evaluated ones."""

    at: int
    parts: tuple[Expr, ...]


class Binary(NamedTuple):
    """``left op right``; ``bare`` says that no parentheses enclose it."""

    at: int
    op: str
    left: Expr
    right: Expr
    bare: bool


class Logic(NamedTuple):
    """``left and right`` or ``left or right``."""

    op: str
    left: Expr
    right: Expr


class Not(NamedTuple):
    """``not value``."""

    value: Expr


class Compare(NamedTuple):
    """One comparison, ``left op right``."""

    op: str
    left: Expr
    right: Expr


class Choice(NamedTuple):
    """``body if test else orelse``."""

    at: int
    test: Expr
    body: Expr
    orelse: Expr


class Lambda(NamedTuple):
    """A lambda, as a function that returns its body."""

    at: int
    function: Function


class Clause(NamedTuple):
    """One ``for target in iterable if …`` of a comprehension."""

    target: Expr
    iterable: Expr
    tests: tuple[Expr, ...]


class Comprehension(NamedTuple):
    """A comprehension; ``key`` only in those that build a dict."""

    at: int
    kind: str
    key: Expr | None
    element: Expr
    clauses: tuple[Clause, ...]


class Walrus(NamedTuple):
    """``target := value``."""

    target: Expr
    value: Expr


class Star(NamedTuple):
    """``*value`` in a call, display or target."""

    value: Expr


class Yield(NamedTuple):
    """``yield value``; ``yield from value`` has a :class:`Star`."""

    at: int
    value: Expr | None


class Opaque(NamedTuple):
    """Anything else: its parts are evaluated, its value is unknown."""

    at: int
    parts: tuple[Expr, ...]


Expr: TypeAlias = (
    Const
    | Name
    | Attr
    | Item
    | Call
    | Sequence
    | Mapping
    | Text
    | Binary
    | Logic
    | Not
    | Compare
    | Choice
    | Lambda
    | Comprehension
    | Walrus
    | Star
    | Yield
    | Opaque
)


class Assign(NamedTuple):
    """``target = … = value``."""

    at: int
    targets: tuple[Expr, ...]
    value: Expr


class Augment(NamedTuple):
    """``target op= value``."""

    at: int
    target: Expr
    op: str
    value: Expr


class Evaluate(NamedTuple):
    """An expression as a statement."""

    at: int
    value: Expr


class Branch(NamedTuple):
    """``if test: body else: orelse``."""

    at: int
    test: Expr
    body: Body
    orelse: Body


class Loop(NamedTuple):
    """``for target in iterable``; without a target it is ``while iterable``."""

    at: int
    target: Expr | None
    iterable: Expr
    body: Body
    orelse: Body


class Return(NamedTuple):
    """``return value``."""

    at: int
    value: Expr | None


class Raise(NamedTuple):
    """``raise``, or an assertion's failing side."""

    at: int
    parts: tuple[Expr, ...]


class Delete(NamedTuple):
    """``del targets``."""

    at: int
    targets: tuple[Expr, ...]


class Handler(NamedTuple):
    """One ``except`` clause: what it catches, as written, and what it does."""

    catches: tuple[str, ...]
    name: str | None
    body: Body


class Attempt(NamedTuple):
    """``try`` with its handlers."""

    at: int
    body: Body
    handlers: tuple[Handler, ...]
    orelse: Body
    final: Body


class With(NamedTuple):
    """``with item as target, …: body``."""

    at: int
    items: tuple[tuple[Expr, Expr | None], ...]
    body: Body


class Case(NamedTuple):
    """One ``case``: literals it compares, names that its pattern binds, guard and body.

    ``wildcard`` says that the pattern matches anything.
    """

    literals: tuple[Const, ...] | None
    wildcard: bool
    binds: tuple[str, ...]
    guard: Expr | None
    body: Body


class Match(NamedTuple):
    """``match subject``."""

    at: int
    subject: Expr
    cases: tuple[Case, ...]


class Define(NamedTuple):
    """A nested ``def``."""

    at: int
    function: Function


class DefineClass(NamedTuple):
    """A nested ``class``: the header has the rest."""

    at: int
    name: str


class Import(NamedTuple):
    """Names that an import inside a function binds: (name, module, attribute, level)."""

    at: int
    names: tuple[tuple[str, str, str | None, int], ...]


class Declare(NamedTuple):
    """``global`` or ``nonlocal``."""

    kind: str
    names: tuple[str, ...]


class Jump(NamedTuple):
    """``break`` or ``continue``."""

    kind: str


Stmt: TypeAlias = (
    Assign
    | Augment
    | Evaluate
    | Branch
    | Loop
    | Return
    | Raise
    | Delete
    | Attempt
    | With
    | Match
    | Define
    | DefineClass
    | Import
    | Declare
    | Jump
)
Body: TypeAlias = tuple[Stmt, ...]


class Param(NamedTuple):
    """A parameter; ``kind`` is ``positional``, ``star``, ``keyword`` or ``double``."""

    name: str
    kind: str
    default: Expr | None


class Function(NamedTuple):
    """A function's facts."""

    name: str
    params: tuple[Param, ...]
    decorators: tuple[Expr, ...]
    body: Body
    generator: bool
    at: int
