"""One source in the places where people keep such a class."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

Files = Mapping[str, str]
"""The files of a small project: relative path -> text."""

_APIS = {"InferenceOnlyAPI", "ValueFunctionAPI", "TargetNetworkAPI", "QNetAPI"}
_BUILDERS = ("__init__", "setup", "make_target_networks", "_build", "_make", "build_")


def layouts(source: str) -> dict[str, Files]:
    """All layouts of `source`, whose last class is the RLModule.

    `single`, `function` (class inside a function), `if` and `try` are the same text, indented.
    The others split the class in two, with only what builds in the base class
    (`setup_in_base`, `reexported`) or what builds and the list (`list_in_base`).
    """
    found: dict[str, Files] = {
        "single": {"module.py": source},
        "function": {"module.py": _in_function(source)},
        "if": {"module.py": _under("if True:", source)},
        "try": {"module.py": f"try:\n{_indented(source)}except ImportError:\n    raise\n"},
    }
    parts = _Parts.of(source)
    if parts.builds:
        base, module = parts.split(with_list=False)
        found["setup_in_base"] = {
            "policies_a/__init__.py": "",
            "policies_a/base.py": base,
            "policies_a/module.py": module.format(origin=".base"),
        }
        found["reexported"] = {
            "policies_b/__init__.py": "",
            "policies_b/models/__init__.py": parts.export(".base"),
            "policies_b/models/base.py": base,
            "policies_b/module.py": module.format(origin="policies_b.models"),
        }
        base, module = parts.split(with_list=True)
        found["list_in_base"] = {
            "policies_c/__init__.py": "",
            "policies_c/base.py": base,
            "policies_c/module.py": module.format(origin="policies_c.base"),
        }
    return found


def _indented(text: str) -> str:
    return textwrap.indent(text, "    ")


def _cut(source: str) -> tuple[str, str]:
    """What stands before the first class, and the rest."""
    first = next(n for n in ast.parse(source).body if isinstance(n, ast.ClassDef))
    start = min([first.lineno, *(d.lineno for d in first.decorator_list)]) - 1
    lines = source.splitlines(keepends=True)
    return "".join(lines[:start]), "".join(lines[start:])


def _under(header: str, source: str) -> str:
    before, classes = _cut(source)
    return f"{before}{header}\n{_indented(classes)}"


def _in_function(source: str) -> str:
    last = [n for n in ast.parse(source).body if isinstance(n, ast.ClassDef)][-1]
    return f"{_under('def make_module_class():', source)}\n    return {last.name}\n"


@dataclass(frozen=True)
class _Parts:
    """A source in pieces.

    Attributes:
        imports: The import lines.
        shared: Constants, functions and other classes, before the RLModule.
        names: What `shared` defines.
        node: The RLModule class.
        builds: Its methods that build, as text.
        lists: Its list and its class-level constants, as text.
        rest: Everything else in its body.
    """

    imports: str
    shared: str
    names: frozenset[str]
    node: ast.ClassDef
    builds: str
    lists: str
    rest: str

    @classmethod
    def of(cls, source: str) -> _Parts:
        lines = source.splitlines(keepends=True)

        def text(node: ast.stmt) -> str:
            decorators = getattr(node, "decorator_list", [])
            first = min([node.lineno, *(d.lineno for d in decorators)])
            return "".join(lines[first - 1 : node.end_lineno]) + "\n"

        body = ast.parse(source).body
        node = body[-1]
        assert isinstance(node, ast.ClassDef), "the RLModule must stand last"
        imports = [n for n in body if isinstance(n, ast.Import | ast.ImportFrom)]
        shared = [n for n in body if n not in imports and n is not node]
        builds = [n for n in node.body if _name(n).startswith(_BUILDERS)]
        lists = [
            n
            for n in node.body
            if ("inference" in _name(n) and "attr" in _name(n)) or isinstance(n, ast.Assign)
        ]
        return cls(
            imports="".join(text(n)[:-1] for n in imports),
            shared="\n\n".join(text(n) for n in shared),
            names=frozenset(name for n in shared for name in _defined(n)),
            node=node,
            builds="".join(text(n) for n in builds),
            lists="".join(text(n) for n in lists),
            rest="".join(text(n) for n in node.body if n not in builds and n not in lists),
        )

    def split(self, *, with_list: bool) -> tuple[str, str]:
        """The base class's file and the module's, with `{origin}` where the base comes from."""
        in_base = {"InferenceOnlyAPI"} if with_list else set()
        bases = [ast.unparse(b) for b in self.node.bases]
        apis = [b for b in bases if b.split(".")[-1] in _APIS - in_base]
        upper = ", ".join(b for b in bases if b not in apis)
        lower = ", ".join([f"{self.node.name}Base", *apis])
        base = self.builds + (self.lists if with_list else "")
        rest = ("" if with_list else self.lists) + self.rest
        derived = f"class {self.node.name}({lower}):\n{rest or '    pass' + chr(10)}"
        used = {n.id for n in ast.walk(ast.parse(derived)) if isinstance(n, ast.Name)}
        needed = ", ".join(sorted((self.names & used) | {f"{self.node.name}Base"}))
        escaped = derived.replace("{", "{{").replace("}", "}}")
        imports = self.imports.replace("{", "{{").replace("}", "}}")
        return (
            f"{self.imports}\n\n{self.shared}\n\nclass {self.node.name}Base({upper}):\n{base}",
            f"{imports}from {{origin}} import {needed}\n\n\n{escaped}",
        )

    def export(self, origin: str) -> str:
        """An `__init__` that passes the base file's names on."""
        names = sorted({*self.names, f"{self.node.name}Base"})
        return f"from {origin} import {', '.join(names)}\n\n__all__ = {names!r}\n"


def _name(node: ast.stmt) -> str:
    return node.name if isinstance(node, ast.FunctionDef) else ""


def _defined(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        return {node.name}
    return {
        n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
