"""The same command line again, where nothing has changed: the same words, the same exit code.

This is asked before anything else is, the command line's own meaning included. So what a
command has said is kept under its arguments as they were typed and all else that it depends
on besides files, with the state of the files.
"""

# Imported before anything is known of a run: so neither pathlib nor typing, and plain text.
# ruff: noqa: PTH100, PTH108, PTH109, PTH116, PTH208, PTH110, PTH112, PTH118, PTH120
from __future__ import annotations

import os
import sys
import time

from inflint.digest import digest
from inflint.engine import entries
from inflint.engine.state import holds, record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inflint.sources.disk import Disk

VARIABLES = ("FORCE_COLOR", "HOME", "NO_COLOR", "VIRTUAL_ENV", "_INFLINT_COMPLETE")
"""Those of the environment that change what a command says."""
MOST = 64
"""Commands that are kept, apart from as many that may come before it is cleared up."""
_COMMAND = "check"
_CACHE = "--cache-dir"


class Again:
    """What one command line has said before.

    Args:
        arguments: The command line, without the program.
    """

    def __init__(self, arguments: Sequence[str]) -> None:
        self._began = time.time_ns()
        self._path = ""
        if not arguments or arguments[0] != _COMMAND or os.name != "posix" or not sys.stdout:
            return
        try:
            self._cache = _likely_cache(arguments[1:])
            name = f"{_key(arguments)}.said"
            self._path = os.path.join(entries.place(self._cache), "again", name)
        except OSError:  # where the current directory is gone, the run itself will say so
            return

    def say(self) -> int | None:
        """Say it, and return the exit code; None where that is not to be had this way."""
        data = entries.read(self._path) if self._path else None
        if data is None:
            return None
        try:
            head, _, rest = data.partition(b"\n")
            code, length = map(int, head.split())
            if not holds(rest[:length]):
                return None
            words = memoryview(rest)[length:]
            while words:
                words = words[os.write(sys.stdout.fileno(), words) :]
        except (OSError, ValueError):  # where nobody listens, the run itself will say so
            return None
        return code

    def remember(self, cache: str, disks: Iterable[Disk], said: bytes, code: int) -> None:
        """Keep what has been said, if all that it depends on is older than the run.

        Args:
            cache: The directory of the cache that the run has used.
            disks: All that it has asked of the file system.
            said: What it wrote to standard output.
            code: The exit code.
        """
        from inflint.sources.disk import SETTLED

        if not self._path or cache != self._cache:
            return
        state = record(disks, self._began, SETTLED)
        if state is None:
            return
        try:
            entries.write(cache, self._path, b"%d %d\n" % (code, len(state)) + state + said)
            _clear_up(os.path.dirname(self._path))
        except OSError:
            return  # a cache that may only be read


def _key(arguments: Sequence[str]) -> str:
    """All that a command depends on, besides the file system."""
    roots = [place for place in sys.path if place.endswith("-packages")]
    output = (sys.stdout.isatty(), sys.stdout.encoding)
    environment = [os.environ.get(name) for name in VARIABLES]
    code = os.stat(os.path.dirname(entries.__file__))  # installed anew under the same version?
    made = (roots, sys.version, code.st_ino, code.st_ctime_ns)
    where = (os.getcwd(), os.geteuid(), environment, made, output)
    return digest(repr((list(arguments), where)).encode("utf-8", "surrogatepass"))


def _clear_up(directory: str) -> None:
    """Delete what was not said for longest, if there is much."""
    names = os.listdir(directory)
    if len(names) > 2 * MOST:
        paths = [os.path.join(directory, name) for name in names]
        for path in sorted(paths, key=os.path.getmtime)[:-MOST]:
            os.unlink(path)


def _likely_cache(arguments: Sequence[str]) -> str:
    """Where the command probably has its cache: a wrong guess is only without use."""
    chosen, start = None, "."
    for argument, following in zip(arguments, (*arguments[1:], ""), strict=True):
        if argument == _CACHE:
            chosen = following
        elif argument.startswith(f"{_CACHE}="):
            chosen = argument.partition("=")[2]
    if not chosen:
        start = next((a for a in arguments if a[:1] != "-" and os.path.exists(a)), start)
    start = os.path.abspath(start)
    return entries.cache_directory(
        chosen, start if os.path.isdir(start) else os.path.dirname(start)
    )
