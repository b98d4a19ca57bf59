"""Edits are only kept if a second check agrees; what does not converge is taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inflint.fix import passes, planning
from inflint.fix.edits import CannotFixError, Edit, Fix, collide, merged
from tests.fix.harness import CODES, module, run

if TYPE_CHECKING:
    from pathlib import Path

LISTED = "def get_non_inference_attributes(self):\n    return {}"
SHORT = module(LISTED.format('["vf", "aux"]'))
FULL = module(LISTED.format('["vf", "aux", "third"]'))


def edit(old: str, new: str):
    """A fixer that replaces some text, which stands once in the file."""

    def fixer(context, subject, finding) -> Fix:
        text = context.document(finding.path).text
        if text.count(old) != 1:
            raise CannotFixError("not there")
        start = text.index(old)
        return Fix(finding.path, (Edit(start, start + len(old), new),), "try something")

    return fixer


BAD = {
    "breaks the syntax": ('["vf", "aux"]', '["vf", "aux"', "INF900"),
    "leaves the finding": ('["vf", "aux"]', '["vf",  "aux"]', "does not remove"),
    "brings another": ('["vf", "aux"]', '["vf", "aux", "third", "pi"]', "INF202 (pi)"),
}


@pytest.mark.parametrize(("old", "new", "reason"), BAD.values(), ids=BAD)
def test_a_bad_edit_is_dropped_and_called_a_bug(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, reason: str
) -> None:
    monkeypatch.setitem(planning.FIXERS, "INF201", edit(old, new))
    result, outcome = run(SHORT, tmp_path)
    assert result.decode() == SHORT
    assert outcome.applied == ()
    (left,) = outcome.left
    assert left.bug
    assert reason in left.reason


def test_good_edits_of_other_files_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from inflint.engine.fixing import fix
    from inflint.engine.run import Request

    marked = SHORT.replace('["vf", "aux"]', '["vf", "aux"]  # broken')
    for index in range(5):
        text = marked if index == 3 else SHORT
        (tmp_path / f"m{index}.py").write_text(text, encoding="utf-8")
    real = planning.FIXERS["INF201"]

    def sometimes(context, subject, finding) -> Fix:
        if "# broken" in context.document(finding.path).text:
            return edit('["vf", "aux"]', "[")(context, subject, finding)
        return real(context, subject, finding)

    monkeypatch.setitem(planning.FIXERS, "INF201", sometimes)
    outcome = fix(Request((tmp_path,), codes=CODES), unsafe=False)
    assert {p.name for p in outcome.after} == {"m0.py", "m1.py", "m2.py", "m4.py"}
    assert {data.decode() for data in outcome.after.values()} == {FULL}
    assert [(left.finding.path.name, left.bug) for left in outcome.left] == [("m3.py", True)]
    assert len(outcome.applied) == 4


def test_what_does_not_converge_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two fixers undo each other's work, each removing its own finding."""
    twice = module(LISTED.format('["vf", "vf", "aux", "third"]'))
    monkeypatch.setattr(passes, "_brought", lambda *_: passes.Counter())
    monkeypatch.setitem(
        planning.FIXERS, "INF207", edit('"vf", "vf", "aux", "third"', '"vf", "aux"')
    )
    monkeypatch.setitem(
        planning.FIXERS, "INF201", edit('["vf", "aux"]', '["vf", "vf", "aux", "third"]')
    )
    result, outcome = run(twice, tmp_path)
    assert result.decode() == twice
    assert outcome.applied == ()
    assert {left.reason for left in outcome.left} == {"its fixes do not converge"}
    assert all(left.bug for left in outcome.left)


def test_collisions() -> None:
    one, two = Edit(3, 5, "x"), Edit(5, 5, "y")
    assert collide([one], [two])
    assert not collide([one], [one])
    assert not collide([one], [Edit(6, 7, "")])
    assert merged([[two, one], [one]]) == [one, two]
