"""The rule pages in ``rules/``: the one source of a rule's code, name and severity."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from inflint.checks.finding import SEVERITIES
from inflint.data import rules_directory

if TYPE_CHECKING:
    from pathlib import Path

_FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_FENCE = re.compile(r"^```python (bad|good|fixed)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_KEYS = ("code", "name", "severity", "fix", "since")
_OPTIONAL = "default"


@dataclass(frozen=True)
class Rule:
    """A rule, as its page describes it.

    Attributes:
        code: Such as ``INF202``.
        name: Such as ``listed-but-used``.
        severity: The usual one.
        fix: ``safe``, ``unsafe`` or ``none``.
        since: The version of inflint that brought it.
        text: The page's Markdown, without its front matter.
        page: The page's address below the project.
        on: It is reported without being selected.
    """

    code: str
    name: str
    severity: str
    fix: str
    since: str
    text: str
    page: str
    on: bool = True

    def examples(self, kind: str) -> list[str]:
        """The fenced examples marked ``bad``, ``good`` or ``fixed``."""
        return [source for marked, source in _FENCE.findall(self.text) if marked == kind]

    @property
    def summary(self) -> str:
        """The first sentence of what it does, without the word that all begin with."""
        body = self.text.split("## What it does", 1)[-1].strip()
        first = re.split(r"(?<=[.!?])\s", " ".join(body.split("\n\n")[0].split()))[0]
        return first.removeprefix("Reports ")


def parse_page(path: Path) -> Rule:
    """Read one page.

    Raises:
        ValueError: Its front matter is missing, incomplete or contradicts its file name.
    """
    content = path.read_text(encoding="utf-8")
    front = _FRONT.match(content)
    if front is None:
        raise ValueError(f"{path.name}: no front matter")
    lines = (line.partition(":") for line in front[1].splitlines() if line)
    values = {key.strip(): value.strip() for key, _, value in lines}
    default = values.pop(_OPTIONAL, "on")
    if tuple(values) != _KEYS or default not in {"on", "off"}:
        raise ValueError(f"{path.name}: front matter has {', '.join(values)}")
    if path.stem != f"{values['code']}-{values['name']}":
        raise ValueError(f"{path.name}: the file is not named after its code and name")
    if values["severity"] not in SEVERITIES:
        raise ValueError(f"{path.name}: no severity {values['severity']!r}")
    text = content[front.end() :].strip()
    return Rule(text=text, page=f"rules/{path.name}", on=default == "on", **values)


@lru_cache(maxsize=1)
def rules() -> dict[str, Rule]:
    """All rules by code, in order of their codes."""
    pages = (parse_page(path) for path in sorted(rules_directory().glob("INF*.md")))
    return {rule.code: rule for rule in pages}


@lru_cache(maxsize=1)
def names() -> dict[str, str]:
    """The name of each rule by its code, from the pages' file names alone."""
    stems = sorted(path.stem for path in rules_directory().glob("INF*.md"))
    return {code: name for code, _, name in (stem.partition("-") for stem in stems)}


def default_codes() -> frozenset[str]:
    """The rules that are on without being selected."""
    return frozenset(code for code, rule in rules().items() if rule.on)


def resolve(text: str) -> list[str]:
    """The codes that a selector means: a code, a prefix of codes, a name, or ``ALL``.

    Raises:
        UnknownRuleError: No rule matches.
    """
    known = names()
    wanted = text.strip()
    if wanted.upper() == "ALL":
        return list(known)
    by_name = [code for code, name in known.items() if name == wanted.lower()]
    found = by_name or [code for code in known if wanted and code.startswith(wanted.upper())]
    if not found:
        raise UnknownRuleError(wanted)
    return found


class UnknownRuleError(KeyError):
    """No rule has that code, name or prefix; the message names the nearest one."""

    def __str__(self) -> str:
        word = self.args[0]
        known = names()
        from difflib import get_close_matches

        close = get_close_matches(word.upper(), known, n=1, cutoff=0.6) or get_close_matches(
            word.lower(), known.values(), n=1, cutoff=0.6
        )
        hint = f"did you mean {close[0]!r}?" if close else "'inflint rules' lists them"
        return f"no rule matches {word!r}; {hint}"
