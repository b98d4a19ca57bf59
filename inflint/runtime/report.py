"""What a verification found: frozen values, which formats render and programs read."""

from __future__ import annotations

from dataclasses import dataclass

ERROR, WARNING, NOTE = "error", "warning", "note"


@dataclass(frozen=True)
class Place:
    """A line of source.

    Attributes:
        file: Its absolute path.
        line: 1-based.
        function: The function that the line is in; empty if none.
    """

    file: str
    line: int
    function: str = ""


@dataclass(frozen=True)
class Cause:
    """One thing to know about a module.

    Attributes:
        rule: Its short name; the name of inflint's rule where one says the same.
        severity: ``error`` and ``warning`` refute the module, a ``note`` does not.
        path: The part that it is about; empty for the whole module.
        message: What was observed.
        advice: What to do about it; empty if nothing need or can be done.
        exception: Type and message of the exception that showed it; empty if none did.
        place: Where it happened, or where the list is written.
    """

    rule: str
    severity: str
    path: str
    message: str
    advice: str = ""
    exception: str = ""
    place: Place | None = None


@dataclass(frozen=True)
class ListedPath:
    """A path that the module lists.

    Attributes:
        path: As listed.
        kind: ``module``, ``parameter``, ``buffer``, ``attribute``, ``class attribute``, or
            empty where it leads to nothing.
        resolves: Whether the full copy, with its target networks, has it.
        removed: Whether the inference-only copy is without it.
        size: Bytes that it has in the full copy's state.
        used: Whether inference needs it.
    """

    path: str
    kind: str
    resolves: bool
    removed: bool
    size: int
    used: bool


@dataclass(frozen=True)
class UnlistedPart:
    """A part with weights that no inference call used and no path lists.

    Attributes:
        path: The largest such part.
        size: Bytes of its parameters and buffers.
        on_runner: Whether the inference-only copy holds it; it is sent in any case.
    """

    path: str
    size: int
    on_runner: bool


@dataclass(frozen=True)
class CallResult:
    """One inference call on the inference-only copy, after a weight sync.

    Attributes:
        name: The call.
        ran: Whether it returned.
        equal: Whether it gave what the full copy gives, recurrent state included; None where
            that could not be compared.
        detail: The exception, or the first output that differs.
    """

    name: str
    ran: bool
    equal: bool | None
    detail: str = ""


@dataclass(frozen=True)
class Savings:
    """Bytes of the states; a tensor with two names is sent twice and counts twice.

    Attributes:
        full: The full copy's state, target networks included.
        carried: The state of a full copy as an EnvRunner would hold it, without them.
        sent: The state that one weight sync sends to one EnvRunner.
        runner: The state that the inference-only copy holds.
        runners: To how many EnvRunners one sync goes.
    """

    full: int
    carried: int
    sent: int
    runner: int
    runners: int = 1

    @property
    def per_runner(self) -> int:
        """Bytes of memory that each inference-only copy saves."""
        return self.carried - self.runner

    @property
    def per_sync(self) -> int:
        """Bytes of traffic that each sync to all EnvRunners saves."""
        return (self.full - self.sent) * self.runners


@dataclass(frozen=True)
class Disagreement:
    """Where what inflint says from source and what ran are not the same.

    Attributes:
        path: The part.
        static: The verdict from source: ``needed``, ``unused`` or ``uncertain``.
        runtime: ``used`` or ``unused``.
        unsafe: Source says unused and it was used: an error of inflint's.
        message: The same in words.
    """

    path: str
    static: str
    runtime: str
    unsafe: bool
    message: str


@dataclass(frozen=True)
class Report:
    """The result for one module.

    Attributes:
        name: The target, and the module's ID where there are several.
        module_class: Module and qualified name of the class.
        place: Where the class is defined.
        listed: What the module lists, in its order.
        unlisted: What it should list.
        calls: The inference calls.
        keys: The keys of the state that is sent, in order.
        missing_keys: Keys that the inference-only copy has and the sent state lacks.
        savings: Sizes; None where the module could not be built.
        causes: All that was found, errors first.
        disagreements: Between source and run.
        simulated: Whether the module was too large to build, so that it ran on the meta device:
            then shapes and paths are proven, and the outputs' values are not.
        static: Whether the class's source could be judged.
    """

    name: str
    module_class: str
    place: Place | None
    listed: tuple[ListedPath, ...] = ()
    unlisted: tuple[UnlistedPart, ...] = ()
    calls: tuple[CallResult, ...] = ()
    keys: tuple[str, ...] = ()
    missing_keys: tuple[str, ...] = ()
    savings: Savings | None = None
    causes: tuple[Cause, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    simulated: bool = False
    static: bool = False

    @property
    def proven(self) -> bool:
        """Whether nothing was found that is more than a note."""
        return not self.refutations

    @property
    def refutations(self) -> tuple[Cause, ...]:
        """The errors and warnings."""
        return tuple(c for c in self.causes if c.severity != NOTE)
