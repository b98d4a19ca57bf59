"""Forked processes that share out a list of tasks.

A fork sees all that is loaded already, so that it costs milliseconds; where there is none,
everything runs in the one process. Results come in any order: it is for the caller to put
them into the tasks' own, so that nothing depends on how many processes there are.
"""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from inflint.engine.stack import with_deep_stack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkProcess

T = TypeVar("T")
R = TypeVar("R")
MOST = 8
"""Processes that ``auto`` starts at most."""


class Death(NamedTuple):
    """What came instead of a result: the process ended, with this exit code."""

    code: int | None

    def __str__(self) -> str:
        if self.code is not None and self.code < 0:
            return f"its process was ended by signal {-self.code}"
        return f"its process ended with code {self.code}"


def processes(asked: int | None, tasks: int, least: int) -> int:
    """How many processes pay.

    Args:
        asked: The user's choice; None to find out.
        tasks: How many tasks there are.
        least: Tasks that make up for a process's start.
    """
    if not hasattr(os, "fork") or sys.platform == "darwin":  # its frameworks do not survive a fork
        return 1
    if asked is not None:
        return max(1, min(asked, tasks))
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(count or 1, MOST, tasks // least))


def spread(
    serve: Callable[[Iterator[T]], Iterator[R]], tasks: Sequence[T], count: int
) -> Iterator[tuple[int | None, R | Death]]:
    """Do all tasks in ``count`` processes.

    A process that dies takes the task with it that it was at; another one does the rest.
    None is left behind, whatever ends this.

    Args:
        serve: Does tasks as they come, in one process: one result for each, and after the
            last one whatever else there is to say.
        tasks: The tasks.
        count: How many processes.

    Yields:
        The task's number and its result, as they come; no number for what is said at the end.
    """
    import multiprocessing
    from multiprocessing.connection import wait

    context = multiprocessing.get_context("fork")
    bounds = [n * len(tasks) // count for n in range(count + 1)]
    shares = [deque(range(*pair)) for pair in pairwise(bounds)]
    busy: dict[Any, tuple[ForkProcess, int | None, deque[int]]] = {}

    def take(share: deque[int]) -> int | None:
        """The next task: neighbours go to one process, which knows what they have in common."""
        if share:
            return share.popleft()
        longest = max(shares, key=len)
        return longest.pop() if longest else None

    def start(number: int, share: deque[int]) -> None:
        here, there = context.Pipe()
        process = context.Process(target=_work, args=(there, (here, *busy), serve), daemon=True)
        process.start()
        there.close()
        busy[here] = process, number, share
        _send(here, (tasks[number],))

    try:
        for share in shares:
            first = take(share)
            if first is not None:
                start(first, share)
        while busy:
            for connection in list[Any](wait(list(busy))):
                process, done, share = busy[connection]
                try:
                    result = connection.recv()
                except (EOFError, OSError):
                    del busy[connection]
                    process.join()
                    if done is not None or process.exitcode:
                        yield done, Death(process.exitcode)
                    following = take(share)
                    if following is not None:
                        start(following, share)
                    continue
                if done is not None:
                    following = take(share)
                    busy[connection] = process, following, share
                    _send(connection, None if following is None else (tasks[following],))
                yield done, result
    finally:
        for process, _, _ in busy.values():
            process.kill()
            process.join()


def _send(connection: Any, message: object) -> None:
    with suppress(OSError):  # it may just have died: reading from it will say so
        connection.send(message)


def _work(
    connection: Connection,
    others: Sequence[Connection],
    serve: Callable[[Iterator[T]], Iterator[R]],
) -> None:
    """What a process does: tasks from a pipe, until there are no more or the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    for other in others:  # the ends of the parent, which must be its alone
        other.close()

    def tasks() -> Iterator[T]:
        while True:
            try:
                message = connection.recv()
            except (EOFError, OSError):
                os._exit(0)
            if message is None:
                return
            yield message[0]

    def work() -> None:
        for result in serve(tasks()):
            connection.send(result)

    with_deep_stack(work)
