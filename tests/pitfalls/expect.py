"""What a source must give, and the comparison with what the linter says."""

from __future__ import annotations

import textwrap
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .layouts import layouts

if TYPE_CHECKING:
    from conftest import Inflint

FAMILIES = ("INF1", "INF2", "INF9")
"""The rule families that these tests judge; the others may speak up as well."""


class Expect(NamedTuple):
    """A finding. `None` matches anything."""

    code: str
    severity: str | None = None
    attribute: str | None = None

    def matches(self, finding: dict[str, Any]) -> bool:
        """Whether `finding` is this one."""
        return all(
            wanted is None or finding[key] == wanted for key, wanted in self._asdict().items()
        )


def error(code: str, attribute: str | None = None) -> Expect:
    """An error."""
    return Expect(code, "error", attribute)


def warning(code: str, attribute: str | None = None) -> Expect:
    """A warning."""
    return Expect(code, "warning", attribute)


def info(code: str, attribute: str | None = None) -> Expect:
    """An info."""
    return Expect(code, "info", attribute)


@dataclass(frozen=True)
class Case:
    """A source and its outcome.

    Attributes:
        id: The row of the pitfall table, and a word on the variant.
        source: Python; the RLModule is the last class.
        expected: Findings that must be there.
        tolerated: Findings that may be there: true as well, but not the point of the row.
        silent: Nothing at all may be said, in any family (info included).
        skip: Layouts that change the meaning.
    """

    id: str
    source: str
    expected: tuple[Expect, ...] = ()
    tolerated: tuple[Expect, ...] = ()
    silent: bool = False
    skip: tuple[str, ...] = ()

    @property
    def files(self) -> dict[str, str]:
        """All layouts, each in a folder of its own."""
        text = textwrap.dedent(self.source).lstrip()
        return {
            f"{layout}/{name}": content
            for layout, files in layouts(text).items()
            if layout not in self.skip
            for name, content in files.items()
        }

    @property
    def places(self) -> list[str]:
        """The layouts."""
        return sorted({name.partition("/")[0] for name in self.files})


class Runs:
    """The findings of each case, by layout; each case is checked once."""

    def __init__(self, inflint: Inflint, folder: Path) -> None:
        self._inflint = inflint
        self._folder = folder
        self._done: dict[str, dict[str, list[dict[str, Any]]]] = {}

    def of(self, case: Case, layout: str) -> list[dict[str, Any]]:
        """What `check` says about one layout of a case."""
        if case.id not in self._done:
            self._done[case.id] = self._check(case)
        return self._done[case.id][layout]

    def _check(self, case: Case) -> dict[str, list[dict[str, Any]]]:
        root = self._folder / case.id.replace(" ", "_")
        write(root, case.files)
        found: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for finding in self._inflint.check(root):
            layout = next(part for part in Path(finding["path"]).parts if part in case.places)
            found[layout].append(finding)
        return found


def write(root: Path, files: dict[str, str]) -> None:
    """Write a small project."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


def assert_outcome(case: Case, findings: list[dict[str, Any]]) -> None:
    """Fail unless each expected finding is there and no other one of our families."""
    judged = [f for f in findings if case.silent or f["code"].startswith(FAMILIES)]
    missing = [e for e in case.expected if not any(e.matches(f) for f in judged)]
    known = (*case.expected, *case.tolerated)
    extra = [
        (f["code"], f["severity"], f["attribute"], f["class"], f["message"])
        for f in judged
        if not any(e.matches(f) for e in known)
    ]
    assert not missing, f"missed: {missing}; said: {[(f['code'], f['message']) for f in judged]}"
    assert not extra, f"false alarm: {extra}"
