"""Files that appear whole or not at all, even if the process is killed."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def replacement(target: Path, data: bytes) -> Iterator[Path]:
    """Write ``data`` beside ``target``, and put it in its place when the block ends well.

    The block gets the temporary file, to give it its permissions or to raise if it is not
    wanted after all.

    Raises:
        OSError: It cannot be written.
    """
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".inflint", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        yield temporary
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_directory(target.parent)


def write(path: Path, data: bytes) -> None:
    """Write a file, new or not, all or nothing; a pipe or device as it is.

    Permissions stay; a link goes on pointing to the file.

    Raises:
        OSError: It cannot be written.
    """
    mode = path.stat().st_mode if path.exists() else None
    if mode is not None and not stat.S_ISREG(mode):
        path.write_bytes(data)  # as it is called: /dev/stdout may lead to what has no name
        return
    with replacement(Path(os.path.realpath(path)), data) as temporary:
        temporary.chmod(stat.S_IMODE(mode) if mode is not None else 0o666 & ~_umask())


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _sync_directory(directory: Path) -> None:
    """Make the renaming last over a power cut, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
