"""Discovery: each file once, ignore files, links, and what is not there."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from inflint.sources.decode import DecodeError, decode
from inflint.sources.discover import MissingPathError, discover

if TYPE_CHECKING:
    from pathlib import Path


def names(top: Path, *arguments: Path) -> list[str]:
    return [p.relative_to(top).as_posix() for p in discover(arguments or [top])]


def test_a_directory_and_a_file_of_it_give_each_file_once(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    for name in ("b.py", "a.py", "pkg/c.py", "pkg/notes.txt"):
        (tmp_path / name).write_text("")
    assert names(tmp_path, tmp_path / "b.py", tmp_path) == ["a.py", "b.py", "pkg/c.py"]


def test_a_named_file_is_taken_whatever_its_suffix(tmp_path: Path) -> None:
    (tmp_path / "script").write_text("")
    assert names(tmp_path, tmp_path / "script") == ["script"]


def test_usual_directories_are_skipped_unless_named(tmp_path: Path) -> None:
    (tmp_path / ".venv" / "lib").mkdir(parents=True)
    (tmp_path / ".venv" / "lib" / "a.py").write_text("")
    assert names(tmp_path) == []
    assert names(tmp_path, tmp_path / ".venv") == [".venv/lib/a.py"]


def test_gitignore(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_text("build/\n*_gen.py\n!keep_gen.py\n")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / ".gitignore").write_text("local.py\n")
    (tmp_path / "build").mkdir()
    for name in ("a.py", "x_gen.py", "keep_gen.py", "src/local.py", "src/b.py", "build/c.py"):
        (tmp_path / name).write_text("")
    assert names(tmp_path) == ["a.py", "keep_gen.py", "src/b.py"]
    assert names(tmp_path, tmp_path / "src") == ["src/b.py"]
    assert names(tmp_path, tmp_path / "build") == ["build/c.py"]


def test_a_loop_of_links_ends(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "m.py").write_text("")
    (tmp_path / "a" / "again").symlink_to(tmp_path, target_is_directory=True)
    assert names(tmp_path) == ["a/m.py"]


def test_odd_names(tmp_path: Path) -> None:
    for name in ("with space.py", "new\nline.py", "ü.py"):
        (tmp_path / name).write_text("")
    (tmp_path / os.fsdecode(b"\xff.py")).write_text("")
    assert len(discover([tmp_path])) == 4


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError, match="nowhere"):
        discover([tmp_path / "nowhere"])


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"x = 1\r\n", "x = 1\r\n"),
        (b"\xef\xbb\xbfx = 1\n", "x = 1\n"),
        (b"# -*- coding: latin-1 -*-\nx = '\xe9'\n", "# -*- coding: latin-1 -*-\nx = 'é'\n"),
    ],
)
def test_decoding(data: bytes, text: str) -> None:
    assert decode(data) == text


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (b"x = 1\ny = '\xff'\n", 2, 6),
        (b"x = 1\n\0", 2, 1),
        ("x = 1".encode("utf-16"), 1, 1),
        (b"# coding: nonsense\n", 1, 1),
    ],
)
def test_what_is_no_text(data: bytes, line: int, column: int) -> None:
    with pytest.raises(DecodeError) as caught:
        decode(data)
    assert (caught.value.line, caught.value.column) == (line, column)
