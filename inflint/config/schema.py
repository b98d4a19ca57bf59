"""The keys of a configuration file: what each may hold, and what holds without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from inflint.sources.globs import INCLUDED, SKIPPED

if TYPE_CHECKING:
    from collections.abc import Iterable

SEVERITIES = ("info", "warning", "error")


class Key(NamedTuple):
    """A key.

    Attributes:
        name: As it is written.
        kind: ``text``, ``path``, ``flag``, ``texts`` (a list), ``severity`` (one of three
            words), ``severities`` (a table of these), ``lists`` (a table of lists of text), or
            ``table``.
        default: What holds where no file has the key.
        summary: What it is for.
    """

    name: str
    kind: str
    default: Any
    summary: str


_KEYS = (
    Key(
        "extend",
        "path",
        None,
        "Another configuration file, whose values hold unless this one has its own.",
    ),
    Key(
        "select",
        "texts",
        None,
        "Rules to report: codes, prefixes of codes, names, or ALL; by default all that are on.",
    ),
    Key("extend-select", "texts", (), "Rules to report besides."),
    Key("ignore", "texts", (), "Rules not to report. The more specific selector wins."),
    Key("severity", "severities", {}, 'Other severities, by rule: `INF101 = "error"`.'),
    Key(
        "per-file-ignores",
        "lists",
        {},
        "Rules not to report in files that match a pattern; with `!` in front, in all others.",
    ),
    Key("include", "texts", INCLUDED, "Patterns of files to look at in a directory."),
    Key("exclude", "texts", SKIPPED, "Patterns of files and directories to leave out."),
    Key("extend-exclude", "texts", (), "Patterns to leave out besides."),
    Key("respect-gitignore", "flag", True, "Leave out what `.gitignore` files leave out."),
    Key(
        "force-exclude",
        "flag",
        False,
        "Leave out excluded files even where they are named as arguments.",
    ),
    Key(
        "target-ray",
        "text",
        None,
        "Ray's release, or a range such as `>=2.40,<2.53`; by default it is found out.",
    ),
    Key(
        "python",
        "path",
        None,
        "Interpreter or virtual environment that the code imports from; by default it is "
        "found out.",
    ),
    Key(
        "module-bases",
        "texts",
        (),
        "Dotted names of base classes of your own that count as `TorchRLModule`, even where "
        "their source is not at hand.",
    ),
    Key(
        "inference-entry-points",
        "texts",
        (),
        "Methods that your code calls at inference, besides those that RLlib calls.",
    ),
    Key(
        "component-factories",
        "texts",
        (),
        "Dotted names of functions that return modules; `*` stands for a part of a name.",
    ),
    Key("baseline", "path", None, "File with the findings that are known and not reported."),
    Key("fail-on", "severity", "info", "The lowest severity that makes the exit code 1."),
    Key(
        "verify",
        "table",
        None,
        "What `inflint verify` is to build; see `inflint verify --help`.",
    ),
)
KEYS = {key.name: key for key in _KEYS}
"""All keys, by name."""

_WANTED = {
    "text": "a string",
    "path": "a string",
    "flag": "true or false",
    "texts": "a list of strings",
    "severity": f"one of {', '.join(SEVERITIES)}",
    "severities": f"a table of rules, each with one of {', '.join(SEVERITIES)}",
    "lists": "a table of patterns, each with a list of rules",
    "table": "a table",
}


def nearest(word: str, known: Iterable[str]) -> str:
    """A question for the message on an unknown word: what may have been meant; or nothing."""
    import difflib

    found = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean {found[0]!r}?" if found else ""


def fault(key: Key, value: object) -> tuple[tuple[str, ...], str] | None:
    """What is wrong with a value: the way down to it below its key, and what it must be."""
    if _fits(key.kind, value):
        return None
    if isinstance(value, dict) and key.kind in {"severities", "lists"}:
        inner = "severity" if key.kind == "severities" else "texts"
        for name, entry in value.items():
            if not _fits(inner, entry):
                return (name,), f"{key.name}: {name!r} must be {_WANTED[inner]}, not {entry!r}"
    return (), f"{key.name} must be {_WANTED[key.kind]}, not {value!r}"


def _fits(kind: str, value: object) -> bool:
    if kind in {"text", "path"}:
        return isinstance(value, str)
    if kind == "flag":
        return isinstance(value, bool)
    if kind == "texts":
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if kind == "severity":
        return value in SEVERITIES
    if kind == "table":
        return isinstance(value, dict)
    inner = "severity" if kind == "severities" else "texts"
    return isinstance(value, dict) and all(_fits(inner, entry) for entry in value.values())
