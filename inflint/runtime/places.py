"""Lines of the user's source: of classes, of their lists, and of what raised."""

from __future__ import annotations

import inspect
import re
import sys
import traceback
from pathlib import Path
from typing import Any

from inflint.runtime.contract import METHOD
from inflint.runtime.report import Place

_OWN = Path(__file__).parent
_USERS = 3
_MISSING_ATTRIBUTE = re.compile(r"^'([^']+)' object has no attribute '([^']+)'")


class CannotVerifyError(RuntimeError):
    """A target could not be built or run, for a reason that is not the list's.

    Attributes:
        place: The line of the user's source, if it is known.
    """

    def __init__(self, message: str, place: Place | None = None) -> None:
        super().__init__(message)
        self.place = place


def brief(error: BaseException) -> str:
    """Type and first line of an exception."""
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__


def missing_attribute(error: BaseException) -> tuple[str, str]:
    """The class and the name that an AttributeError says are missing; empty if it says none."""
    found = _MISSING_ATTRIBUTE.search(str(error)) if isinstance(error, AttributeError) else None
    return (found[1], found[2]) if found else ("", getattr(error, "name", None) or "")


def users_place(error: BaseException, otherwise: Place | None) -> Place | None:
    """The innermost line outside of installed packages, or another place if there is none."""
    place = place_of(error)
    return place if place is not None and _rank(place.file) == _USERS else otherwise


def place_of(error: BaseException) -> Place | None:
    """The innermost line that the exception passed outside of installed packages.

    If it passed none but those of packages, the innermost of these, torch's last.
    """
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if _OWN not in Path(frame.filename).parents and not frame.filename.startswith("<")
    ]
    ranked = sorted(enumerate(frames), key=lambda item: (_rank(item[1].filename), item[0]))
    if not ranked:
        return None
    frame = ranked[-1][1]
    return Place(frame.filename, frame.lineno or 1, frame.name)


def _rank(filename: str) -> int:
    parts = Path(filename).parts
    if "site-packages" not in parts and "dist-packages" not in parts:
        return 0 if filename.startswith((sys.base_prefix, sys.prefix)) else _USERS
    return 1 if "torch" in parts else 2


def class_place(cls: type) -> Place | None:
    """Where a class is defined; None if its source is not at hand."""
    try:
        file = inspect.getsourcefile(cls)
        line = inspect.getsourcelines(cls)[1]
    except (OSError, TypeError):
        return None
    return Place(str(Path(file).resolve()), line, cls.__qualname__) if file else None


def list_place(cls: type) -> Place | None:
    """Where a class's list is written, in itself or a base; else where the class is."""
    method: Any = inspect.getattr_static(cls, METHOD, None)
    code = getattr(inspect.unwrap(method), "__code__", None) if callable(method) else None
    if code is None:
        return class_place(cls)
    return Place(code.co_filename, code.co_firstlineno, METHOD)
