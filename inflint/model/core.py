"""The machine's state: its heap and frames, alternatives, and what was read.

The machine interprets facts abstractly: it runs constructors and entry points of one class
as Python would, follows calls into whatever source is known, takes both branches where a
condition is not known, and keeps for each value all that it may be. It is built in layers,
each a class in a module of its own: state (here), :mod:`naming`, :mod:`escaping`,
:mod:`attributes`, :mod:`elements`, :mod:`calls`, :mod:`containers`, :mod:`modules`,
:mod:`builtins`, :mod:`expressions` and, complete, :mod:`statements`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from inflint.model.heap import Heap, Object
from inflint.model.units import Site, Unit  # noqa: TC001 - NamedTuple fields
from inflint.model.values import (
    NOTHING,
    UNKNOWN,
    Atom,
    Const,
    Ref,
    Value,
    follows_mode,
    join,
    ordered,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inflint.model.frames import Frame, State
    from inflint.model.profile import Profile
    from inflint.model.universe import Universe
    from inflint.syntax import facts

STEPS = 250_000
"""Steps that one class may cost before its verdict is *uncertain*: expressions, statements,
and what the heap does for them.
"""


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

    def before(self, later: Arguments) -> Arguments:
        """What a partial call hands over: all but the function itself, and what comes later."""
        keywords = {**dict(self.keywords), **dict(later.keywords)}
        positional = (*self.positional[1:], *later.positional)
        return Arguments(positional, tuple(keywords.items()), join(self.more, later.more))


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

    @property
    def doubt(self) -> tuple[bool, bool]:
        """How far it is from certain to fail where the attribute is missing."""
        return self.caught, self.guarded


@dataclass(eq=False)
class Recorder:
    """What was touched while it listened; none is the same as another."""

    reads: dict[tuple[int, str], Read] = field(default_factory=dict)
    uses: dict[int, Read] = field(default_factory=dict)
    writes: dict[str, Read] = field(default_factory=dict)

    def include(self, earlier: Recorder) -> None:
        """Add what another one noted before; of two reads the more certain one counts."""
        for key, read in earlier.reads.items():
            known = self.reads.get(key)
            if known is None or known.doubt >= read.doubt:
                self.reads[key] = read
        self.writes |= earlier.writes


class Core(ABC):
    """State, names and classes; see the module's docstring.

    Args:
        universe: Where names resolve.
        inference_only: The mode in which the module is built.

    Attributes:
        forks: Whether all that has happened would have happened in the other mode, too, and
            nothing is shared that either of two forks could change.
    """

    def __init__(self, universe: Universe, *, inference_only: bool) -> None:
        self.universe = universe
        self.profile: Profile = universe.profile
        self.inference_only = inference_only
        self.forks = True
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
        self.asked: set[str] = set()
        self.trained = False
        self.wild: str = ""
        self.pending: list[Value] = []
        self.patches: dict[tuple[object, str], Value] = {}
        self.raised: list[tuple[Frame, int, list[State]]] = []
        self._summaries: dict[object, int] = {}
        self._marked: dict[int, int] = {}
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
        return known.doubt > (self.catches > 0, self.guards > 0)

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


def join_variables(envs: list[dict[str, Value]]) -> dict[str, Value]:
    """Local variables where several ways meet."""
    first, *rest = envs
    if not rest:
        return first
    names = dict.fromkeys(name for env in envs for name in env)
    return {name: join(*(env.get(name, NOTHING) for env in envs)) for name in names}


def texts_of(value: Value) -> list[tuple[str, Site | None]]:
    """The strings among a value's atoms, with where they were written."""
    return [
        (a.value, a.site)
        for a in ordered(value)
        if isinstance(a, Const) and isinstance(a.value, str)
    ]


def sole(value: Value) -> Atom | None:
    """The only atom of a value."""
    return next(iter(value)) if len(value) == 1 else None
