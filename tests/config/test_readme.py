"""What the documents say of settings, suppressions and baselines is what inflint does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import inflint.config
from inflint.checks.selection import select
from inflint.cli import main
from inflint.config.discover import Lookup
from inflint.config.schema import KEYS, Key

ROOT = Path(__file__).parent.parent.parent
README = (Path(inflint.config.__file__).parent / "README.md").read_text(encoding="utf-8")
_BLOCK = re.compile(r"^<!-- (\w+): (.+?) -->\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_TYPES = {
    "text": "string",
    "path": "string",
    "flag": "boolean",
    "texts": "list of strings",
    "severity": "`info`, `warning` or `error`",
    "severities": "table",
    "lists": "table of lists",
    "table": "table",
}


def row(key: Key) -> str:
    default = key.default
    shown = ""
    if isinstance(default, bool):
        shown = f"`{str(default).lower()}`"
    elif isinstance(default, str):
        shown = f'`"{default}"`'
    elif default:
        shown = f"`[{', '.join(json.dumps(name) for name in default)}]`"
    return f"| `{key.name}` | {_TYPES[key.kind]} | {shown} | {key.summary} |"


def test_key_table() -> None:
    found = re.search(r"<!-- keys -->\n(.*?)<!-- /keys -->", README, re.DOTALL)
    assert found is not None
    head = ["| key | type | default | |", "|---|---|---|---|"]
    assert found[1].splitlines() == [*head, *map(row, KEYS.values())]


def test_the_walk_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    runs = 0
    for kind, name, text in _BLOCK.findall(README):
        if kind == "run":
            runs += 1
            assert CliRunner().invoke(main, name.split()).output == text, name
        elif Path(name).suffix == ".json":
            assert Path(name).read_text() == text
        else:
            Path(name).parent.mkdir(exist_ok=True)
            Path(name).write_text(text, encoding="utf-8")
    assert runs == 4


def test_the_example_in_the_readme_is_valid(tmp_path: Path) -> None:
    blocks = _BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    ((name, text),) = [(name, text) for kind, name, text in blocks if kind == "toml"]
    (tmp_path / name).write_text(text, encoding="utf-8")
    settings = Lookup().at(tmp_path)
    rules = select(settings)
    assert "INF405" in rules.codes
    assert "INF202" not in rules.of(tmp_path / "tests" / "deep" / "test_m.py")
    assert rules.severities == {"INF101": "error"}
    assert settings.fail_on == "warning"


@pytest.mark.parametrize("comment", re.findall(r"^\| `(# .+?)` \|", README, re.MULTILINE))
def test_the_forms_of_comments_are_read(comment: str) -> None:
    from inflint.sources.suppressions import parse_comment

    for form in comment.split("`, `"):
        (made,) = parse_comment(1, 0, form, alone=True)
        assert made.file == ("file" in form or "ruff" in form or "flake8" in form)
        assert (made.words is None) == ("INF202" not in form)
