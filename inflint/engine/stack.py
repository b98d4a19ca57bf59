"""Room for deep recursion: LibCST's parser and the abstract machine both recurse."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
STACK = 512 * 1024 * 1024
"""Bytes of address space; only what is touched becomes memory."""
FRAMES = 20_000
"""Python frames that following deeply nested source may take."""


def with_deep_stack(function: Callable[[], T]) -> T:
    """Run ``function`` in a thread with a large stack, and return or raise what it does.

    LibCST's parser is native and ends the process where the stack ends.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(function())
        except BaseException as error:  # noqa: BLE001 - it is raised again below
            errors.append(error)

    before, limit = threading.stack_size(STACK), sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, FRAMES))
    try:
        thread = threading.Thread(target=run, name="inflint", daemon=True)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
        sys.setrecursionlimit(limit)
    if errors:
        raise errors[0]
    return results[0]
