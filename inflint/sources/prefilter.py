"""Which files can hold one of the framework's modules, by their bytes alone.

A class can only be one if a base is: so the class headers of all files, their bases' names
and the names' aliases are closed over the framework's root names. A base that comes from a
file outside the set is followed there, header by header. Nothing is parsed: regular
expressions that begin with a literal read about 1 GB/s.
"""

from __future__ import annotations

import builtins
import re
from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    Locate = Callable[[str, Path], "Path | None"]

_HEADER = re.compile(rb"class[ \t]+(\w+)[ \t]*(?:\[[^\]]*\][ \t]*)?\(((?:[^()]|\([^()]*\))*)")
_CLASS = re.compile(rb"class[ \t]+(\w+)")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_FROM = re.compile(rb"from[ \t]+([.\w]+)[ \t]+import[ \t]*(\([^)]*\)|(?:[^\n\\]|\\\r?\n)*)")
_IMPORT = re.compile(rb"import[ \t]+([\w.]+)(?:[ \t]+as[ \t]+(\w+))?")
_NAMES = re.compile(rb"(\w+|\*)(?:\s+as\s+(\w+))?")
_COMMENT = re.compile(rb"#[^\n]*")
_ALIAS = re.compile(rb" as[ \t]+(\w+)")
_EQUAL = re.compile(rb"= *([\w.]+)[ \t]*(?:[\r\n#;]|\Z)")
_LAST_WORD = re.compile(rb"(\w+)[\s\\]*\Z")
_TARGET = re.compile(rb"(\w+)[ \t]*(?::[^\n=]*)?\Z")
_BUILTINS = frozenset(name.encode() for name in dir(builtins))


class Prefilter:
    """Finds the classes in question in a set of files.

    Args:
        files: Paths and contents.
        roots: Dotted names of the framework's base classes.
        inert: Top-level packages that certainly bring none, such as the standard library.
        locate: Finds the file of a module, as a given file would import it.
        is_recorded: Whether the classes of a module are known without its file.
    """

    def __init__(
        self,
        files: Mapping[Path, bytes],
        roots: Iterable[str],
        inert: Collection[str],
        locate: Locate,
        is_recorded: Callable[[str], bool],
    ) -> None:
        self._files = files
        self._roots = {root.rpartition(".")[2].encode() for root in roots}
        self._inert = inert
        self._locate = locate
        self._is_recorded = is_recorded
        self._outside: dict[Path, bytes] = {}
        self._imports: dict[Path, tuple[dict[bytes, tuple[str, bytes]], list[str]]] = {}
        self._leads: dict[tuple[Path, bytes], bool] = {}
        self._headers = {p: _HEADER.findall(d) for p, d in files.items() if b"class" in d}

    def candidates(self) -> dict[Path, frozenset[str]]:
        """The files that may define a module, and their classes that may be one.

        A file with null bytes stays in without classes, so that it is reported.
        """
        derived = self._derived()
        chosen = {}
        for path, data in self._files.items():
            found = self._headers.get(path, [])
            classes = {n.decode() for n, bases in found if n in derived and bases.strip()}
            if classes or b"\0" in data[:4096]:
                chosen[path] = frozenset(classes)
        return chosen

    def _derived(self) -> set[bytes]:
        """Names of classes with a base that may be one of the framework's."""
        seeds = set(self._roots)
        seeds.update(
            name
            for path, found in self._headers.items()
            for name, bases in found
            if any(self._comes_from_outside(path, base) for base in bases.split(b","))
        )
        leads: dict[bytes, set[bytes]] = defaultdict(set)
        for found in self._headers.values():
            for name, bases in found:
                for word in set(_WORD.findall(bases)):
                    leads[word].add(name)
        for data in self._files.values():
            for source, target in _aliases(data):
                leads[source].add(target)
        stack = list(seeds)
        while stack:
            for name in leads.get(stack.pop(), ()):
                if name not in seeds:
                    seeds.add(name)
                    stack.append(name)
        return seeds

    # Bases from elsewhere

    def _comes_from_outside(self, path: Path, base: bytes) -> bool:
        """Whether a base leads to the framework by way of a file that is not in the set."""
        words = _WORD.findall(base)
        if not words or b"=" in base or words[0] in _BUILTINS:
            return False
        names, stars = self._imported(path)
        if words[0] not in names:
            return any(self._star_leads(path, module, words[0]) for module in stars)
        module, attribute = names[words[0]]
        if module.partition(".")[0] in self._inert:
            return False
        source = self._locate(module, path)
        if source is not None and source in self._files and len(words) == 1:
            return not self._is_defined(source, attribute) and self._follow(source, attribute)
        return self._follow_import(path, module, attribute, words)

    def _follow_import(self, path: Path, module: str, attribute: bytes, words: list[bytes]) -> bool:
        if words[-1] in self._roots or attribute in self._roots:
            return True
        if module.partition(".")[0] in self._inert:
            return False
        dotted = ".".join([module, *([attribute.decode()] if attribute else [])])
        whole = self._locate(dotted, path)
        if whole is not None and len(words) > 1:
            return self._follow(whole, words[-1])
        source = self._locate(module, path)
        if source is None:
            return self._is_recorded(module) or self._is_recorded(dotted)
        return self._follow(source, attribute or words[-1])

    def _follow(self, path: Path, name: bytes) -> bool:
        """Whether ``name`` of a module may be one of the framework's classes."""
        key = (path, name)
        if key not in self._leads:
            self._leads[key] = False  # modules that import each other end here
            self._leads[key] = self._leads_on(path, name)
        return self._leads[key]

    def _leads_on(self, path: Path, name: bytes) -> bool:
        if name in self._roots:
            return True
        data = self._data(path)
        for found, bases in _HEADER.findall(data):
            if found == name and any(self._base_leads(path, b) for b in bases.split(b",")):
                return True
        names, stars = self._imported(path)
        if name in names:
            module, attribute = names[name]
            return self._follow_import(path, module, attribute, [attribute or name])
        for source, target in _aliases(data):
            if target == name and source != name and self._follow(path, source):
                return True
        return any(self._star_leads(path, module, name) for module in stars)

    def _base_leads(self, path: Path, base: bytes) -> bool:
        words = _WORD.findall(base)
        if not words or b"=" in base:
            return False
        names, _ = self._imported(path)
        if words[0] in names:
            module, attribute = names[words[0]]
            return self._follow_import(path, module, attribute, words)
        return self._follow(path, words[-1])

    def _star_leads(self, path: Path, module: str, name: bytes) -> bool:
        if module.partition(".")[0] in self._inert:
            return False
        source = self._locate(module, path)
        return source is not None and source not in self._files and self._follow(source, name)

    # Bytes

    def _data(self, path: Path) -> bytes:
        if path in self._files:
            return self._files[path]
        if path not in self._outside:
            try:
                self._outside[path] = path.read_bytes()
            except OSError:
                self._outside[path] = b""
        return self._outside[path]

    def _is_defined(self, path: Path, name: bytes) -> bool:
        return name in _CLASS.findall(self._data(path))

    def _imported(self, path: Path) -> tuple[dict[bytes, tuple[str, bytes]], list[str]]:
        """What a file's imports bind, as module and attribute, and its star imports."""
        if path not in self._imports:
            names: dict[bytes, tuple[str, bytes]] = {}
            stars: list[str] = []
            data = self._data(path)
            for match in _IMPORT.finditer(data):
                dotted, alias = match[1], match[2]
                top = dotted if alias else dotted.partition(b".")[0]
                names.setdefault(alias or top, (top.decode(), b""))
            for match in _FROM.finditer(data):
                module = match[1].decode()
                for name, alias in _NAMES.findall(_COMMENT.sub(b"", match[2])):
                    if name == b"*":
                        stars.append(module)
                    else:
                        names[alias or name] = (module, name)
            self._imports[path] = (names, stars)
        return self._imports[path]


def _aliases(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """``import x as y`` and ``y = x``."""
    for match in _ALIAS.finditer(data):
        line = data[data.rfind(b"\n", 0, match.start()) + 1 : match.start()]
        source = _LAST_WORD.search(line)
        if source is not None and (b"import" in line or not line[: source.start()].strip()):
            yield source[1], match[1]
    for match in _EQUAL.finditer(data):
        name = match[1].rpartition(b".")[2]
        if name[:1].isupper():  # classes are aliased by names like their own
            target = _TARGET.search(data, max(0, match.start() - 200), match.start())
            if target is not None:
                yield name, target[1]
