"""The cache never changes a result, whatever happens to files, to it, or around it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from inflint.config.discover import Lookup
from inflint.engine import store as stores
from inflint.engine.checking import Settings, check_cached
from inflint.engine.recall import Recall
from inflint.engine.run import Request
from inflint.sources import disk
from tests.engine import projects
from tests.engine.projects import write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from inflint.engine.run import Checked

COLD = Settings(cache=False, jobs=1)


def warm(tmp_path: Path) -> Settings:
    return Settings(cache_directory=tmp_path / "cache", jobs=1)


def seen(checked: Checked) -> list[object]:
    """All that a report shows."""
    return [
        *checked.findings,
        checked.classes,
        checked.paths,
        checked.targets,
        [checked.target_of(path) for path in checked.paths],
        checked.opened,
        checked.suppressed,
        checked.fixes,
    ]


def counting(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """One entry for each result that was given again."""
    given: list[object] = []
    ask = Recall.past

    def past(self: Recall) -> object:
        found = ask(self)
        given.extend([found.result] if found.result is not None else [])
        return found

    monkeypatch.setattr(Recall, "past", past)
    return given


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def same_size_and_time(top: Path) -> None:
    """An edit that neither size nor modification time betrays."""
    path = top / "base.py"
    before = path.stat()
    replace(path, "self.vf(batch", "self.pi(batch")
    assert path.stat().st_size == before.st_size
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


EDITS: dict[str, Callable[[Path], object]] = {
    "the base is edited": lambda top: (top / "base.py").write_text(projects.LISTING_BASE),
    "the base is edited in place": same_size_and_time,
    "the base is deleted": lambda top: (top / "base.py").unlink(),
    "another module shadows the base": lambda top: (top / "app" / "base.py").write_text(
        projects.LISTING_BASE
    ),
    "a package shadows the base": lambda top: write(
        top, {"app/base/__init__.py": projects.LISTING_BASE}
    ),
    "src shadows nothing": lambda top: write(top, {"src/base.py": projects.LISTING_BASE}),
    "the directory becomes a package": lambda top: write(top, {"app/__init__.py": ""}),
    "a file is added": lambda top: write(top, {"app/n.py": projects.module("New")}),
    "a file is ignored": lambda top: write(top, {"app/.gitignore": "m.py\n"}),
    "a file cannot be decoded": lambda top: (top / "app/m.py").write_bytes(b"class A(Base): \xff"),
    "the release is configured": lambda top: (top / "pyproject.toml").write_text(
        '[tool.inflint]\ntarget-ray = "2.40.0"\n'
    ),
    "a rule is ignored": lambda top: (top / "app" / "inflint.toml").write_text(
        'ignore = ["INF101", "INF201"]\n'
    ),
    "a severity is configured": lambda top: (top / "pyproject.toml").write_text(
        '[tool.inflint.severity]\nINF101 = "error"\n'
    ),
    "a file is excluded": lambda top: (top / "pyproject.toml").write_text(
        '[tool.inflint]\nextend-exclude = ["m.py"]\n'
    ),
    "a finding is hidden": lambda top: replace(
        top / "app/m.py", "class Derived(Base):", "class Derived(Base):  # noqa: INF101"
    ),
    "the release is locked": lambda top: (top / "uv.lock").write_text(
        '[[package]]\nname = "ray"\nversion = "2.38.0"\n'
    ),
    "the release is required": lambda top: (top / "requirements-dev.txt").write_text("ray==2.41.0"),
    "an environment appears": lambda top: write(
        top,
        {
            "app/.venv/lib/python3.11/site-packages/ray-2.45.0.dist-info/METADATA": "",
            "app/.venv/lib/python3.11/site-packages/ray/__init__.py": "",
        },
    ),
    "nothing at all": lambda _: None,
    "only a time": lambda top: os.utime(top / "base.py"),
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("arguments", ["app", "app/m.py", "."])
def test_an_edit_anywhere(
    top: Path, tmp_path: Path, edit: str, arguments: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    request = Request((top / arguments,))
    assert seen(check_cached(request, warm(tmp_path))) == seen(check_cached(request, COLD))
    EDITS[edit](top)
    request = Request((top / arguments,))
    given = counting(monkeypatch)
    assert seen(check_cached(request, warm(tmp_path))) == seen(check_cached(request, COLD))
    if edit in {"nothing at all", "only a time"}:
        assert len(given) == 1
    if edit.startswith("the base is"):
        assert not given
    again = check_cached(request, warm(tmp_path))
    assert seen(again) == seen(check_cached(request, COLD))
    assert given or not again.classes  # a few files without modules are not worth a record


def test_edits_of_the_base_show(top: Path, tmp_path: Path) -> None:
    """That the results above differ at all."""
    request = Request((top / "app",))
    assert [f.code for f in check_cached(request, warm(tmp_path)).findings] == ["INF101"]
    (top / "base.py").write_text(projects.LISTING_BASE)
    assert [f.code for f in check_cached(request, warm(tmp_path)).findings] == ["INF201"]
    (top / "base.py").write_text(projects.BASE)
    assert [f.code for f in check_cached(request, warm(tmp_path)).findings] == ["INF101"]


def test_a_package_of_the_environment(top: Path, tmp_path: Path) -> None:
    """Bases in site-packages count like those of the project."""
    site = tmp_path / "venv/lib/python3.11/site-packages"
    write(site, {"far/__init__.py": projects.BASE})
    write(top, {"app/m.py": "from far import Base\n\n\nclass Derived(Base):\n    pass\n"})
    request = Request((top / "app",), Lookup({"python": str(tmp_path / "venv")}))
    assert [f.code for f in check_cached(request, warm(tmp_path)).findings] == ["INF101"]
    write(site, {"far/__init__.py": projects.LISTING_BASE})
    assert not check_cached(request, warm(tmp_path)).findings


def test_settings_are_part_of_the_key(top: Path, tmp_path: Path) -> None:
    plain = Request((top / "app",))
    check_cached(plain, warm(tmp_path))
    for other in (
        Request((top / "app",), codes=frozenset(("INF202",))),
        Request((top / "app",), Lookup({"target-ray": "2.40.0"})),
        Request((top / "app",), Lookup({"target-ray": ">=2.40,<2.45"})),
        Request((top / "app",), suppressions=False),
        Request((top,)),
    ):
        assert seen(check_cached(other, warm(tmp_path))) == seen(check_cached(other, COLD))


def test_no_body_is_parsed_twice(top: Path, tmp_path: Path) -> None:
    """After an edit of one file, all others are known without parsing them."""
    probe = (
        "import sys; from pathlib import Path\n"
        "from inflint.engine.checking import Settings, check_cached\n"
        "from inflint.engine.run import Request\n"
        "settings = Settings(cache_directory=Path(sys.argv[2]))\n"
        "found = check_cached(Request((Path(sys.argv[1]),)), settings)\n"
        "print(found.classes, 'inflint.syntax.lower' in sys.modules)\n"
    )

    def run() -> str:
        command = [sys.executable, "-c", probe, str(top / "app"), str(tmp_path / "cache")]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    plain = "from base import Base\n\n\nclass Derived(Base):\n    pass\n"
    write(top, {"base.py": projects.LISTING_BASE, "app/m.py": plain})
    assert run() == "1 True"
    assert run() == "1 False"
    write(top, {"app/other.py": "from base import Base\n\n\nclass Other(Base):\n    pass\n"})
    assert run() == "2 False"


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "cut": lambda data: data[: len(data) // 2],
    "a bit flipped": lambda data: data[:-9] + bytes([data[-9] ^ 4]) + data[-8:],
    "no JSON": lambda _: signed(b"{'a': 1"),
    "another shape": lambda _: signed(b"[1, 2]"),
    "other keys": lambda _: signed(b'{"result": {"findings": 3}}'),
    "deeply nested": lambda _: signed(b"[" * 100_000),
    "facts of no kind": lambda data: signed(
        json.dumps({key: [77, [-5]] for key in json.loads(data.split(b"\n", 1)[1])}).encode()
    ),
    "bytes": lambda _: bytes(range(256)) * 40,
}


def signed(data: bytes) -> bytes:
    return disk.digest(data).encode() + b"\n" + data


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_cache_is_rebuilt(top: Path, tmp_path: Path, damage: str) -> None:
    request = Request((top / "app",))
    expected = seen(check_cached(request, COLD))
    check_cached(request, warm(tmp_path))
    entries = list((tmp_path / "cache").rglob("*.json"))
    assert {path.parent.name for path in entries} == {"runs", "facts"}
    for path in entries:
        path.write_bytes(DAMAGE[damage](path.read_bytes()))
    assert seen(check_cached(request, warm(tmp_path))) == expected
    assert seen(check_cached(request, warm(tmp_path))) == expected
    (tmp_path / "cache").rename(tmp_path / "gone")
    (tmp_path / "cache").write_text("a file where the cache should be")
    assert seen(check_cached(request, warm(tmp_path))) == expected


def test_a_cache_that_cannot_be_written(top: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("no directory")
    settings = Settings(cache_directory=blocked / "cache")
    request = Request((top / "app",))
    assert seen(check_cached(request, settings)) == seen(check_cached(request, COLD))


def test_concurrent_runs(top: Path, tmp_path: Path) -> None:
    write(top, {f"app/m{n}.py": projects.module(f"M{n}") for n in range(6)})
    request = Request((top / "app",))
    expected = seen(check_cached(request, COLD))
    command = [sys.executable, "-m", "inflint", "check", str(top / "app"), "--format", "json"]
    environment = {**os.environ, "INFLINT_CACHE_DIR": str(tmp_path / "cache")}

    def run(_: int) -> bytes:
        done = subprocess.run(command, capture_output=True, env=environment, check=False)
        assert done.returncode == 1, done.stderr
        return done.stdout

    with ThreadPoolExecutor(4) as pool:
        outputs = set(pool.map(run, range(8)))
    assert len(outputs) == 1
    assert seen(check_cached(request, warm(tmp_path))) == expected


def test_killed_runs(top: Path, tmp_path: Path) -> None:
    """A run that is killed at any time leaves a cache that is right."""
    write(top, {f"app/m{n}.py": projects.module(f"M{n}") for n in range(6)})
    request = Request((top / "app",))
    expected = seen(check_cached(request, COLD))
    command = [sys.executable, "-m", "inflint", "check", str(top / "app")]
    environment = {**os.environ, "INFLINT_CACHE_DIR": str(tmp_path / "cache")}
    for step in range(6):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
        time.sleep(0.15 * (step + 1))
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert seen(check_cached(request, warm(tmp_path))) == expected


def test_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not used for longest goes first."""
    monkeypatch.setattr(stores, "LARGEST", 40_000)
    store = stores.Store(tmp_path / "cache")
    for number in range(30):
        store.put("facts", f"{number:032}", "x" * 1000)
        path = next((tmp_path / "cache").rglob(f"{number:032}.json"))
        os.utime(path, ns=(number * 10**9, number * 10**9))
    store.close()
    assert store.get("facts", f"{0:032}") is not None  # below the bound
    for number in range(30, 50):
        store.put("facts", f"{number:032}", "x" * 1000)
    store.close()
    kept = [number for number in range(50) if store.get("facts", f"{number:032}") is not None]
    assert 20 < len(kept) < 40
    assert kept == [0, *range(50 - len(kept) + 1, 50)]  # reading the first marked it as used


def test_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INFLINT_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    (tmp_path / "project/below").mkdir(parents=True)
    start = tmp_path / "project/below"
    assert stores.find_store(None, start).directory.parent == tmp_path / "xdg/inflint"
    (tmp_path / "project/.git").mkdir()
    assert stores.find_store(None, start).directory == tmp_path / "project/.inflint_cache"
    monkeypatch.setenv("INFLINT_CACHE_DIR", str(tmp_path / "mine"))
    assert stores.find_store(None, start).directory == tmp_path / "mine"
    assert stores.find_store(tmp_path / "said", start).directory == tmp_path / "said"


def test_it_ignores_itself(top: Path, tmp_path: Path) -> None:
    check_cached(Request((top / "app",)), warm(tmp_path))
    assert (tmp_path / "cache/.gitignore").read_text().splitlines()[-1] == "*"
