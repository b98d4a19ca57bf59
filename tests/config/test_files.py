"""Configuration files: which one counts, what it adds up to, and what is wrong with it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import inflint
from inflint.config.discover import Lookup
from inflint.config.lines import line_of
from inflint.config.settings import ConfigError

if TYPE_CHECKING:
    from inflint.config.settings import Settings


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def ignored(settings: Settings) -> list[str]:
    return [code for layer in settings.selectors for code in layer.ignore]


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    settings = Lookup().at(tmp_path)
    assert (settings.root, settings.files, settings.selectors) == (None, (), ())
    assert settings.fail_on == "info"
    assert str(settings.origin("select")) == "default"


def test_the_nearest_file_counts(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", "[tool.inflint]\nignore = ['INF1']\n")
    write(tmp_path / "a" / "inflint.toml", "ignore = ['INF2']\n")
    write(tmp_path / "b" / "pyproject.toml", "[project]\nname = 'inflint-user'\n")
    (tmp_path / "a" / "deep").mkdir()
    lookup = Lookup()
    assert ignored(lookup.at(tmp_path / "a" / "deep")) == ["INF2"]
    assert lookup.at(tmp_path / "a" / "deep") is lookup.at(tmp_path / "a")
    assert ignored(lookup.at(tmp_path / "b")) == ["INF1"]  # that file has no table of ours
    assert lookup.at(tmp_path / "b").root == tmp_path


def test_the_order_in_one_directory(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", "[tool.inflint]\nignore = ['INF1']\n")
    write(tmp_path / "inflint.toml", "ignore = ['INF2']\n")
    assert ignored(Lookup().at(tmp_path)) == ["INF2"]
    write(tmp_path / ".inflint.toml", "ignore = ['INF3']\n")
    assert ignored(Lookup().at(tmp_path)) == ["INF3"]


def test_extend(tmp_path: Path) -> None:
    write(
        tmp_path / "base.toml",
        "ignore = ['INF1']\nextend-exclude = ['gen']\nfail-on = 'error'\nbaseline = 'known.json'\n"
        "[severity]\nINF101 = 'error'\nINF202 = 'info'\n",
    )
    file = write(
        tmp_path / "sub" / "inflint.toml",
        "extend = '../base.toml'\nignore = ['INF2']\nextend-exclude = ['old']\n"
        "[severity]\nINF202 = 'warning'\n",
    )
    settings = Lookup().at(tmp_path / "sub")
    assert settings.files == (file, tmp_path / "base.toml")
    assert settings.root == tmp_path / "sub"
    assert ignored(settings) == ["INF1", "INF2"]
    extra = [(glob.base, glob.text) for glob in settings.exclude[-2:]]
    assert extra == [(tmp_path, "gen"), (tmp_path / "sub", "old")]
    assert [(s.rule, s.severity) for s in settings.severity] == [
        ("INF101", "error"),
        ("INF202", "info"),
        ("INF202", "warning"),
    ]
    assert settings.fail_on == "error"
    assert settings.baseline == tmp_path / "known.json"  # relative to the file that names it
    assert str(settings.origin("fail-on")) == f"{tmp_path / 'base.toml'}:3"
    assert str(settings.origin("ignore")) == f"{file}:2"


def test_the_command_line_stands_over_files(tmp_path: Path) -> None:
    write(tmp_path / "inflint.toml", "fail-on = 'error'\ntarget-ray = '2.40'\n")
    settings = Lookup({"fail-on": "warning"}, ["target-ray = '2.50'"]).at(tmp_path)
    assert settings.fail_on == "warning"
    assert str(settings.origin("fail-on")) == "--fail-on"
    assert settings.analysis.target == "2.50"
    assert str(settings.origin("target-ray")) == "--config"


def test_config_names_a_file_for_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "a" / "inflint.toml", "ignore = ['INF1']\n")
    write(tmp_path / "ci" / "strict.toml", "ignore = ['INF2']\nexclude = ['x']\n")
    settings = Lookup(config=["ci/strict.toml"]).at(tmp_path / "a")
    assert ignored(settings) == ["INF2"]
    assert settings.exclude[0].base == tmp_path / "ci"
    assert ignored(Lookup(isolated=True).at(tmp_path / "a")) == []
    for arguments, message in [
        ({"config": ["ci/strict.toml"], "isolated": True}, "--isolated reads no file"),
        ({"config": ["ci/strict.toml", "a/inflint.toml"]}, "one file at most"),
        ({"config": ["nowhere.toml"]}, "nowhere.toml: no such file"),
        ({"config": ["ignor = []"]}, "did you mean 'ignore'"),
        ({"config": ["ignore = INF1"]}, "--config:1: "),
    ]:
        with pytest.raises(ConfigError, match=message):
            Lookup(**arguments)  # type: ignore[arg-type]


def test_config_needs_the_table(tmp_path: Path) -> None:
    path = write(tmp_path / "pyproject.toml", "[project]\nname = 'x'\n")
    with pytest.raises(ConfigError, match=r"has no table \[tool.inflint\]"):
        Lookup(config=[str(path)])


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("ignore = ['INF1'\nselect = []\n", 2, "array"),
        ('\n\nfail-on = "error\n', 3, "Illegal"),
        ("\nignor = []\n", 2, "no key 'ignor'; did you mean 'ignore'?"),
        ("zzz = 1\n", 1, "no key 'zzz'"),
        ("[tool.inflint]\nignore = []\n", 1, "the keys stand at the top"),
        ("select = 'INF1'\n", 1, "select must be a list of strings, not 'INF1'"),
        ("select = [1]\n", 1, "select must be a list of strings, not [1]"),
        ("target-ray = 2.41\n", 1, "target-ray must be a string, not 2.41"),
        ("respect-gitignore = 'no'\n", 1, "must be true or false"),
        ("fail-on = 'fatal'\n", 1, "fail-on must be one of info, warning, error, not 'fatal'"),
        ("severity = []\n", 1, "severity must be a table of rules"),
        ("[severity]\nINF1 = 'info'\nINF2 = 'bad'\n", 3, "'INF2' must be one of info"),
        ("[per-file-ignores]\n'a' = []\n'b/*' = 'INF1'\n", 3, "'b/*' must be a list of strings"),
        ("extend = 'gone.toml'\n", 1, "there is no file"),
        ("a = 1\na = 2\n", 2, "overwrite"),
    ],
)
def test_mistakes_are_told_with_file_and_line(
    tmp_path: Path, text: str, line: int, message: str
) -> None:
    path = write(tmp_path / "inflint.toml", text)
    with pytest.raises(ConfigError) as raised:
        Lookup().at(tmp_path)
    assert str(raised.value).startswith(f"{path}:{line}: ")
    assert message in str(raised.value)


def test_mistakes_in_a_shared_file(tmp_path: Path) -> None:
    path = write(
        tmp_path / "pyproject.toml",
        "[project]\nname = 'x'\nignore = 1\n\n[tool.inflint]\n# ignor\nignor = []\n",
    )
    with pytest.raises(ConfigError, match=f"^{path}:7: no key 'ignor'"):
        Lookup().at(tmp_path)
    path.write_text("[tool]\ninflint = 3\n")
    with pytest.raises(ConfigError, match=r"must be a table, not 3"):
        Lookup().at(tmp_path)
    path.write_bytes(b"[tool.inflint]\ntarget-ray = '\xe9'\n")
    with pytest.raises(ConfigError, match=f"^{path}:2: TOML must be UTF-8"):
        Lookup().at(tmp_path)
    path.write_text("[tool.other\nbroken: but not about us\n")
    assert Lookup().at(tmp_path).files == ()


def test_circles_and_chains(tmp_path: Path) -> None:
    write(tmp_path / "inflint.toml", "extend = 'b.toml'\n")
    write(tmp_path / "b.toml", "ignore = []\nextend = 'inflint.toml'\n")
    with pytest.raises(ConfigError, match=r"b.toml:2: extend goes in a circle: .* → .* → "):
        Lookup().at(tmp_path)
    write(tmp_path / "b.toml", "extend = 'b.toml'\n")
    with pytest.raises(ConfigError, match=r"b.toml:1: extend goes in a circle"):
        Lookup().at(tmp_path)
    write(tmp_path / "b.toml", "extend = 'pyproject.toml'\n")
    write(tmp_path / "pyproject.toml", "[project]\nname = 'x'\n")
    with pytest.raises(ConfigError, match=r"b.toml:1: .* has no table \[tool.inflint\] to extend"):
        Lookup().at(tmp_path)


TEXT = """\
top = 1
a.b = 2
[tool.inflint]  # the table
"quoted-key" = 3
select = [
    "INF1",
    'INF2',
]
inline = { deep = 1 }
[tool.inflint.severity]
INF101 = "error"
[[tool.inflint.more]]
x = 1
"""


@pytest.mark.parametrize(
    ("keys", "item", "line"),
    [
        (("top",), None, 1),
        (("a", "b"), None, 2),
        (("tool", "inflint"), None, 3),
        (("tool", "inflint", "quoted-key"), None, 4),
        (("tool", "inflint", "select"), None, 5),
        (("tool", "inflint", "select"), "INF2", 7),
        (("tool", "inflint", "inline", "deep"), None, 9),
        (("tool", "inflint", "severity", "INF101"), None, 11),
        (("tool", "inflint", "more", "x"), None, 13),
        (("nowhere",), None, 1),
    ],
)
def test_lines(keys: tuple[str, ...], item: str | None, line: int) -> None:
    assert line_of(TEXT, keys, item) == line


def test_looking_for_files_imports_no_reader(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib\nfrom inflint.config.discover import Lookup\n"
        f"Lookup().at(pathlib.Path({str(tmp_path)!r}))\n"
        "heavy = {'tomllib', 'tomli', 'difflib', 'libcst', 'rich', 'pathspec', 'packaging'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    root = str(Path(inflint.__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": root},
    )
    assert done.stdout == "[]\n"
