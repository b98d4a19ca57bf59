"""Which lines have changed since a revision, as git tells."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding

_HUNK = re.compile(rb"^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


class SinceError(ValueError):
    """There is no repository, no git, or no such revision."""


class Lines(NamedTuple):
    """Changed lines of a file.

    Attributes:
        changed: Ranges of new or changed lines, ends included.
        removed: Lines after which others are gone; 0 for the file's beginning.
        all: The whole file is new.
    """

    changed: tuple[tuple[int, int], ...] = ()
    removed: tuple[int, ...] = ()
    all: bool = False

    def touch(self, first: int, last: int) -> bool:
        """Whether a line of a range is new or changed."""
        return self.all or any(a <= last and first <= b for a, b in self.changed)

    def cut(self, first: int, last: int) -> bool:
        """Whether lines are gone from inside a range."""
        return any(first <= line < last for line in self.removed)


_NONE = Lines()


class Changes:
    """What differs between a revision's common ancestor with HEAD and the files on disk.

    Files that git does not track count as new.

    Args:
        revision: Any name of a commit.
        start: A directory in the repository.

    Raises:
        SinceError: There is no repository, no git, or no such revision.
    """

    def __init__(self, revision: str, start: Path) -> None:
        self._start = start
        top = self._git("rev-parse", "--show-toplevel", why="not in a git repository")
        self._top = Path(os.fsdecode(top.rstrip(b"\n")))
        unknown = f"git knows no revision {revision!r}"
        commit = self._git(
            "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}",
            why=unknown,
        ).decode().strip()  # fmt: skip
        self._base = self._git(
            "merge-base", commit, "HEAD",
            why=f"{revision!r} and HEAD have no common ancestor; a shallow clone may lack it",
        ).decode().strip()  # fmt: skip
        self._names = self._changed_names()
        self._known: dict[Path, Lines] = {}

    def _git(self, *arguments: str, why: str) -> bytes:
        try:
            done = subprocess.run(  # noqa: S603 - no shell is involved
                ["git", "-C", str(self._start), *arguments],  # noqa: S607 - the user's git
                capture_output=True,
                check=False,
            )
        except OSError:
            raise SinceError("--since needs git, and there is none") from None
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            detail = f" ({said[-1].removeprefix('fatal: ')})" if said else ""
            raise SinceError(f"--since: {why}{detail}")
        return done.stdout

    def _changed_names(self) -> dict[str, str | None]:
        """Changed files by their names below the top, each with the name it had before."""
        raw = self._git(
            "diff", "--name-status", "-z", "-M", "--no-ext-diff", "--no-relative", self._base, "--",
            str(self._top), why="git cannot compare",
        )  # fmt: skip
        fields = [os.fsdecode(field) for field in raw.split(b"\0")]
        names: dict[str, str | None] = {}
        at = 0
        while at + 1 < len(fields):
            if fields[at][:1] in {"R", "C"}:
                names[fields[at + 2]] = fields[at + 1]
                at += 3
            else:
                names[fields[at + 1]] = None
                at += 2
        return names

    def touches(self, finding: Finding, subject: Subject | None) -> bool:
        """Whether a finding has to do with a change.

        It has if its own lines, a line of its evidence or the header of its class are new or
        changed, or if something is gone from the class.
        """
        span = finding.span
        if self.of(finding.path).touch(span.line, span.end_line):
            return True
        if any(self.of(note.path).touch(note.line, note.line) for note in finding.evidence):
            return True
        if subject is None:
            return self.of(finding.path).cut(span.line, span.end_line + 1)
        scope = subject.cls.scope
        lines = self.of(subject.cls.file.path)
        return lines.touch(scope.span.line, scope.head.end_line) or lines.cut(
            scope.span.line, scope.span.end_line + 1
        )

    def of(self, path: Path) -> Lines:
        """The changed lines of a file."""
        if path not in self._known:
            self._known[path] = self._lines(path)
        return self._known[path]

    def _lines(self, path: Path) -> Lines:
        try:
            name = Path(os.path.realpath(path)).relative_to(self._top).as_posix()
        except ValueError:
            return _NONE
        if name not in self._names:
            untracked = self._git(
                "ls-files", "--others", "-z", "--", f":(top,literal){name}",
                why="git cannot list files",
            )  # fmt: skip
            return Lines(all=True) if untracked else _NONE
        old = self._names[name]
        both = [name] if old is None else [old, name]
        diff = self._git(
            "diff", "--unified=0", "-M", "--no-ext-diff", "--no-textconv", "--no-color", "--text",
            self._base, "--", *(f":(top,literal){n}" for n in both), why="git cannot compare",
        )  # fmt: skip
        changed, removed = [], []
        for found in _HUNK.finditer(diff):
            start, count = int(found[1]), int(found[2] or 1)
            if count:
                changed.append((start, start + count - 1))
            else:
                removed.append(start)
        return Lines(tuple(changed), tuple(removed))
