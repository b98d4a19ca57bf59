"""Reads the expectations that head each class of the corpus.

A *case* is one class. Its expectations stand in comment lines `# key: value` right before the
class, or at the top of the file for the first one. Keys:

``class``
    The class's name; opens a block.
``non_inference``
    The maximal access paths that no inference call touches, comma separated; empty for none.
``acceptable-uncertain``
    Paths that are unused in truth, where a sound static pass may also say "uncertain".
``findings``
    ``CODE@"text"``: the finding stands at the first line of code after the block that contains
    the text. ``CODE`` alone: at any line of the file. ``?CODE``: may be reported or not.
    Without this key the class's findings are not asserted.
``get``
    A Python expression, in the module's namespace, that yields the class to build.
``configs``
    A Python expression: the model configs to build under (a list of dicts); what any of them
    needs is needed. ``ppo()``, ``dqn()`` and ``sac()`` are RLlib's defaults, made small.
``ignore-outputs``
    Keys of the forwards' results that are not compared, since losing them is what a guard is for.
``runtime``
    ``skip``: the class cannot be built, so only the static expectations hold.
``note``
    For people.

A line `#     more` (four blanks or more) continues the value of the line above.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

CASES = Path(__file__).parent / "cases"

_KEYS = (
    "class",
    "non_inference",
    "acceptable-uncertain",
    "findings",
    "get",
    "configs",
    "ignore-outputs",
    "runtime",
    "note",
)
_LINE = re.compile(r"#\s*(" + "|".join(_KEYS) + r"):\s*(.*?)\s*$")
_MORE = re.compile(r"#\s{4,}(\S.*?)\s*$")
_FINDING = re.compile(r'(\??)(INF\d{3})(?:@"((?:[^"\\]|\\.)*)")?')


@dataclass(frozen=True)
class Finding:
    """An expected finding. `line` is 1-based, or None where any line will do."""

    code: str
    line: int | None
    optional: bool

    def matches(self, code: str, line: int) -> bool:
        """Whether a reported finding is this one."""
        return code == self.code and self.line in (None, line)


@dataclass(frozen=True)
class Case:
    """The expectations of one class. `file` holds the class, `target` is what gets linted."""

    file: Path
    target: Path
    name: str
    non_inference: frozenset[str]
    uncertain: frozenset[str]
    findings: tuple[Finding, ...] | None
    get: str
    configs: str
    ignore_outputs: frozenset[str]
    runtime: bool

    @property
    def id(self) -> str:
        """A stable name for the test's parameter."""
        return f"{self.file.relative_to(CASES).with_suffix('').as_posix()}:{self.name}"


def targets() -> list[Path]:
    """The files and the sub-package folders of the corpus, each linted on its own."""
    return sorted(
        entry
        for entry in CASES.iterdir()
        if (entry.suffix == ".py" or (entry.is_dir() and any(entry.rglob("*.py"))))
        and not entry.name.startswith("__")
    )


def cases(target: Path | None = None) -> list[Case]:
    """The cases of one target, or of the whole corpus."""
    found: list[Case] = []
    for entry in [target] if target is not None else targets():
        for file in sorted(entry.rglob("*.py")) if entry.is_dir() else [entry]:
            found.extend(_read(file, entry))
    return found


def _read(file: Path, target: Path) -> list[Case]:
    lines = file.read_text(encoding="utf-8").splitlines()
    blocks: list[tuple[dict[str, str], int]] = []
    key = ""
    for number, line in enumerate(lines):
        match = _LINE.match(line)
        if match is None:
            more = _MORE.match(line)
            if more is not None and key:
                blocks[-1][0][key] += " " + more.group(1)
            else:
                key = ""
            continue
        key, value = match.group(1), match.group(2)
        if key == "class":
            blocks.append(({}, number))
        if not blocks:
            raise ValueError(f"{file}:{number + 1}: '{key}' stands before any '# class:'")
        if key in blocks[-1][0] and key != "note":
            raise ValueError(f"{file}:{number + 1}: '{key}' twice")
        blocks[-1][0][key] = value
    return [_case(file, target, keys, lines, start) for keys, start in blocks]


def _case(file: Path, target: Path, keys: dict[str, str], lines: list[str], start: int) -> Case:
    name = keys["class"]
    findings = keys.get("findings")
    return Case(
        file=file,
        target=target,
        name=name,
        non_inference=_names(keys["non_inference"]),
        uncertain=_names(keys.get("acceptable-uncertain", "")),
        findings=None if findings is None else _findings(findings, lines, start, file),
        get=keys.get("get", name),
        configs=keys.get("configs", "[{}]"),
        ignore_outputs=_names(keys.get("ignore-outputs", "")),
        runtime=keys.get("runtime") != "skip",
    )


def _names(text: str) -> frozenset[str]:
    return frozenset(part.strip() for part in text.split(",") if part.strip())


def _findings(text: str, lines: list[str], start: int, file: Path) -> tuple[Finding, ...]:
    found: list[Finding] = []
    for optional, code, needle in _FINDING.findall(text):
        line = None
        if needle:
            plain = needle.replace('\\"', '"')
            line = next(
                (
                    number + 1
                    for number, content in enumerate(lines)
                    if number >= start and plain in content and not content.startswith("#")
                ),
                None,
            )
            if line is None:
                raise ValueError(f"{file}: no line of code contains {plain!r}")
        found.append(Finding(code=code, line=line, optional=bool(optional)))
    if text and not found:
        raise ValueError(f"{file}: cannot read the findings {text!r}")
    return tuple(found)
