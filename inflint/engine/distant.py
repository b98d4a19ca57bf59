"""A class that another process has looked at: what the rest of a run asks of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from pathlib import Path

    from inflint.checks.context import Subject
    from inflint.fix.edits import Fix
    from inflint.syntax.facts import Span


class _File(NamedTuple):
    path: Path


class _Scope(NamedTuple):
    span: Span
    head: Span


class _Class(NamedTuple):
    file: _File
    scope: _Scope


class Distant(NamedTuple):
    """Stands for a :class:`~inflint.checks.context.Subject` whose edit has been planned.

    Attributes:
        cls: Where the class stands.
        safety: The safety of the edit.
        fix: The edit; None where there is none.
    """

    cls: _Class
    safety: str
    fix: Fix | None


def distant(subject: Subject, safety: str, fix: Fix | None) -> Subject:
    """The stand-in for a class, to be sent to another process."""
    cls = subject.cls
    place = _Class(_File(cls.file.path), _Scope(cls.scope.span, cls.scope.head))
    return cast("Subject", Distant(place, safety, fix))
