"""What a command has said is said again only where it would be said anew."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import inflint
from inflint import start
from inflint.engine.again import VARIABLES, Again
from tests.engine import projects
from tests.engine.projects import write
from tests.engine.test_cache import DAMAGE, EDITS

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.skipif(os.name != "posix", reason="times of files can be set elsewhere")


class Said(NamedTuple):
    code: object
    out: str
    again: bool


class Shell:
    """Runs the program as a console script does, but in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capfd = capfd
        self._codes: list[int | None] = []
        say = Again.say

        def noted(again: Again) -> int | None:
            self._codes.append(say(again))
            return self._codes[-1]

        monkeypatch.setattr(Again, "say", noted)

    def run(self, *arguments: str) -> Said:
        self._monkeypatch.setattr(sys, "argv", ["inflint", "check", *arguments])
        self._capfd.readouterr()
        with pytest.raises(SystemExit) as end:
            start.main()
        return Said(end.value.code, self._capfd.readouterr().out, self._codes[-1] is not None)


@pytest.fixture
def shell(
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    top: Path,
    tmp_path: Path,
) -> Shell:
    """A shell in the project, whose caches are in another place."""
    monkeypatch.setenv("INFLINT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.chdir(top)
    return Shell(monkeypatch, capfd)


def link(place: Path, target: Path) -> None:
    place.unlink(missing_ok=True)
    place.symlink_to(target)


MORE: dict[str, Callable[[Path], object]] = {
    "a link leads somewhere now": lambda top: write(
        top.parent, {"elsewhere/late.py": projects.module("Late")}
    ),
    "a link leads elsewhere": lambda top: link(top / "app/linked", top.parent / "second"),
    "a linked directory gets a file": lambda top: write(
        top.parent, {"first/new.py": projects.module("New")}
    ),
    "a linked file is edited": lambda top: (top.parent / "target.py").write_text(
        projects.module("Changed")
    ),
    "a name becomes a directory": lambda top: (
        (top / "app/notes").unlink(),
        write(top, {"app/notes/n.py": projects.module("Noted")}),
    ),
    "a directory is configured further up": lambda top: write(
        top.parent, {"app.toml": "", "inflint.toml": 'ignore = ["INF101"]\n'}
    ),
    "an extended configuration is edited": lambda top: (top / "shared.toml").write_text(
        '[tool.inflint]\nignore = ["INF101"]\n'
    ),
    "a repository begins": lambda top: (top.parent / ".git").mkdir(),
}


@pytest.mark.parametrize("edit", [*EDITS, *MORE])
@pytest.mark.parametrize("arguments", [("app",), ("app/m.py",), (".", "--format", "json")])
def test_an_edit_anywhere(shell: Shell, top: Path, edit: str, arguments: tuple[str, ...]) -> None:
    above = top.parent
    write(above, {"first/a.py": projects.module("A"), "second/b.py": projects.module("B")})
    write(above, {"target.py": projects.PLAIN, "project/app/notes": ""})
    write(top, {"shared.toml": "", "inflint.toml": 'extend = "shared.toml"\n'})
    link(top / "app/linked", above / "first")
    link(top / "app/target.py", above / "target.py")
    link(top / "app/late.py", above / "elsewhere/late.py")
    link(top / "app/later", above / "elsewhere")
    shell.run(*arguments)
    before = shell.run(*arguments)
    assert before.again
    assert before[:2] == shell.run(*arguments, "--no-cache")[:2]
    {**EDITS, **MORE}[edit](top)
    expected = shell.run(*arguments, "--no-cache")
    found = shell.run(*arguments)
    assert found[:2] == expected[:2]
    if edit == "nothing at all":
        assert found.again
    assert shell.run(*arguments)[:2] == expected[:2]


def test_the_edits_show(shell: Shell, top: Path) -> None:
    """That the results above differ at all."""
    assert shell.run("app").code == 1
    assert "INF101" in shell.run("app").out
    (top / "base.py").write_text(projects.LISTING_BASE)
    assert "INF201" in shell.run("app").out


def test_what_is_typed_and_set_is_part_of_it(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.run("app")
    first = shell.run("app")
    assert first.again
    assert not shell.run("app", "-q").again
    assert not shell.run("app", "--format", "json").again
    for name in VARIABLES:
        with monkeypatch.context() as patch:
            patch.setenv(name, "1" if name != "_INFLINT_COMPLETE" else "")
            assert not shell.run("app").again
    with monkeypatch.context() as patch:
        patch.setenv("FORCE_COLOR", "1")
        assert shell.run("app").out == shell.run("app").out != first.out
    with monkeypatch.context() as patch:
        patch.chdir("app")
        assert not shell.run(".").again
        assert shell.run(".").out != first.out
    assert shell.run("app") == first


@pytest.mark.parametrize(
    "arguments",
    [
        ("app", "--no-cache"),
        ("app", "--verbose"),
        ("app", "--output", "json=report.json"),
        ("app", "--format", "sarif"),
        ("app", "--baseline", "known.json"),
        ("app", "--write-baseline", "known.json"),
    ],
)
def test_what_is_never_said_again(shell: Shell, top: Path, arguments: tuple[str, ...]) -> None:
    shell.run("app", "--write-baseline", "known.json")
    for _ in range(3):
        assert not shell.run(*arguments).again
    if "--output" in arguments:
        assert (top / "report.json").exists()


def test_a_cache_of_its_own(shell: Shell, tmp_path: Path) -> None:
    for arguments in (("--cache-dir", str(tmp_path / "own")), (f"--cache-dir={tmp_path}/other",)):
        first = shell.run("app", *arguments)
        assert shell.run("app", *arguments) == first._replace(again=True)
    places = {path.parent.parent.parent.name for path in tmp_path.rglob("*.said")}
    assert places == {"own", "other"}


def test_a_file_without_modules(shell: Shell, top: Path) -> None:
    first = shell.run("app/plain.py")
    assert shell.run("app/plain.py") == first._replace(again=True)
    (top / "app/plain.py").write_text(projects.module("Now"))
    assert shell.run("app/plain.py").code == 1


def test_changed_just_now(shell: Shell, top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that was written a moment ago may change again without a sign of it."""
    monkeypatch.setattr("inflint.sources.disk.SETTLED", 3600 * 10**9)
    for _ in range(3):
        assert not shell.run("app").again


@pytest.mark.parametrize("damage", [name for name in DAMAGE if name != "facts of no kind"])
def test_a_damaged_entry(shell: Shell, tmp_path: Path, damage: str) -> None:
    shell.run("app")
    first = shell.run("app")
    assert first.again
    for path in (tmp_path / "cache").rglob("*.said"):
        path.write_bytes(DAMAGE[damage](path.read_bytes()))
    assert shell.run("app") == first._replace(again=False)
    assert shell.run("app") == first


def test_not_many_are_kept(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inflint.engine.again.MOST", 2)
    for number in range(4):
        shell.run("app/plain.py", "--jobs", f"{number + 1}")
    assert len(list((tmp_path / "cache").rglob("*.said"))) == 4
    shell.run("app/plain.py", "--jobs", "5")
    assert len(list((tmp_path / "cache").rglob("*.said"))) == 2
    assert shell.run("app/plain.py", "--jobs", "5").again


def test_all_variables_are_known() -> None:
    """Those that the code asks for are either part of the key, or say where the cache is."""
    places = {"INFLINT_CACHE_DIR", "LOCALAPPDATA", "XDG_CACHE_HOME"}
    asked = set()
    package = Path(inflint.__file__).parent
    for path in package.rglob("*.py"):
        if "runtime" not in path.parts:
            asked.update(re.findall(r"environ\b\W+(?:get\()?\"(\w+)\"", path.read_text()))
    assert asked
    assert asked <= {*VARIABLES, *places}
