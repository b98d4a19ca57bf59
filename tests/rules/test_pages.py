"""Rule pages: complete, in step with the code, and their examples behave as they say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from inflint.checks.pages import Rule, parse_page, resolve, rules
from inflint.engine.fixing import fix
from inflint.engine.run import Request
from inflint.fix.planning import FIXERS, TEXTUAL

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Inflint

HEADINGS = ["What it does", "Why it is bad", "Example", "Use instead", "Fix safety", "References"]
_TARGET = re.compile(r"^# target-ray: (\S+)$", re.MULTILINE)
_MARK = re.compile(r"#\s*(INF\d+)\s*$")

BAD = [(r, i) for r in rules().values() for i in range(len(r.examples("bad")))]
GOOD = [(r, i) for r in rules().values() for i in range(len(r.examples("good")))]


@pytest.mark.parametrize("rule", rules().values(), ids=lambda r: r.code)
def test_page_is_complete(rule: Rule) -> None:
    assert re.findall(r"^## (.+)$", rule.text, re.MULTILINE) == HEADINGS
    assert rule.text.startswith(f"# {rule.name} ({rule.code})\n")
    assert rule.examples("bad")
    assert rule.examples("good")
    assert len(rule.summary) > 20


def check(inflint: Inflint, folder: Path, rule: Rule, source: str) -> set[tuple[int, str]]:
    """Lines and codes, for the release that the example names, with its rule switched on."""
    (folder / "example.py").write_text(source, encoding="utf-8")
    named = _TARGET.search(source)
    codes = ",".join(c for c, r in rules().items() if r.on or c == rule.code)
    args = ["--select", codes, "--target-ray", named[1] if named else "2.60.0"]
    return {(f["line"], f["code"]) for f in inflint.check(folder / "example.py", args=args)}


@pytest.mark.parametrize(("rule", "index"), BAD, ids=lambda v: getattr(v, "code", v))
def test_bad_example(inflint: Inflint, tmp_path: Path, rule: Rule, index: int) -> None:
    source = rule.examples("bad")[index]
    marked = {
        (number, found[1])
        for number, line in enumerate(source.splitlines(), 1)
        if (found := _MARK.search(line))
    }
    assert marked
    assert check(inflint, tmp_path, rule, source) == marked


@pytest.mark.parametrize(("rule", "index"), GOOD, ids=lambda v: getattr(v, "code", v))
def test_good_example(inflint: Inflint, tmp_path: Path, rule: Rule, index: int) -> None:
    assert check(inflint, tmp_path, rule, rule.examples("good")[index]) == set()


def test_each_rule_of_the_code_has_a_page_and_each_page_a_rule() -> None:
    import inflint.checks as package

    root = package.__path__[0]
    from pathlib import Path

    used = {
        code
        for source in Path(root).glob("*.py")
        for code in re.findall(r'"(INF\d{3})"', source.read_text(encoding="utf-8"))
    }
    assert used == set(rules())


def test_selectors() -> None:
    assert resolve("INF202") == ["INF202"]
    assert resolve("listed-but-used") == ["INF202"]
    assert resolve("inf2") == [c for c in rules() if c.startswith("INF2")]
    assert resolve("all") == list(rules())
    with pytest.raises(KeyError):
        resolve("INF999")


@pytest.mark.parametrize(
    ("front", "complaint"),
    [
        ("", "no front matter"),
        ("---\ncode: INF999\n---\n", "front matter has code"),
        (
            "---\ncode: INF998\nname: x\nseverity: error\nfix: none\nsince: 0.1.0\n---\n",
            "not named after",
        ),
        (
            "---\ncode: INF999\nname: x\nseverity: fatal\nfix: none\nsince: 0.1.0\n---\n",
            "no severity 'fatal'",
        ),
    ],
)
def test_broken_page(tmp_path: Path, front: str, complaint: str) -> None:
    page = tmp_path / "INF999-x.md"
    page.write_text(f"{front}# x\n", encoding="utf-8")
    with pytest.raises(ValueError, match=complaint):
        parse_page(page)


FIXED = [r for r in rules().values() if r.code in {*FIXERS, *TEXTUAL}]


@pytest.mark.parametrize("rule", FIXED, ids=lambda r: r.code)
def test_fixed_example(tmp_path: Path, rule: Rule) -> None:
    """The fix of the rule makes of the first bad example what the page shows."""
    source = re.sub(r"[ \t]*#\s*INF\d+$", "", rule.examples("bad")[0], flags=re.MULTILINE)
    path = tmp_path / "example.py"
    path.write_text(source, encoding="utf-8")
    # A suppression is only known to be unused where the rule that it names is active.
    codes = None if rule.code in TEXTUAL else frozenset([rule.code])
    request = Request((path,), codes=codes)
    outcome = fix(request, unsafe=rule.fix == "unsafe")
    assert outcome.left == ()
    assert rule.fix != "none"
    assert [outcome.after[path].decode()] == rule.examples("fixed")
    assert rule.fix == "safe" or fix(request, unsafe=False).after == {}


def test_only_fixable_rules_have_a_fixed_example() -> None:
    assert [r.code for r in rules().values() if r.examples("fixed")] == [r.code for r in FIXED]
