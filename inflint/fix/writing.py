"""Putting new bytes in a file's place, all or nothing."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from inflint.atomic import replacement


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
    with replacement(target, after) as temporary:
        if hasattr(os, "chown"):
            with contextlib.suppress(OSError):
                os.chown(temporary, status.st_uid, status.st_gid)
        temporary.chmod(stat.S_IMODE(status.st_mode))
        if target.read_bytes() != before:
            raise ChangedError("changed since it was read")
