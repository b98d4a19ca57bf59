"""Putting new bytes in a file's place, all or nothing."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path


class ChangedError(OSError):
    """The file is no longer what was read."""


def replace_file(path: Path, before: bytes, after: bytes) -> None:
    """Give a file new contents in one step, so that no reader ever sees a part of them.

    Permissions and, where the system allows, owner stay; a link goes on pointing to the file.

    Args:
        path: The file, or a link to it.
        before: What it is expected to hold.
        after: What it shall hold.

    Raises:
        ChangedError: It holds something else by now.
        OSError: It is read-only, gone, or cannot be written.
    """
    target = Path(os.path.realpath(path))
    status = target.stat()
    if not status.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(
        target, os.W_OK
    ):
        raise PermissionError(13, "the file is read-only", str(path))
    _put(target, after, status, before)


def write_file(path: Path, data: bytes) -> None:
    """Write a file, new or not, in one step. Raises OSError where that is not possible."""
    target = Path(os.path.realpath(path))
    _put(target, data, target.stat() if target.exists() else None, None)


def _put(target: Path, data: bytes, status: os.stat_result | None, before: bytes | None) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".inflint", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if status is None:
            temporary.chmod(0o666 & ~_umask())
        else:
            if hasattr(os, "chown"):
                with contextlib.suppress(OSError):
                    os.chown(temporary, status.st_uid, status.st_gid)
            temporary.chmod(stat.S_IMODE(status.st_mode))
        if before is not None and target.read_bytes() != before:
            raise ChangedError("changed since it was read")  # noqa: TRY301 - cleaned up below
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_directory(target.parent)


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
