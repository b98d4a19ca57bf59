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
    serve: Callable[[Iterator[T]], Iterator[R]], tasks: Sequence[T], count: int, ahead: int = 0
) -> Iterator[tuple[int | None, R | Death]]:
    """Do all tasks in ``count`` processes.

    A process that dies takes the task with it that it was at; another one does the rest.
    None is left behind, whatever ends this.

    Args:
        serve: Does tasks as they come, in one process: one result for each, and after the
            last one whatever else there is to say.
        tasks: The tasks.
        count: How many processes.
        ahead: Tasks that a process has besides the one it is at, so that it need not wait
            while the caller is busy; fewer towards the end, which no one should do alone.

    Yields:
        The task's number and its result, as they come; no number for what is said at the end.
    """
    import multiprocessing
    from multiprocessing.connection import wait

    context = multiprocessing.get_context("fork")
    work = _Work(tasks, count, ahead)
    busy: dict[Any, tuple[ForkProcess, deque[int], deque[int]]] = {}

    def start(share: deque[int]) -> None:
        here, there = context.Pipe()
        process = context.Process(target=_work, args=(there, (here, *busy), serve), daemon=True)
        process.start()
        there.close()
        given: deque[int] = deque()
        busy[here] = process, given, share
        work.fill(here, given, share)

    try:
        for share in work.shares:
            if any(work.shares):
                start(share)
        while busy:
            for connection in list[Any](wait(list(busy))):
                process, given, share = busy[connection]
                done = given.popleft() if given else None
                try:
                    result = connection.recv()
                except (EOFError, OSError):
                    del busy[connection]
                    process.join()
                    if done is not None or process.exitcode:
                        yield done, Death(process.exitcode)
                    share.extendleft(reversed(given))
                    if any(work.shares):
                        start(share)
                    continue
                if done is not None:
                    work.fill(connection, given, share)
                yield done, result
    finally:
        for process, _, _ in busy.values():
            process.kill()
            process.join()


class _Work:
    """What is still to be done; neighbours go to one process, which knows what they share."""

    def __init__(self, tasks: Sequence[Any], count: int, ahead: int) -> None:
        bounds = [n * len(tasks) // count for n in range(count + 1)]
        self.shares = [deque(range(*pair)) for pair in pairwise(bounds)]
        self._tasks = tasks
        self._ahead = ahead

    def fill(self, connection: Any, given: deque[int], share: deque[int]) -> None:
        """Give a process what it is to do; after the last task it hears that there is none."""
        while len(given) < 1 + min(self._ahead, len(share) // 2):
            following = self._take(share)
            if following is None:
                if not given:
                    _send(connection, None)
                return
            given.append(following)
            _send(connection, (self._tasks[following],))

    def _take(self, share: deque[int]) -> int | None:
        if share:
            return share.popleft()
        longest = max(self.shares, key=len)
        return longest.pop() if longest else None


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
