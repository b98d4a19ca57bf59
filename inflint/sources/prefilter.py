"""Which files can hold one of the framework's modules, by their bytes alone.

A class can only be one if a base is: so the class headers of all files, their bases' names
and the names' aliases are closed over the framework's root names. A base that comes from a
file outside the set is not known, and its file stays in. Regular expressions that begin
with a literal read about 1 GB/s; nothing is parsed.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path

_HEADER = re.compile(rb"class[ \t]+(\w+)[ \t]*(?:\[[^\]]*\][ \t]*)?\(((?:[^()]|\([^()]*\))*)")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_ALIAS = re.compile(rb" as[ \t]+(\w+)")
_EQUAL = re.compile(rb"= *([\w.]+)[ \t]*(?:[\r\n#;]|\Z)")
_LAST_WORD = re.compile(rb"(\w+)[\s\\]*\Z")
_TARGET = re.compile(rb"(\w+)[ \t]*(?::[^\n=]*)?\Z")


def candidates(
    files: Mapping[Path, bytes], roots: Iterable[str], inert: Collection[str]
) -> list[Path]:
    """The files that may define one of the framework's modules.

    Args:
        files: Paths and contents.
        roots: Dotted names of the framework's base classes.
        inert: Top-level packages that certainly bring none, such as the standard library.
    """
    headers = {p: _HEADER.findall(data) for p, data in files.items() if b"class" in data}
    defined = {name for found in headers.values() for name, _ in found}
    outside = {
        name
        for path, found in headers.items()
        for name, bases in found
        if _comes_from_outside(path, files, bases, defined, inert)
    }
    seeds = {root.rpartition(".")[2].encode() for root in roots} | outside
    interesting = _closure(files, headers, seeds)
    return [
        path
        for path, data in files.items()
        if b"\0" in data[:4096]
        or any(name in outside or interesting & _words(b) for name, b in headers.get(path, ()))
    ]


def _words(text: bytes) -> set[bytes]:
    return set(_WORD.findall(text))


def _closure(
    files: Mapping[Path, bytes],
    headers: Mapping[Path, list[tuple[bytes, bytes]]],
    names: set[bytes],
) -> set[bytes]:
    """All names that may mean one of ``names`` or a class derived from it."""
    leads: dict[bytes, set[bytes]] = defaultdict(set)
    for found in headers.values():
        for name, bases in found:
            for word in _words(bases):
                leads[word].add(name)
    for data in files.values():
        for source, target in _aliases(data):
            leads[source].add(target)
    reached, stack = set(names), list(names)
    while stack:
        for name in leads.get(stack.pop(), ()):
            if name not in reached:
                reached.add(name)
                stack.append(name)
    return reached


def _aliases(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """``import x as y`` and ``y = x``."""
    for match in _ALIAS.finditer(data):
        source = _LAST_WORD.search(data, max(0, match.start() - 200), match.start())
        if source is not None:
            yield source[1], match[1]
    for match in _EQUAL.finditer(data):
        source_name = match[1].rpartition(b".")[2]
        if not source_name[:1].isupper():
            continue  # classes are aliased by their own names
        target = _TARGET.search(data, max(0, match.start() - 200), match.start())
        if target is not None:
            yield source_name, target[1]


def _comes_from_outside(
    path: Path,
    files: Mapping[Path, bytes],
    bases: bytes,
    defined: set[bytes],
    inert: Collection[str],
) -> bool:
    """Whether a base may come from a file that is not among ``files``."""
    data = files[path]
    for base in bases.split(b","):
        words = _WORD.findall(base)
        if not words or b"=" in base:
            continue
        origin = _origin(data, words[0])
        if origin is None:
            if b"import *" in data and words[0] not in defined:
                return True
            continue
        module, attribute = origin
        top = module.partition(".")[0]
        if top and top in inert:
            continue
        if words[-1] not in defined and attribute.encode() not in defined:
            return True
        if not _is_among(path, module, files):
            return True
    return False


def _origin(data: bytes, name: bytes) -> tuple[str, str] | None:
    """The import that binds a name: its module, and the attribute it takes."""
    escaped = re.escape(name)
    pattern = (
        rb"from[ \t]+([.\w]+)[ \t]+import[ \t]*"
        rb"(?:\([^)]*?|[^\n(]*?)\b(?:(\w+)[ \t]+as[ \t]+)?" + escaped + rb"\b"
    )
    match = re.search(pattern, data)
    if match is not None:
        return match[1].decode(), (match[2] or name).decode()
    match = re.search(rb"import[ \t]+([\w.]+[ \t]+as[ \t]+" + escaped + rb"|" + escaped + rb")\b", data)
    if match is not None:
        return match[1].split()[0].decode(), name.decode()
    return None


def _is_among(path: Path, module: str, files: Mapping[Path, bytes]) -> bool:
    """Whether a module is one of ``files``, going by its path."""
    stripped = module.lstrip(".")
    if module.startswith("."):
        base = path.parent
        for _ in range(len(module) - len(stripped) - 1):
            base = base.parent
        target = base.joinpath(*stripped.split(".")) if stripped else base
        return target.with_suffix(".py") in files or target / "__init__.py" in files
    relative = stripped.replace(".", os.sep)
    for parent in path.parents:
        stem = parent / relative
        if stem / "__init__.py" in files or stem.with_name(f"{stem.name}.py") in files:
            return True
    return False
