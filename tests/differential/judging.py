"""What inflint says of a generated program: verdicts, findings, and the files that `fix` makes."""

from __future__ import annotations

import gc
import traceback
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from inflint.config.discover import Lookup
from inflint.engine.fixing import fix
from inflint.engine.run import Request, check, inspect
from inflint.syntax import lower

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from inflint.checks.finding import Finding
    from inflint.fix.passes import Outcome
    from inflint.model.verdict import Verdict

TARGET = "2.60.0"
lower.lower_function = lru_cache(maxsize=4096)(lower.lower_function)
lower.spans = lru_cache(maxsize=1024)(lower.spans)
gc.freeze()
"""Programs share many functions, and lowering depends on the text alone."""
Key = tuple[str, str]
T = TypeVar("T")


@dataclass(frozen=True)
class Judgement:
    """All answers on one program; what crashed is None, and told in `crashes`.

    Attributes:
        verdicts: By file and class name.
        findings: Of `check`.
        fixed: Of `fix`, with safe edits only.
        remaining: The findings on what `fix` made.
        crashes: Tracebacks, by command.
    """

    verdicts: dict[Key, Verdict]
    findings: tuple[Finding, ...]
    fixed: Outcome | None
    remaining: tuple[Finding, ...]
    crashes: dict[str, str]

    def of(self, key: Key) -> list[Finding]:
        """The findings on one class."""
        file, name = key
        return [f for f in self.findings if f.cls == name and f.path.stem == file]


def judge(directory: Path, wanted: Collection[Key]) -> Judgement:
    """Run all three commands on a directory.

    The verdicts that stand behind findings are those of `check`, so that `inspect` runs only
    where some class in question has no finding.
    """
    request = Request((directory,), Lookup({"target-ray": TARGET}, isolated=True))
    crashes: dict[str, str] = {}

    def attempt(name: str, function: Callable[[], T]) -> T | None:
        try:
            return function()
        except Exception:  # noqa: BLE001 - that is what is looked for
            crashes[name] = traceback.format_exc()
            return None

    checked = attempt("check", lambda: check(request))
    fixed = attempt("fix", lambda: fix(request, unsafe=False))
    after = None
    if fixed is not None and fixed.after:
        after = attempt("check", lambda: check(request.over((directory,), fixed.after)))
    subjects = () if checked is None else checked.subjects
    verdicts = {_key(s.verdict): s.verdict for s in subjects if s is not None}
    if not set(wanted) <= set(verdicts):
        inspected = attempt("inspect", lambda: inspect(request))
        verdicts |= {} if inspected is None else {_key(v): v for v in inspected.verdicts}
    found = () if checked is None else checked.findings
    return Judgement(verdicts, found, fixed, () if after is None else after.findings, crashes)


def _key(verdict: Verdict) -> Key:
    return verdict.cls.file.path.stem, verdict.cls.name
