"""What the last run of a request asked and saw, and what it came to.

A result holds as long as all that was consulted for it is as it was: the files that were
found, the content of each file that was read, in the project and in the environment, and
the places where a file was looked for in vain. Then, and only then, it is given again.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from inflint.digest import digest
from inflint.engine.run import directories_of
from inflint.sources.disk import Disk, Seen
from inflint.sources.summary import Summary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inflint.engine.run import Request
    from inflint.engine.store import Store

_RUNS = "runs"
_SUMMARIES = "summaries"
FEW = 64
"""Files that are summarised faster than their summaries are read."""


class Past(NamedTuple):
    """What is known from the last run of the same request.

    Attributes:
        result: What it came to, if nothing that it consulted has changed.
        files: Those that have not changed since, by path, with their summaries.
        disk: All that was asked to find that out.
    """

    result: Any = None
    files: Mapping[str, tuple[Seen, Summary]] = MappingProxyType({})
    disk: Disk | None = None


class Recall:
    """The runs of one request.

    Args:
        store: Where they are kept.
        request: The request.
        paths: The files that it names now.
    """

    def __init__(self, store: Store, request: Request, paths: Sequence[Path]) -> None:
        self._store = store
        self._key = _key(request)
        self._names = [str(path) for path in paths]
        self._settings = _settings(request, paths)

    def past(self) -> Past:
        """The last run, as far as it still holds."""
        last = self._store.get(_RUNS, self._key)
        try:
            return Past() if last is None else self._past(last, self._names)
        except (KeyError, TypeError, ValueError, AttributeError):
            return Past()  # nothing that this version wrote

    def _past(self, last: Any, names: list[str]) -> Past:
        disk = Disk(recording=True)
        base = last["base"]
        before = {base + name: Seen(*seen) for name, seen in last["inside"].items()}
        before.update((name, Seen(*seen)) for name, seen in last["outside"].items())
        same = {name for name, seen in before.items() if disk.recall(name, seen)}
        asked = ((tuple(question), answer) for question, answer in last["answers"])
        if (
            last["settings"] == self._settings
            and len(same) == len(before)
            and [base + name for name in last["paths"]] == names
            and disk.still(asked)
        ):
            if any(disk.seen[name] != seen for name, seen in before.items()):
                self._write(last["paths"], base, disk, last["answers"], last["result"])
            return Past(last["result"], disk=disk)
        if len(names) <= FEW:
            return Past()
        known = self._store.get(_SUMMARIES, self._key) or {}
        files = {}
        for name in names:
            key = _kind(name, disk.seen[name]) if name in same else ""
            if key in known:
                files[name] = disk.seen[name], Summary(*known[key])
        return Past(None, files)

    def remember(self, disk: Disk, summaries: Mapping[Path, Summary], result: object) -> None:
        """Keep a run that is over."""
        if disk.torn:
            return
        names = self._names
        base = os.path.commonprefix(names)  # noqa: RUF071 - any prefix of a string will do
        answers = [[list(question), answer] for question, answer in disk.answers.items()]
        self._write([name[len(base) :] for name in names], base, disk, answers, result)
        if len(names) > FEW:
            known = {_kind(str(p), disk.seen[str(p)]): s for p, s in summaries.items()}
            self._store.put(_SUMMARIES, self._key, known)

    def _write(
        self, names: list[str], base: str, disk: Disk, answers: list[Any], result: object
    ) -> None:
        inside = {n[len(base) :]: seen for n, seen in disk.seen.items() if n.startswith(base)}
        outside = {n: seen for n, seen in disk.seen.items() if not n.startswith(base)}
        entry = {
            "settings": self._settings,
            "paths": names,
            "base": base,
            "inside": inside,
            "outside": outside,
            "answers": answers,
            "result": result,
        }
        self._store.put(_RUNS, self._key, entry)


def _kind(name: str, seen: Seen) -> str:
    """What a summary depends on: the content, and what the file's suffix says that it is."""
    return seen.digest + os.path.splitext(name)[1]  # noqa: PTH122 - for thousands of files


def _key(request: Request) -> str:
    """All that a run depends on, besides the file system."""
    codes = None if request.codes is None else sorted(request.codes)
    said = (request.paths, codes, request.overlay, request.whole, request.suppressions)
    roots = [place for place in sys.path if place.endswith("-packages")]
    where = (str(Path.cwd()), os.environ.get("VIRTUAL_ENV"), roots, sys.version)
    return digest(repr((said, where)).encode())


def _settings(request: Request, paths: Sequence[Path]) -> str:
    """What the configuration says of each directory with files, however it was written."""
    said: dict[int, str] = {}
    where = []
    for directory in directories_of(paths):
        settings = request.lookup.at(directory)
        if id(settings) not in said:
            said[id(settings)] = digest(repr(settings).encode("utf-8", "surrogatepass"))
        where.append((str(directory), said[id(settings)]))
    return digest(repr(where).encode())
