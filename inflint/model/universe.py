"""Names across files: this file, the project, the environment's packages, or external.

Everything resolves on demand; nothing is indexed first and nothing is imported.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from inflint.model.units import SourceFile
from inflint.sources.decode import DecodeError, decode
from inflint.sources.disk import Disk
from inflint.sources.locate import Locator
from inflint.syntax.embedded import parse_chunks
from inflint.syntax.headers import Assigned, HeaderError, Imported, Inner, Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from inflint.model.environment import Environment
    from inflint.model.frames import Closure
    from inflint.model.hierarchy import Class
    from inflint.model.profile import Profile
    from inflint.model.snapshot import Snapshot
    from inflint.sources.embedding import Fault
    from inflint.syntax.fragments import Memory


class External(NamedTuple):
    """A name outside the sources that are read."""

    name: str


class ModuleFile(NamedTuple):
    """A module whose source is known."""

    file: SourceFile


class Definition(NamedTuple):
    """A class, function or assignment, and the scopes that lead to it."""

    file: SourceFile
    chain: tuple[Scope, ...]
    name: str
    binding: Inner | Assigned

    @property
    def scope(self) -> Scope | None:
        """The scope of a class or function."""
        if isinstance(self.binding, Inner):
            return self.chain[-1].scopes[self.binding.scope]
        return None


Symbol: TypeAlias = External | ModuleFile | Definition


class Universe:
    """Finds and reads sources, and resolves names in them.

    Attributes:
        errors: Files that could not be read or parsed: (message, line, column).
        faults: What could not be parsed in documents whose other parts could.
        classes: Classes met so far, by file and place.
        closures: Functions met so far, by the identity of their scope, which is kept so that
            no other can have it; None where unreadable.
        methods: All functions in the bodies of a class and its bases.
    """

    def __init__(
        self,
        profile: Profile,
        environment: Environment,
        snapshot: Callable[[], Snapshot] | None = None,
        disk: Disk | None = None,
        memory: Callable[[Path], Memory] | None = None,
    ) -> None:
        self._memory = memory
        self._load_snapshot = snapshot
        self.disk = disk or Disk()
        shadowed = None if snapshot is None else profile.package
        self.locator = Locator(environment.roots, environment.installed, shadowed, self.disk)
        self.profile = profile
        self.environment = environment
        self.errors: dict[Path, tuple[str, int, int]] = {}
        self.faults: dict[Path, tuple[Fault, ...]] = {}
        self.classes: dict[tuple[str, int, int], Class] = {}
        self.closures: dict[int, tuple[Scope, Closure | None]] = {}
        self.methods: dict[Class, tuple[Closure, ...]] = {}
        self._lookups: dict[tuple[int, str], tuple[Scope, list[Symbol]]] = {}
        self._files: dict[Path, SourceFile | None] = {}
        self._attributes: dict[tuple[str, str], Symbol] = {}
        self._members: dict[tuple[Path, str], list[Symbol]] = {}

    # Files

    def load(self, path: Path) -> SourceFile | None:
        """The file at ``path``, or None with an entry in :attr:`errors`."""
        if path not in self._files:
            self._files[path] = self._read(path)
        return self._files[path]

    def _read(self, path: Path) -> SourceFile | None:
        try:
            module = self.locator.module_name(path)
            memory = None if self._memory is None else self._memory(path)
            document = self.disk.document(path)
            if document is None:
                text = decode(self.disk.read(path))
                return SourceFile.from_text(path, module, text, memory=memory)
            embedding, self.faults[path] = parse_chunks(document)
            sections = embedding.sections
            return SourceFile.from_text(path, module, embedding.text, sections, memory)
        except (DecodeError, HeaderError) as error:
            self.errors[path] = (str(error), error.line, error.column)
        except OSError as error:
            self.errors[path] = (error.strerror or str(error), 1, 1)
        return None

    def files(self) -> list[tuple[Path, SourceFile]]:
        """All files that were read so far."""
        return [(path, file) for path, file in self._files.items() if file is not None]

    @cached_property
    def snapshot(self) -> Snapshot | None:
        """The framework's recorded modules; None where its own sources are read."""
        return None if self._load_snapshot is None else self._load_snapshot()

    def find(self, dotted: str, origin: SourceFile) -> SourceFile | None:
        """The module of that name as ``origin`` would import it."""
        path = None if origin.recorded else self.locator.search(dotted, origin.path)
        if path is not None:
            return self.load(path)
        return self._recorded(dotted)

    def _recorded(self, dotted: str) -> SourceFile | None:
        if self._load_snapshot is None or not self._is_framework(dotted):
            return None
        return None if self.snapshot is None else self.snapshot.find(dotted)

    def _is_framework(self, dotted: str) -> bool:
        return dotted.partition(".")[0] == self.profile.package

    def _opaque(self, dotted: str, origin: SourceFile) -> bool:
        if not self.profile.is_opaque(dotted):
            return False
        top = dotted.partition(".")[0]
        if top not in self.profile.opaque:
            return True
        if origin.recorded:
            return True
        installed = set(map(str, self.environment.installed))
        roots = [r for r in self.locator.project_roots(origin.path) if r not in installed]
        # A project's own package may share the name.
        return not any(self.locator.module_at(os.path.join(r, top)) for r in roots)  # noqa: PTH118

    def is_installed(self, file: SourceFile) -> bool:
        """Whether a file belongs to the environment rather than to a project."""
        return file.recorded or self.locator.is_inside(file.directory)

    # Names

    def lookup(self, file: SourceFile, chain: tuple[Scope, ...], name: str) -> list[Symbol]:
        """What ``name`` may be where the innermost scope of ``chain`` reads it.

        Class scopes count only for the class's own body, as in Python.
        """
        key = (id(chain[-1]), name)
        if key not in self._lookups:  # the scope is kept, so that no other can have its identity
            self._lookups[key] = chain[-1], self._lookup(file, chain, name)
        return self._lookups[key][1]

    def _lookup(self, file: SourceFile, chain: tuple[Scope, ...], name: str) -> list[Symbol]:
        for depth in range(len(chain) - 1, -1, -1):
            scope = chain[depth]
            if scope.kind == "class" and depth != len(chain) - 1:
                continue
            if name in scope.bindings:
                return list(self._bindings(file, chain[: depth + 1], name))
        return list(self._starred(file, name))

    def member(self, file: SourceFile, name: str) -> list[Symbol]:
        """What ``module.name`` may be."""
        key = (file.path, name)
        if key not in self._members:
            self._members[key] = []  # modules that import each other end here
            self._members[key] = self._member(file, name)
        return self._members[key]

    def _member(self, file: SourceFile, name: str) -> list[Symbol]:
        if name in file.header.bindings:
            return list(self._bindings(file, (file.header,), name))
        found = list(self._starred(file, name))
        if not found and file.is_package:
            loaded = self._submodule(file, name)
            if loaded is not None:
                return [ModuleFile(loaded)]
        return found

    def _submodule(self, file: SourceFile, name: str) -> SourceFile | None:
        if file.recorded:
            return self._recorded(f"{file.module}.{name}")
        path = self.locator.module_at(str(file.path.parent / name))
        return None if path is None else self.load(path)

    def attribute(self, dotted: str, origin: SourceFile) -> Symbol:
        """The symbol behind a dotted name, such as ``package.module.Class``."""
        key = (dotted, origin.directory)
        if key not in self._attributes:
            self._attributes[key] = self._attribute(dotted, origin)
        return self._attributes[key]

    def _attribute(self, dotted: str, origin: SourceFile) -> Symbol:
        if self._known(dotted) or self._opaque(dotted, origin):
            return External(dotted)
        module = self.find(dotted, origin)
        return External(dotted) if module is None else ModuleFile(module)

    def imported(self, binding: Imported, file: SourceFile) -> list[Symbol]:
        """What an import binds."""
        module = binding.module
        if binding.level:
            return self._relative(binding, file)
        if binding.attribute is None:
            return [self.attribute(module, file)]
        dotted = f"{module}.{binding.attribute}"
        if self._known(dotted) or self._opaque(dotted, file):
            return [External(dotted)]
        source = self.find(module, file)
        found = [] if source is None else self.member(source, binding.attribute)
        if found:
            return found
        inner = self.find(dotted, file)
        return [External(dotted)] if inner is None else [ModuleFile(inner)]

    def _relative(self, binding: Imported, file: SourceFile) -> list[Symbol]:
        package = file.module.split(".")
        package = package[: len(package) - binding.level + file.is_package]
        attribute = binding.attribute or ""
        module = ".".join(filter(None, (*package, binding.module)))
        dotted = f"{module}.{attribute}"
        if self._known(dotted):
            return [External(dotted)]
        source = self._beside(file, binding.module, binding.level, module)
        found = [] if source is None else self.member(source, attribute)
        if found:
            return found
        below = ".".join(filter(None, (binding.module, attribute)))
        inner = self._beside(file, below, binding.level, dotted)
        return [External(dotted)] if inner is None else [ModuleFile(inner)]

    def _beside(self, file: SourceFile, module: str, level: int, dotted: str) -> SourceFile | None:
        """The module behind a relative import."""
        if file.recorded:
            return self._recorded(dotted)
        path = self.locator.locate("." * level + module, file.path)
        return None if path is None else self.load(path)

    def _bindings(self, file: SourceFile, chain: tuple[Scope, ...], name: str) -> Iterator[Symbol]:
        for binding in chain[-1].bindings[name]:
            if isinstance(binding, Imported):
                yield from self.imported(binding, file)
            else:
                yield self._definition(Definition(file, chain, name, binding))

    def _definition(self, found: Definition) -> Symbol:
        if len(found.chain) == 1:
            place = found.scope or found.binding
            if not isinstance(place, Inner):
                found = found._replace(chain=(found.file.scope_at(place.span.line),))
        if isinstance(found.binding, Inner) and len(found.chain) == 1:
            dotted = f"{found.file.module}.{found.name}"
            if self._known(dotted):
                return External(dotted)
        return found

    def _known(self, dotted: str) -> bool:
        """Whether the profile describes this very name."""
        profile = self.profile
        if dotted in profile.root_by_name or dotted in profile.api_names:
            return True
        call = f"{dotted}()"
        return call in profile.returns or (
            not self.profile.is_opaque(dotted) and profile.factory(call) is not None
        )

    def _starred(self, file: SourceFile, name: str) -> Iterator[Symbol]:
        if name.startswith("_"):
            return
        for star in file.header.stars:
            for module in self.imported(star._replace(attribute=None), file):
                if isinstance(module, ModuleFile):
                    yield from self.member(module.file, name)
