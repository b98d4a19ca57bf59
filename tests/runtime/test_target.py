"""Which file a target loads."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from inflint.runtime.places import CannotVerifyError
from inflint.runtime.target import RefusedImportError, load_target

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def _clean_imports() -> Iterator[None]:
    path, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        del sys.modules[name]


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_by_its_path(tmp_path: Path) -> None:
    path = _write(tmp_path / "lonely_module.py", "class Outer:\n    class Inner:\n        x = 1\n")
    assert load_target(f"{path}:Outer.Inner").x == 1


def test_a_file_in_a_package_has_its_full_name(tmp_path: Path) -> None:
    _write(tmp_path / "src/some_pkg/__init__.py", "")
    _write(tmp_path / "src/some_pkg/base.py", "X = 2\n")
    path = _write(tmp_path / "src/some_pkg/nets.py", "from .base import X\nname = __name__\n")
    assert load_target(f"{path}:name") == "some_pkg.nets"
    assert load_target(f"{path}:X") == 2


def test_a_module_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(tmp_path / "named_module.py", "X = 3\n")
    monkeypatch.chdir(tmp_path)
    assert load_target("named_module:X") == 3


def test_another_file_of_the_same_name_is_refused_with_both_paths(tmp_path: Path) -> None:
    first = _write(tmp_path / "a/twin_module.py", "X = 1\n")
    second = _write(tmp_path / "b/twin_module.py", "X = 2\n")
    assert load_target(f"{first}:X") == 1
    with pytest.raises(RefusedImportError) as caught:
        load_target(f"{second}:X")
    assert str(first) in str(caught.value)
    assert str(second) in str(caught.value)
    assert caught.value.given == second


def test_a_shadowed_standard_module_is_refused_before_it_runs(tmp_path: Path) -> None:
    path = _write(tmp_path / "json.py", "raise SystemExit\n")
    with pytest.raises(RefusedImportError):
        load_target(f"{path}:X")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no_colon", "is neither"),
        (":X", "is neither"),
        ("module:", "is neither"),
        ("missing.py:X", "is no file"),
        ("missing_module_xyz:X", "raises ModuleNotFoundError"),
        ("inflint:versoin", "no 'versoin'"),
    ],
)
def test_bad_targets(text: str, message: str) -> None:
    with pytest.raises(CannotVerifyError, match=message):
        load_target(text)


def test_what_an_import_raises_is_shown_with_its_line(tmp_path: Path) -> None:
    path = _write(tmp_path / "broken_module.py", "\n\nx = 1 / 0\n")
    with pytest.raises(CannotVerifyError, match="ZeroDivisionError") as caught:
        load_target(f"{path}:x")
    assert caught.value.place is not None
    assert (caught.value.place.file, caught.value.place.line) == (str(path), 3)
