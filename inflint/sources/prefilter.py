"""Which files can hold one of the framework's modules, by their bytes alone.

A class can only be one if a base is: so the class headers of all files, their bases' names
and the names' aliases are closed over the framework's root names. A base that comes from a
file outside the set is followed there, header by header. What cannot be followed stays in.
"""

from __future__ import annotations

import builtins
import os
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from inflint.sources.summary import Summary, assigns, imported, split_bases, summarise

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

    from inflint.sources.locate import Locator

_BUILTINS = frozenset(dir(builtins))


class _Imports(NamedTuple):
    """What imports bind, as module and attribute, and the modules of star imports."""

    names: dict[str, list[tuple[str, str]]]
    stars: list[str]


def _collect(imports: Iterable[tuple[str, str, str]]) -> _Imports:
    found = _Imports({}, [])
    for bound, module, attribute in imports:
        if bound == "*":
            found.stars.append(module)
        else:
            found.names.setdefault(bound, []).append((module, attribute))
    return found


class Prefilter:
    """Finds the classes in question in a set of files.

    Args:
        files: The summaries of the set.
        roots: Dotted names of the framework's base classes.
        inert: Modules that certainly bring none, such as those of the standard library.
        locator: Finds the file of a module, as a given file would import it.
        recorded: Modules whose classes may be known without their files.
    """

    def __init__(
        self,
        files: Mapping[Path, Summary],
        roots: Iterable[str],
        inert: Collection[str],
        locator: Locator,
        recorded: Collection[str] = (),
    ) -> None:
        self._files = files
        self._roots = {root.rpartition(".")[2] for root in roots}
        self._inert = frozenset(name for name in inert if "." not in name)
        self._opaque = frozenset(name for name in inert if "." in name)
        self._below_opaque = tuple(f"{name}." for name in self._opaque)
        self._locator = locator
        self._recorded = recorded
        self._outside: dict[Path, Summary] = {}
        self._imports: dict[Path, _Imports] = {}
        self._foreign: set[tuple[Path, str]] = set()
        self._imported_leads: dict[tuple[str, ...], bool] = {}
        self._leads: dict[tuple[Path, str], bool] = {}
        self._mentioning: dict[Path, bool] = {}
        self._defined: dict[Path, frozenset[str]] = {}

    def candidates(self) -> dict[Path, frozenset[str]]:
        """The files that may define a module, and their classes that may be one.

        A file with null bytes stays in without classes, so that it is reported.
        """
        derived = self._derived()
        chosen = {}
        for path, summary in self._files.items():
            classes = {
                name
                for name, bases in summary.classes
                if name in derived
                and bases.strip()
                and self._is_derived(path, name, bases, derived)
            }
            if classes or summary.broken:
                chosen[path] = frozenset(classes)
        return chosen

    def _is_derived(self, path: Path, name: str, bases: str, derived: Collection[str]) -> bool:
        """Whether this very class may have such a base, and not only another one of its name.

        A base that is a parameter stands for no class that is known, unless the framework has
        one of that name: then it may be meant, and its import be missing.
        """
        if name in self._roots or (path, name) in self._foreign:
            return True
        for _, words in split_bases(bases):
            telling = [word for word in words if word in derived]
            if not self._roots.isdisjoint(telling):
                return True
            if telling and any(self._is_bound(path, word) for word in (*words[:1], *telling)):
                return True
        return False

    def _is_bound(self, path: Path, name: str) -> bool:
        """Whether a file may bind a name by an import, a class or an assignment."""
        summary = self._files[path]
        if not name.isascii():
            return True  # its bytes are not known
        if any(bound in {name, "*"} for bound, _, _ in summary.imports):
            return True
        if self._is_defined(path, name) or any(name == target for _, target in summary.aliases):
            return True
        return name in self._imported(path).names or assigns(self._data(path), name)

    def _derived(self) -> set[str]:
        """Names of classes with a base that may be one of the framework's."""
        seeds = set(self._roots)
        leads: dict[str, set[str]] = defaultdict(set)
        for path, summary in self._files.items():
            imports = _collect(summary.imports)
            for name, text in summary.classes:
                bases = split_bases(text)
                if any(self._comes_from_outside(path, *base, imports) for base in bases):
                    seeds.add(name)
                    self._foreign.add((path, name))
                for _, words in bases:
                    for word in words:
                        leads[word].add(name)
            for source, target in summary.aliases:
                leads[source].add(target)
        stack = list(seeds)
        while stack:
            for name in leads.get(stack.pop(), ()):
                if name not in seeds:
                    seeds.add(name)
                    stack.append(name)
        return seeds

    # Bases from elsewhere

    def _comes_from_outside(
        self, path: Path, text: str, words: list[str], imports: _Imports
    ) -> bool:
        """Whether a base leads to the framework by way of a file that is not in the set."""
        if not words or "=" in text:
            return False
        names, stars = imports
        first = words[0]
        if first not in names:
            if first in _BUILTINS or self._is_defined(path, first):
                return False
            if any(self._star_leads(path, module, first) for module in stars):
                return True
            return text.strip().isidentifier() and self._is_made(path, first)
        return any(self._import_leads(path, words, *found) for found in names[first])

    def _import_leads(self, path: Path, words: list[str], module: str, attribute: str) -> bool:
        key = (os.path.dirname(path), module, attribute, *words)  # noqa: PTH120 - for thousands
        if key not in self._imported_leads:
            self._imported_leads[key] = self._import_leads_on(path, words, module, attribute)
        return self._imported_leads[key]

    def _import_leads_on(self, path: Path, words: list[str], module: str, attribute: str) -> bool:
        if self._is_inert(module, path):
            return False
        if len(words) == 1:
            source = self._locator.locate(module, path)
            if source is not None and source in self._files:
                return not self._is_defined(source, attribute) and self._follow(source, attribute)
        return self._follow_import(path, module, attribute, words)

    def _follow_import(self, path: Path, module: str, attribute: str, words: list[str]) -> bool:
        if words[-1] in self._roots or attribute in self._roots:
            return True
        if self._is_inert(module, path):
            return False
        dotted = ".".join(filter(None, (module, attribute)))
        if module in self._recorded or dotted in self._recorded:
            return True
        whole = self._locator.locate(dotted, path)
        if whole is not None and len(words) > 1:
            return self._follow(whole, words[-1])
        source = self._locator.locate(module, path)
        return source is not None and self._follow(source, attribute or words[-1])

    def _follow(self, path: Path, name: str) -> bool:
        """Whether ``name`` of a module may be one of the framework's classes."""
        key = (path, name)
        if key not in self._leads:
            self._leads[key] = False  # modules that import each other end here
            self._leads[key] = self._leads_on(path, name)
        return self._leads[key]

    def _leads_on(self, path: Path, name: str) -> bool:
        if name in self._roots:
            return True
        summary = self._summary(path)
        for found, bases in summary.classes:
            if found == name and any(self._base_leads(path, *b) for b in split_bases(bases)):
                return True
        names, stars = self._imported(path)
        for module, attribute in names.get(name, ()):
            if self._follow_import(path, module, attribute, [attribute or name]):
                return True
        for source, target in summary.aliases:
            if target == name and source != name and self._follow(path, source):
                return True
        if any(self._star_leads(path, module, name) for module in stars):
            return True
        return name not in names and not self._is_defined(path, name) and self._is_made(path, name)

    def _base_leads(self, path: Path, base: str, words: list[str]) -> bool:
        if not words or "=" in base:
            return False
        names, _ = self._imported(path)
        if words[0] in names:
            return any(self._follow_import(path, *found, words) for found in names[words[0]])
        return words[-1] not in _BUILTINS and self._follow(path, words[-1])

    def _star_leads(self, path: Path, module: str, name: str) -> bool:
        if self._is_inert(module, path):
            return False
        if module in self._recorded:
            return True
        source = self._locator.locate(module, path)
        return source is not None and source not in self._files and self._follow(source, name)

    def _is_made(self, path: Path, name: str) -> bool:
        """Whether a name may be bound to a class that a call or another expression makes.

        Some code has to name the framework's class then: here, or where the maker is from.
        """
        summary = self._summary(path)
        if any(name == target for _, target in summary.aliases):
            return False  # the alias says which class it is
        if not assigns(self._data(path), name):
            return False
        modules: dict[str, None] = {}
        for _, module, attribute in imported(self._data(path)):
            modules[module] = None
            if attribute:  # a module as well, perhaps
                modules[f"{module}{'' if module.endswith('.') else '.'}{attribute}"] = None
        makers = (self._locator.locate(m, path) for m in modules if not self._is_inert(m, path))
        return any(self._mentions(file) for file in (path, *makers) if file is not None)

    def _mentions(self, path: Path) -> bool:
        """Whether a file holds the name of one of the framework's base classes."""
        if path not in self._mentioning:
            data = self._data(path)
            self._mentioning[path] = any(root.encode() in data for root in self._roots)
        return self._mentioning[path]

    def _data(self, path: Path) -> bytes:
        try:
            return self._locator.disk.python(path)
        except OSError:
            return b""

    def _is_inert(self, module: str, path: Path) -> bool:
        """Whether a module certainly brings none of the framework's classes."""
        top = module.partition(".")[0]
        if top in self._inert:
            return not self._locator.is_own(top, path)
        return module in self._opaque or module.startswith(self._below_opaque)

    # Summaries

    def _summary(self, path: Path) -> Summary:
        inside = self._files.get(path)
        if inside is not None:
            return inside
        if path not in self._outside:
            self._outside[path] = summarise(self._data(path))
        return self._outside[path]

    def _is_defined(self, path: Path, name: str) -> bool:
        if path not in self._defined:
            self._defined[path] = frozenset(self._summary(path).defined)
        return name in self._defined[path]

    def _imported(self, path: Path) -> _Imports:
        if path not in self._imports:
            self._imports[path] = _collect(imported(self._data(path)))
        return self._imports[path]
