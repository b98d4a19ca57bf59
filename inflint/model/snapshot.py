"""Snapshots: the facts of a framework's own classes, for where it is not installed.

A snapshot holds, for each module that the framework's classes lead through, its header and
the facts of its functions, in the form of :mod:`inflint.syntax.serial`. Of a site's position
only the line is kept.
"""

from __future__ import annotations

import gzip
import json
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from packaging.version import Version

from inflint.data import rules_directory
from inflint.model.release import installed_version
from inflint.model.units import SourceFile
from inflint.syntax import facts
from inflint.syntax.errors import LoweringError
from inflint.syntax.facts import Span
from inflint.syntax.serial import FORMAT, decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from inflint.model.environment import Environment
    from inflint.sources.disk import Disk
    from inflint.syntax.fragments import Fragment
    from inflint.syntax.headers import Scope


class Recorded:
    """The fragments of one recorded file."""

    text = ""

    def __init__(self, fragments: dict[str, Any]) -> None:
        self._fragments = fragments

    def whole(self) -> Fragment:
        """Nothing of the whole file is recorded."""
        return _Record(None, is_function=False)

    def function(self, scope: Scope, owner: str | None) -> Fragment:  # noqa: ARG002 - mangled already
        """The recorded fragment of a ``def``."""
        return _Record(self._fragments.get(_key(scope.span)), is_function=True)

    def statement(self, span: Span, owner: str | None) -> Fragment:  # noqa: ARG002 - mangled already
        """The recorded fragment of a statement."""
        return _Record(self._fragments.get(_key(span)), is_function=False)


class _Record:
    """A fragment's facts, decoded when they are asked for."""

    def __init__(self, raw: Any, *, is_function: bool) -> None:
        self._raw = raw
        self._is_function = is_function

    @property
    def is_function(self) -> bool:
        return self._is_function

    @property
    def function(self) -> facts.Function:
        decoded = self._decoded()
        if not isinstance(decoded, facts.Function):
            raise LoweringError("not in the snapshot", 1)
        return decoded

    @property
    def body(self) -> facts.Body:
        decoded: facts.Body = self._decoded()
        return decoded

    @property
    def spans(self) -> tuple[Span, ...]:
        if self._raw is None:
            return ()
        lines, found = 1, []
        for step in self._raw[1]:
            lines += step
            found.append(Span(lines, 0, lines, 0))
        return tuple(found)

    def _decoded(self) -> Any:
        if self._raw is None:
            raise LoweringError("not in the snapshot", 1)
        if len(self._raw) == 2:
            self._raw = [*self._raw, decode(self._raw[0])]
        return self._raw[2]


def _key(span: Span) -> str:
    return f"{span.line}.{span.column}.{span.end_line}.{span.end_column}"


class Snapshot:
    """The recorded modules of one release.

    Attributes:
        package: The package's name.
        version: Its release.
    """

    def __init__(self, raw: dict[str, Any]) -> None:
        self.package: str = raw["package"]
        self.version: str = raw["version"]
        self._modules: dict[str, Any] = raw["modules"]
        self._files: dict[str, SourceFile] = {}

    def modules(self) -> list[str]:
        """The names of all recorded modules."""
        return list(self._modules)

    def find(self, dotted: str) -> SourceFile | None:
        """A recorded module."""
        if dotted not in self._files:
            raw = self._modules.get(dotted)
            if raw is None:
                return None
            path = Path(PurePosixPath(raw["path"]))
            header: Scope = decode(raw["header"])
            self._files[dotted] = SourceFile(
                path, dotted, header, Recorded(raw["fragments"]), recorded=True
            )
        return self._files[dotted]


def record(package: str, version: str, files: Iterable[tuple[str, SourceFile]]) -> bytes:
    """Write a snapshot of files and the units that were asked for in them.

    Args:
        package: The package's name.
        version: Its release.
        files: Paths relative to where the package is installed, with the files.

    Returns:
        The same bytes for the same facts.
    """
    modules = {}
    for path, file in sorted(files, key=lambda pair: pair[0]):
        fragments = {_key(s): _fragment(f) for s, f in file.fragments() if _holds(f)}
        modules[file.module] = {
            "path": path,
            "header": encode(_prune(file.header)),
            "fragments": dict(sorted(fragments.items())),
        }
    raw = {"format": FORMAT, "package": package, "version": version, "modules": modules}
    text = json.dumps(raw, separators=(",", ":"), ensure_ascii=True)
    return gzip.compress(text.encode("ascii"), compresslevel=9, mtime=0)


def _holds(fragment: Fragment) -> bool:
    try:
        return bool(fragment.function if fragment.is_function else fragment.body)
    except LoweringError:
        return False


def _fragment(fragment: Fragment) -> list[object]:
    fact = fragment.function if fragment.is_function else fragment.body
    lines = [span.line for span in fragment.spans]
    steps = [line - before for before, line in zip([1, *lines], lines, strict=False)]
    return [encode(fact), steps]


def _prune(scope: Scope) -> Scope:
    """A header without the local names of functions that define no class."""
    inner = tuple(_prune(s) for s in scope.scopes)
    if scope.kind == "function" and not any(s.kind == "class" for s in _all(scope)):
        return scope._replace(bindings={}, scopes=(), stars=())
    return scope._replace(scopes=inner)


def _all(scope: Scope) -> Iterable[Scope]:
    for inner in scope.scopes:
        yield inner
        yield from _all(inner)


def load(path: Path) -> Snapshot:
    """Read a snapshot.

    Raises:
        ValueError: It has another format.
    """
    raw = json.loads(gzip.decompress(path.read_bytes()))
    if raw.get("format") != FORMAT:
        raise ValueError(f"{path.name}: a snapshot of format {raw.get('format')}, not {FORMAT}")
    return Snapshot(raw)


def shipped(package: str) -> dict[str, Path]:
    """The snapshots that come with inflint, by release."""
    directory = rules_directory() / "snapshots"
    names = directory.glob(f"{package}-*.json.gz") if directory.is_dir() else ()
    return {p.name.removesuffix(".json.gz").removeprefix(f"{package}-"): p for p in names}


def snapshot_for(
    package: str, version: str, environment: Environment, disk: Disk | None = None
) -> Callable[[], Snapshot] | None:
    """How to load the snapshot of a release; None where the installed sources serve better.

    That is the release's own snapshot, or that of the newest one before it whose facts are
    the same. Only a release that is newer than all snapshots is read where it is installed.
    """
    known = shipped(package)
    ordered = sorted(known, key=Version)
    if not ordered:
        return None
    wanted = Version(version)
    installed = installed_version(environment, package, disk)
    if installed is not None and wanted > Version(ordered[-1]) and Version(installed) == wanted:
        return None
    before = [v for v in ordered if Version(v) <= wanted]
    path = known[before[-1] if before else ordered[0]]
    return lambda: _loaded(path)


@lru_cache(maxsize=4)
def _loaded(path: Path) -> Snapshot:
    """Each shipped snapshot once: reading one takes longer than checking a few classes."""
    return load(path)
