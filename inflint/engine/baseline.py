"""Baselines: files with the findings that are known, so that only new ones count.

An entry is a fingerprint, with what a person needs to recognise the finding. Its path helps to
tell a class that was moved from one that was copied; it is no part of the fingerprint.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from inflint.checks.fingerprint import fingerprints

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from inflint.checks.finding import Finding
    from inflint.engine.run import Checked

VERSION = 1
_FIELDS = ("path", "code", "class", "attribute", "fingerprint")


class BaselineError(ValueError):
    """A baseline is missing, or is none that can be read; the message says what to do."""


class Entry(NamedTuple):
    """A known finding.

    Attributes:
        path: Its file, relative to the baseline's directory, with forward slashes.
        code: Its rule.
        cls: Qualified name of the class; empty without one.
        attribute: The attributes that it names; empty without any.
        fingerprint: See :mod:`inflint.checks.fingerprint`.
    """

    path: str
    code: str
    cls: str
    attribute: str
    fingerprint: str


@dataclass(frozen=True)
class Compared:
    """A check without what its baselines know.

    Attributes:
        checked: What is new.
        known: How many findings are not.
        stale: By baseline, the entries that no finding has any more.
        entries: By baseline, all entries.
    """

    checked: Checked
    known: int
    stale: dict[Path, tuple[Entry, ...]]
    entries: dict[Path, tuple[Entry, ...]]


def read_baseline(path: Path) -> tuple[Entry, ...]:
    """The entries of a baseline.

    Raises:
        BaselineError: It is missing, broken, or of another version.
    """
    anew = f"'inflint check --write-baseline {path.name}' writes a new one"
    try:
        document = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise BaselineError(f"{path}: there is no such baseline; {anew}") from None
    except OSError as error:
        raise BaselineError(f"{path}: {error.strerror or error}") from None
    except json.JSONDecodeError as error:
        raise BaselineError(f"{path}:{error.lineno}: no JSON: {error.msg}; {anew}") from None
    except (UnicodeDecodeError, RecursionError):
        raise BaselineError(f"{path}: no JSON; {anew}") from None
    if not isinstance(document, dict) or "version" not in document:
        raise BaselineError(f"{path}: no baseline of inflint; {anew}")
    if document["version"] != VERSION:
        found = document["version"]
        raise BaselineError(
            f"{path}: the baseline has version {found!r}, and this inflint reads {VERSION}; {anew}"
        )
    entries = document.get("findings")
    if not isinstance(entries, list) or not all(_is_entry(entry) for entry in entries):
        raise BaselineError(f"{path}: the list of findings is broken; {anew}")
    return tuple(Entry(*(entry[name] for name in _FIELDS)) for entry in entries)


def _is_entry(entry: Any) -> bool:
    return isinstance(entry, dict) and all(isinstance(entry.get(name), str) for name in _FIELDS)


def baseline_bytes(entries: Iterable[Entry]) -> bytes:
    """A baseline's contents: one line an entry, in a stable order."""
    lines = [
        f"    {json.dumps(dict(zip(_FIELDS, entry, strict=True)))}"
        for entry in sorted(set(entries))
    ]
    body = "[\n" + ",\n".join(lines) + "\n  ]" if lines else "[]"
    return f'{{\n  "version": {VERSION},\n  "findings": {body}\n}}\n'.encode()


def entries_of(checked: Checked, baseline: Path) -> list[Entry]:
    """An entry for each finding.

    Args:
        checked: The findings.
        baseline: Where the entries are meant for.
    """
    prints = fingerprints(checked.findings, checked.contents)
    return [
        _entry(finding, mark, baseline)
        for finding, mark in zip(checked.findings, prints, strict=True)
    ]


def _entry(finding: Finding, mark: str, baseline: Path) -> Entry:
    return Entry(
        _relative(finding.path, baseline),
        finding.code,
        finding.cls or "",
        finding.attribute or "",
        mark,
    )


def _relative(path: Path, baseline: Path) -> str:
    try:
        return os.path.relpath(path, baseline.parent).replace(os.sep, "/")
    except ValueError:  # another drive
        return path.as_posix()


def compare(
    checked: Checked,
    baseline_of: Callable[[Path], Path | None],
    active: Callable[[Path], frozenset[str]],
    directories: Iterable[Path],
) -> Compared:
    """Take out the findings that baselines know.

    A finding is known by an entry of its own file; or, if it has none there, by one of a file
    that is gone or has been checked and has the finding no more: the class was moved.

    Args:
        checked: All findings.
        baseline_of: The baseline of a file.
        active: The rules that are reported in a file.
        directories: What was asked for; entries of files that are gone from there are stale.

    Raises:
        BaselineError: A baseline cannot be read.
    """
    prints = fingerprints(checked.findings, checked.contents)
    looked_at = set(checked.paths)
    tops = tuple(directories)
    by_baseline: dict[Path, list[tuple[Finding, str]]] = defaultdict(list)
    for path in looked_at:
        baseline = baseline_of(path)
        if baseline is not None:
            by_baseline[baseline] = []
    for finding, mark in zip(checked.findings, prints, strict=True):
        baseline = baseline_of(finding.path)
        if baseline is not None:
            by_baseline[baseline].append((finding, mark))
    known: set[int] = set()
    stale: dict[Path, tuple[Entry, ...]] = {}
    entries: dict[Path, tuple[Entry, ...]] = {}
    for baseline, found in by_baseline.items():
        entries[baseline] = read_baseline(baseline)
        match = _Match(baseline, entries[baseline], looked_at)
        known.update(id(finding) for finding in match.known(found))
        stale[baseline] = tuple(match.stale(active, tops))
    rest = checked.keeping(lambda finding, _: id(finding) not in known)
    return Compared(rest._replace(baselined=len(known)), len(known), stale, entries)


class _Match:
    """The entries of one baseline, and which of them a finding has claimed."""

    def __init__(self, baseline: Path, entries: tuple[Entry, ...], looked_at: set[Path]) -> None:
        self._baseline = baseline
        self._looked_at = looked_at
        self._free = dict.fromkeys(entries)
        self._by_mark: dict[str, list[Entry]] = defaultdict(list)
        for entry in sorted(self._free):
            self._by_mark[entry.fingerprint].append(entry)

    def known(self, found: list[tuple[Finding, str]]) -> Iterator[Finding]:
        moved: dict[tuple[str, str], list[Finding]] = defaultdict(list)
        for finding, mark in found:
            path = _relative(finding.path, self._baseline)
            own = [e for e in self._by_mark.get(mark, ()) if e.path == path]
            if own:
                self._claim(own)
                yield finding
            else:
                moved[mark, path].append(finding)
        for (mark, _), findings in sorted(moved.items(), key=lambda item: item[0]):
            left = [e for e in self._by_mark.get(mark, ()) if e in self._free and self._has_left(e)]
            if left:
                self._claim(left[:1])
                yield from findings

    def _claim(self, entries: list[Entry]) -> None:
        for entry in entries:
            self._free.pop(entry, None)

    def _has_left(self, entry: Entry) -> bool:
        path = self._path(entry)
        return path in self._looked_at or not path.exists()

    def stale(
        self, active: Callable[[Path], frozenset[str]], tops: tuple[Path, ...]
    ) -> Iterator[Entry]:
        for entry in self._free:
            path = self._path(entry)
            gone = not path.exists() and any(top in path.parents for top in tops)
            if (path in self._looked_at and entry.code in active(path)) or gone:
                yield entry

    def _path(self, entry: Entry) -> Path:
        joined = os.path.join(self._baseline.parent, entry.path)  # noqa: PTH118
        return Path(os.path.normpath(joined))
