"""A generated program as data, which renders itself to source.

A program is a package of a few files; a file holds constants, functions and classes; a method's
body is a tree of statements. Nothing here draws anything, or knows what a statement means.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import chain, product
from typing import TYPE_CHECKING, TypeAlias, Union

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

INDENT = "    "
FLAGS = ("deep", "wide")
"""Keys of the model config that a program may ask for."""


@dataclass(frozen=True)
class Line:
    """One simple statement; it may hold several physical lines."""

    text: str

    def lines(self) -> Iterator[str]:
        yield from self.text.split("\n")


@dataclass(frozen=True)
class Block:
    """A compound statement: a header for each of its bodies."""

    heads: tuple[str, ...]
    bodies: tuple[tuple[Statement, ...], ...]

    def lines(self) -> Iterator[str]:
        for head, body in zip(self.heads, self.bodies, strict=True):
            yield head
            yield from indented(render(body) or ["pass"])


@dataclass(frozen=True)
class Match:
    """A ``match`` statement."""

    subject: str
    cases: tuple[tuple[str, tuple[Statement, ...]], ...]

    def lines(self) -> Iterator[str]:
        yield f"match {self.subject}:"
        for pattern, body in self.cases:
            yield f"{INDENT}case {pattern}:"
            yield from indented(indented(render(body) or ["pass"]))


Statement: TypeAlias = Union[Line, Block, Match]  # noqa: UP007 - evaluated on Python 3.10


def render(body: Iterable[Statement]) -> list[str]:
    """The lines of some statements."""
    return [line for statement in body for line in statement.lines()]


def indented(lines: Iterable[str]) -> list[str]:
    """The lines, one level deeper."""
    return [INDENT + line if line else line for line in lines]


@dataclass(frozen=True)
class Method:
    """A method. ``parameters`` is all that stands between the parentheses."""

    name: str
    parameters: str
    body: tuple[Statement, ...]
    decorators: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        yield from self.decorators
        yield f"def {self.name}({self.parameters}):"
        yield from indented(render(self.body) or ["pass"])


@dataclass(frozen=True)
class ClassDef:
    """A class: a part of a network, a base, or a whole module.

    ``around`` are constants that stand before it in its file.
    """

    name: str
    bases: tuple[str, ...]
    methods: tuple[Method, ...]
    constants: tuple[str, ...] = ()
    decorators: tuple[str, ...] = ()
    around: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        yield from self.around
        yield from self.decorators
        yield f"class {self.name}({', '.join(self.bases)}):"
        yield from indented(self.constants)
        for method in self.methods:
            yield from indented(method.lines())
        if not self.constants and not self.methods:
            yield f"{INDENT}pass"

    @property
    def text(self) -> str:
        """The source."""
        return "\n".join(self.lines())


@dataclass(frozen=True)
class File:
    """One file: import statements that lead to the program's other files, and classes."""

    name: str
    imports: tuple[str, ...]
    classes: tuple[ClassDef, ...]


@dataclass(frozen=True)
class Program:
    """A package.

    Attributes:
        files: A file imports only from those before it.
        library: Sources of functions and classes that a file may use, by name. Each file gets
            the ones that it mentions.
        concrete: The classes to build, each with its file.
        flags: Keys of the model config that the program asks for.
    """

    files: tuple[File, ...]
    library: dict[str, str] = field(hash=False)
    concrete: tuple[tuple[str, str], ...]
    flags: tuple[str, ...] = ()

    def sources(self) -> dict[str, str]:
        """The text of each file, by its name."""
        return {f"{file.name}.py": self._source(file) for file in self.files}

    def configs(self) -> list[dict[str, bool]]:
        """All model configs that may make a difference."""
        values = product((False, True), repeat=len(self.flags))
        return [dict(zip(self.flags, row, strict=True)) for row in values]

    def write(self, directory: Path) -> None:
        """Write the package."""
        directory.mkdir(parents=True)
        (directory / "__init__.py").write_text("", encoding="utf-8")
        for name, text in self.sources().items():
            (directory / name).write_text(text, encoding="utf-8")

    def _source(self, file: File) -> str:
        classes = [cls.text for cls in file.classes]
        own = {cls.name for cls in file.classes}
        text = "\n".join(classes)
        wanted = mentioned(text, self.library, own)
        body = "\n\n\n".join([*(self.library[n] for n in wanted), *classes])
        heads = [line for name, line in IMPORTS.items() if re.search(rf"\b{name}\b", body)]
        return "\n".join([*heads, *file.imports]) + "\n\n\n" + body + "\n"


def mentioned(text: str, library: dict[str, str], without: set[str]) -> list[str]:
    """The names of a library that a text needs, in the library's order."""
    found: set[str] = set()
    texts = [text]
    while texts:
        new = {
            name
            for name in library
            if name not in found
            and name not in without
            and any(re.search(rf"\b{name}\b", t) for t in texts)
        }
        found |= new
        texts = [library[name] for name in new]
    return [name for name in library if name in found]


_APIS = "from ray.rllib.core.rl_module.apis import"
_ALGORITHMS = "from ray.rllib.algorithms"
IMPORTS = {
    "abc": "import abc",
    "contextlib": "import contextlib",
    "copy": "import copy",
    "functools": "import functools",
    "operator": "import operator",
    "torch": "import torch",
    "Columns": "from ray.rllib.core.columns import Columns",
    "InferenceOnlyAPI": f"{_APIS} InferenceOnlyAPI",
    "ValueFunctionAPI": f"{_APIS} ValueFunctionAPI",
    "TorchRLModule": "from ray.rllib.core.rl_module.torch import TorchRLModule",
    "override": "from ray.rllib.utils.annotations import override",
    "make_target_network": ("from ray.rllib.core.learner.utils import make_target_network"),
    "DefaultPPOTorchRLModule": (
        f"{_ALGORITHMS}.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule"
    ),
    "DefaultDQNTorchRLModule": (
        f"{_ALGORITHMS}.dqn.torch.default_dqn_torch_rl_module import DefaultDQNTorchRLModule"
    ),
    "DefaultSACTorchRLModule": (
        f"{_ALGORITHMS}.sac.torch.default_sac_torch_rl_module import DefaultSACTorchRLModule"
    ),
    "nn": "from torch import nn",
}
"""How a name that a file mentions is imported."""


def names_in(text: str) -> set[str]:
    """The attributes of ``self`` that a text names."""
    return set(chain(re.findall(r"\bself\.(\w+)", text)))
