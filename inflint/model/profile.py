"""The framework profile, ``rules/rllib.toml``: what RLlib and torch name and do."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from packaging.version import Version

from inflint.data import rules_directory

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Iterator

Constant: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True, eq=False)
class Root:
    """A base class of the framework, known by name and never read.

    Attributes:
        names: Its dotted names; the first is the canonical one.
        bases: Canonical names of its own bases that are roots, too.
        init_calls: Methods that its constructor runs on ``self``.
        methods: What a method does: it calls or reads these names on ``self``
            (``self`` alone: it returns the object).
        raises: Methods that only raise.
        inert: Methods that touch no component.
        attributes: Attributes that its constructor sets.
        constants: Attributes with a known value.
        strips: It removes the listed attributes in inference-only mode.
        module: It is what the linter looks for.
        multi: It holds modules of its own and ignores the API.
        wrapper: It forwards to another module.
        torch_module: It registers modules, parameters and buffers.
        call: The method behind ``obj(...)``.
    """

    names: tuple[str, ...]
    bases: tuple[str, ...] = ()
    init_calls: tuple[str, ...] = ()
    methods: dict[str, tuple[str, ...]] = field(default_factory=dict)
    raises: tuple[str, ...] = ()
    inert: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    constants: dict[str, Constant] = field(default_factory=dict)
    strips: bool = False
    module: bool = False
    multi: bool = False
    wrapper: bool = False
    torch_module: bool = False
    call: str | None = None

    @property
    def name(self) -> str:
        """The canonical dotted name."""
        return self.names[0]

    @property
    def bare_name(self) -> str:
        """The name of the class alone."""
        return self.name.rpartition(".")[2]


@dataclass(frozen=True)
class Part:
    """A sub-module of what a factory builds.

    ``inference`` is False where no action needs it; ``state`` says that it feeds the
    recurrent state if the module has one. ``switch`` is an attribute that code has to set
    first, so that the factory leaves the part out on an EnvRunner.
    """

    name: str
    inference: bool = True
    state: bool = False
    switch: str = ""


@dataclass(frozen=True)
class Wrapper:
    """What holds the modules of a plain container so that torch knows of them.

    Attributes:
        name: Its bare name.
        methods: Those that do the same as the plain container's.
        taken: Keys that it refuses, since they are attributes of its own.
    """

    name: str
    methods: frozenset[str]
    taken: frozenset[str]


@dataclass(frozen=True)
class Factory:
    """What a call returns.

    Attributes:
        kind: ``module``, ``parameter``, ``container``, ``catalog``, ``target``, ``plain``;
            empty where the argument decides.
        parts: Sub-modules with a role of their own.
        container: ``list``, ``sequence`` or ``dict`` where the arguments become elements.
        deletes: Elements of the container can be deleted.
        copies: The result is a copy of the first argument.
        wraps: The result holds the first argument.
        returns_argument: The result is the first argument.
        attributes: All that its parameters and settings are called, where that is known.
        parameters: Those of them that are parameters.
    """

    kind: str = ""
    parts: tuple[Part, ...] = ()
    container: str | None = None
    deletes: bool = True
    copies: bool = False
    wraps: bool = False
    returns_argument: bool = False
    attributes: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()


@dataclass(frozen=True)
class Release:
    """What the framework does with the list, from one release on.

    Attributes:
        since: The first release that does so.
        removal: ``none``, or ``leaf-on-root``: the last part of a path is deleted on the
            module itself.
        missing_keys: ``ignored`` or ``error``, at a weight sync on an EnvRunner.
        flag: The expression by which ``setup`` asks for the mode.
        without_guards: Guards that do not hold.
        methods: What methods of the base classes do instead.
        raises: Methods of the base classes that only raise.
    """

    since: str
    removal: str = "leaf-on-root"
    missing_keys: str = "error"
    flag: str = ""
    without_guards: tuple[str, ...] = ()
    methods: dict[str, tuple[str, ...]] = field(default_factory=dict)
    raises: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Profile:
    """The whole profile; see the comments in ``rules/rllib.toml``."""

    package: str
    recorded: str
    releases: tuple[Release, ...]
    release: Release
    opaque: tuple[str, ...]
    roots: tuple[Root, ...]
    api_names: tuple[str, ...]
    api_import: str
    api_method: str
    api_decorator: str
    inert_bases: tuple[re.Pattern[str], ...]
    entry_points: tuple[str, ...]
    forwards: tuple[str, ...]
    learner_methods: tuple[str, ...]
    value_keys: tuple[str, ...]
    multi_spec: str
    setup_methods: tuple[str, ...]
    target_methods: tuple[str, ...]
    external_reads: tuple[tuple[str, str], ...]
    guards: dict[str, Constant]
    factories: tuple[tuple[str, Factory], ...]
    returns: dict[str, tuple[str, ...]]
    torch_methods: dict[str, str]
    recursive_methods: dict[str, str]
    reflective_attributes: frozenset[str]
    sample_attributes: frozenset[str]
    container_attributes: frozenset[str]
    wrappers: dict[str, Wrapper]
    wrapper_module: str
    wrapper_namespace: str
    house_bases: tuple[str, ...] = ()

    def extended(
        self,
        house_bases: tuple[str, ...] = (),
        entry_points: tuple[str, ...] = (),
        factories: tuple[str, ...] = (),
    ) -> Profile:
        """The profile with what a project adds.

        Args:
            house_bases: Dotted names of base classes that count as the framework's.
            entry_points: Methods that are called at inference, too.
            factories: Dotted names of functions that return modules, with wildcards.
        """
        if not (house_bases or entry_points or factories):
            return self
        made = tuple((f"{name}()", Factory(kind="module")) for name in factories)
        return replace(
            self,
            house_bases=(*self.house_bases, *house_bases),
            entry_points=tuple(dict.fromkeys((*self.entry_points, *entry_points))),
            factories=(*made, *self.factories),
        )

    def at(self, version: str) -> Profile:
        """The profile as one release of the framework has it."""
        wanted = Version(version)
        known = [r for r in self.releases if Version(r.since) <= wanted]
        release = known[-1] if known else self.releases[0]
        return replace(
            self,
            release=release,
            guards={k: v for k, v in self.guards.items() if k not in release.without_guards},
            roots=tuple(_root_at(root, release) for root in self.roots),
        )

    @cached_property
    def root_by_name(self) -> dict[str, Root]:
        """Roots by each of their names."""
        return {name: root for root in self.roots for name in root.names}

    @property
    def api_class(self) -> str:
        """The bare name of the API's class."""
        return self.api_names[0].rpartition(".")[2]

    @cached_property
    def module_roots(self) -> tuple[str, ...]:
        """All names of base classes that make a class one of the framework's modules."""
        own = tuple(n for root in self.roots if not root.torch_module for n in root.names)
        return (*own, *self.house_bases)

    @property
    def setup_names(self) -> tuple[str, ...]:
        """The methods that build a module's components, and the one that lists names."""
        return (self.api_method, *self.setup_methods)

    def house_root(self, dotted: str) -> Root | None:
        """The root that a project's own base class of this name counts as."""
        for name in self.house_bases:
            if name == dotted or name.endswith(f".{dotted}"):
                return next(root for root in self.roots if root.strips)
        return None

    def factory(self, call: str) -> Factory | None:
        """What the profile says of a call, such as ``torch.nn.Linear()``."""
        return _factory(self, call)

    @cached_property
    def _calls(self) -> tuple[dict[str, int], list[tuple[int, str, str]]]:
        """Which entry stands for a call as written; for those with wildcards, how they begin."""
        exact: dict[str, int] = {}
        wild = []
        for number, (call, _) in enumerate(self.factories):
            if "*" in call:
                wild.append((number, call.partition("*")[0], call))
            else:
                exact.setdefault(call, number)
        return exact, wild

    def entry(self, call: str) -> Factory | None:
        """The first entry that matches; few of the patterns are ever compiled."""
        exact, wild = self._calls
        found = exact.get(call, len(self.factories))
        for number, stem, text in wild:
            if number < found and call.startswith(stem) and _pattern(text).fullmatch(call):
                found = number
                break
        return self.factories[found][1] if found < len(self.factories) else None

    def is_opaque(self, dotted: str) -> bool:
        """Whether sources behind this name are never read."""
        return f"{dotted}.".startswith(self._opaque_stems)

    @cached_property
    def _opaque_stems(self) -> tuple[str, ...]:
        return tuple(f"{name}." for name in self.opaque)

    def is_inert_base(self, dotted: str) -> bool:
        """Whether a base of this name brings neither components nor reads."""
        return any(p.fullmatch(dotted) for p in self.inert_bases)


@lru_cache(maxsize=4096)
def _factory(profile: Profile, call: str) -> Factory | None:
    return profile.entry(call)


@lru_cache(maxsize=1)
def load_profile() -> Profile:
    """Read the profile that ships with inflint."""
    raw = tomllib.loads((rules_directory() / "rllib.toml").read_text(encoding="utf-8"))
    releases = tuple(_releases(raw["release"]))
    entries = [(entry, _entry(entry)) for entry in raw["factory"]]
    return Profile(
        package=raw["package"]["name"],
        recorded=raw["package"]["recorded"],
        releases=releases,
        release=releases[-1],
        opaque=tuple(raw["sources"]["opaque"]),
        roots=tuple(_root(r) for r in raw["root"]),
        api_names=tuple(raw["api"]["names"]),
        api_import=raw["api"]["import_from"],
        api_method=raw["api"]["method"],
        api_decorator=raw["api"]["decorator"],
        inert_bases=tuple(_pattern(n) for n in raw["inert_bases"]["names"]),
        entry_points=tuple(raw["inference"]["entry_points"]),
        forwards=tuple(raw["inference"]["forwards"]),
        learner_methods=tuple(raw["inference"]["learner"]),
        value_keys=tuple(raw["inference"]["value_keys"]),
        multi_spec=raw["specs"]["multi"],
        setup_methods=tuple(raw["construction"]["stages"]["setup"]),
        target_methods=tuple(raw["construction"]["stages"]["target"]),
        external_reads=tuple((e["class"], e["path"]) for e in raw.get("external_read", ())),
        guards=dict(raw["guards"]),
        factories=tuple((call, made) for f, made in entries for call in f["calls"]),
        returns={r["call"]: tuple(r["names"]) for r in raw["returns"]},
        torch_methods={
            method: role
            for role, names in raw["torch_methods"].items()
            if role != "recursive"
            for method in names
        },
        recursive_methods=dict(raw["torch_methods"]["recursive"]),
        reflective_attributes=frozenset(raw["torch_attributes"]["reflect"]),
        sample_attributes=frozenset(raw["torch_attributes"]["sample"]),
        container_attributes=frozenset(raw["torch_attributes"]["container"]),
        wrappers={kind: _wrapper(w) for w in raw["wrapper"] for kind in w["kinds"]},
        wrapper_module=raw["wrappers"]["module"],
        wrapper_namespace=raw["wrappers"]["namespace"],
    )


def _releases(entries: list[dict[str, Any]]) -> Iterator[Release]:
    """Entries with what earlier ones say and later ones do not change."""
    values: dict[str, Any] = {}
    for entry in entries:
        values |= {k: tuple(v) if isinstance(v, list) else v for k, v in entry.items()}
        since = values.pop("from")
        methods = {k: tuple(v) for k, v in values.get("methods", {}).items()}
        yield Release(since=since, **{**values, "methods": methods})


def _root_at(root: Root, release: Release) -> Root:
    raised = tuple(name for name in release.raises if name in root.methods)
    changed = {n: v for n, v in release.methods.items() if n in root.methods}
    if not raised and not changed:
        return root
    methods = {n: v for n, v in {**root.methods, **changed}.items() if n not in raised}
    return replace(root, methods=methods, raises=(*root.raises, *raised))


def _root(raw: dict[str, Any]) -> Root:
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in raw.items()}
    values["methods"] = {k: tuple(v) for k, v in raw.get("methods", {}).items()}
    return Root(**values)


def _entry(raw: dict[str, Any]) -> Factory:
    values = {k: v for k, v in raw.items() if k != "calls"}
    values["parts"] = tuple(Part(**p) for p in raw.get("parts", ()))
    values["attributes"] = tuple(raw.get("attributes", ()))
    values["parameters"] = tuple(raw.get("parameters", ()))
    return Factory(**values)


def _wrapper(raw: dict[str, Any]) -> Wrapper:
    return Wrapper(raw["name"], frozenset(raw["methods"]), frozenset(raw.get("taken", ())))


@lru_cache(maxsize=256)
def _pattern(text: str) -> re.Pattern[str]:
    parts = re.split(r"(\*\*|\*)", text)
    wild = {"**": ".*", "*": "[^.()]*"}
    return re.compile("".join(wild.get(p, re.escape(p)) for p in parts))
