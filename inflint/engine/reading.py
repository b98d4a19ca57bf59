"""Many files read and summarised, in several processes where that pays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from inflint.engine.progress import unheard
from inflint.sources.summary import Summary, summarise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from inflint.engine.progress import Progress
    from inflint.sources.disk import Disk, Seen

_CHUNK = 64
"""Files that one process takes at a time."""
_AHEAD = 7
"""Chunks that a process has besides."""
_LEAST = 8
"""Chunks for each process that pays."""
_WHAT = "reading files"

Fault: TypeAlias = "tuple[str, int, int]"


class Read(NamedTuple):
    """What a file came to: its summary, or why there is none: message, line and column."""

    summary: Summary | None
    fault: Fault = ("", 1, 1)


_Done: TypeAlias = "tuple[list[Read], dict[str, Seen]]"


def read_all(
    names: Sequence[str],
    marks: Sequence[bytes],
    disk: Disk,
    jobs: int | None = 1,
    progress: Progress = unheard,
    heard: Callable[[Sequence[Read]], object] = len,
) -> Iterator[Read]:
    """Read some files, in order.

    Args:
        names: Their paths.
        marks: What :func:`~inflint.sources.summary.summarise` looks for.
        disk: Where to read.
        jobs: In how many processes; None for as many as pay.
        progress: Is told how many have been read.
        heard: Is told early what other processes have read, while they go on.
    """
    chunks = [names[n : n + _CHUNK] for n in range(0, len(names), _CHUNK)]
    done: dict[int, _Done] = {}
    if len(chunks) > 1:
        for number, result in _shared_out(chunks, marks, disk, jobs):
            done[number] = result
            progress(_WHAT, min(len(done) * _CHUNK, len(names)), len(names))
            heard(result[0])
    for number, chunk in enumerate(chunks):
        if number in done:  # not if its process has died
            found, seen = done.pop(number)
            disk.seen.update(seen)
            yield from found
        else:
            progress(_WHAT, number * _CHUNK, len(names))
            yield from (_read(name, marks, disk) for name in chunk)


def _shared_out(
    chunks: Sequence[Sequence[str]], marks: Sequence[bytes], disk: Disk, jobs: int | None
) -> Iterator[tuple[int, _Done]]:
    from inflint.engine.workers import Death, processes, spread

    count = processes(jobs, len(chunks), _LEAST)
    if count == 1:
        return

    def serve(tasks: Iterator[Sequence[str]]) -> Iterator[_Done]:
        for chunk in tasks:
            found = [_read(name, marks, disk) for name in chunk]
            yield found, {name: disk.seen[name] for name in chunk if name in disk.seen}

    for number, result in spread(serve, chunks, count, _AHEAD):
        if number is not None and not isinstance(result, Death):
            yield number, result


def _read(name: str, marks: Sequence[bytes], disk: Disk) -> Read:
    try:
        embedding = disk.document(name)
        if embedding is None:
            return Read(summarise(disk.read(name), marks))
    except OSError as error:
        return Read(None, (error.strerror or str(error), 1, 1))
    if embedding.faults and not embedding.chunks:
        return Read(None, embedding.faults[0])
    summary = summarise(embedding.python, marks)
    return Read(summary._replace(broken=bool(embedding.faults)))
