"""One run of the codemod over a set of paths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from inflint.checks.pages import default_codes, rules
from inflint.engine.heirs import heirs
from inflint.engine.run import Request, check
from inflint.engine.stack import with_deep_stack
from inflint.fix.edits import CannotFixError
from inflint.fix.passes import converge
from inflint.fix.planning import Context, plan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inflint.engine.run import Checked
    from inflint.fix.passes import Outcome


def fix(request: Request, *, unsafe: bool) -> Outcome:
    """What the fixes of a request's rules make of its files; nothing is written.

    Other files of the project whose classes derive from those with findings are checked as
    well, so that no edit breaks them; they are not edited.

    Raises as :func:`~inflint.engine.run.check`.
    """
    first = check(replace(request, codes=frozenset(rules())))
    bases = {s.cls.name for s in first.subjects if s is not None}
    more = heirs(bases, first.contents)

    def look(overlay: Mapping[Path, bytes]) -> Checked:
        if not overlay and not more:
            return first
        contents = {**request.overlay, **overlay}
        paths = (*request.paths, *more)
        seen = check(replace(request, paths=paths, codes=frozenset(rules()), overlay=contents))
        return replace(seen, contents=_Only(seen.contents, frozenset(first.contents)))

    codes = default_codes() if request.codes is None else request.codes
    return with_deep_stack(lambda: converge(look, codes=codes, unsafe=unsafe))


class _Only(Mapping[Path, bytes]):
    """Some of the files of a mapping."""

    def __init__(self, contents: Mapping[Path, bytes], paths: frozenset[Path]) -> None:
        self._contents = contents
        self._paths = paths

    def __getitem__(self, path: Path) -> bytes:
        if path not in self._paths:
            raise KeyError(path)
        return self._contents[path]

    def __iter__(self) -> Iterator[Path]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def graded(checked: Checked) -> Checked:
    """The same findings, each with the safety of the edit that there really is for it."""
    return with_deep_stack(lambda: _graded(checked))


def _graded(checked: Checked) -> Checked:
    contexts: dict[int, Context] = {}
    findings = []
    for finding, subject in zip(checked.findings, checked.subjects, strict=True):
        safety = finding.fix
        if safety != "none" and subject is not None:
            universe = subject.verdicts.universe
            context = contexts.setdefault(id(universe), Context(checked.contents, universe))
            try:
                safety = "unsafe" if plan(context, subject, finding).unsafe else safety
            except CannotFixError:
                safety = "none"
        findings.append(replace(finding, fix=safety))
    return replace(checked, findings=tuple(findings))
