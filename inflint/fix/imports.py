"""Bringing a name into reach of a class: found, merged into an import, or imported."""

from __future__ import annotations

import ast
import re
import sys
from typing import TYPE_CHECKING, NamedTuple

from inflint.fix.edits import CannotFixError, Edit
from inflint.model.universe import External

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeGuard

    from inflint.fix.layout import Layout
    from inflint.model.hierarchy import Class
    from inflint.model.profile import Profile
    from inflint.model.universe import Symbol, Universe

_GAP = re.compile(r"(?:[ \t\f\r\n]|\\\r?\n|#[^\r\n]*)*")
_Import = ast.Import | ast.ImportFrom


class Wanted(NamedTuple):
    """A name to be reached: its dotted names, and the module to import it from."""

    names: tuple[str, ...]
    module: str


def reach_api(layout: Layout, cls: Class, universe: Universe) -> tuple[str, list[Edit]]:
    """What the API is called where the class is defined. As :func:`reach`."""
    profile = universe.profile
    return reach(layout, cls, universe, Wanted(profile.api_names, profile.api_import))


def reach(layout: Layout, cls: Class, universe: Universe, wanted: Wanted) -> tuple[str, list[Edit]]:
    """What something is called where the class is defined, and the edits that make it so.

    Raises:
        CannotFixError: The name means something else there, or an import at the right
            place may not run.
    """
    name = wanted.names[0].rpartition(".")[2]
    chain = layout.chain_to(cls.scope)
    blocks = _before(chain, cls)
    local = _bound_name(blocks, wanted)
    root = (local or name).partition(".")[0]
    meant = universe.lookup(cls.file, cls.chain[:-1], root)
    if any(not _is_it(symbol, wanted) for symbol in meant) and root in {local, name}:
        raise CannotFixError(f"the name {root} means something else in this file")
    if local is not None:
        return local, []
    declared = any(name in scope.bindings for scope in cls.chain[:-1])
    if meant and (not declared or name in _bound_names(blocks)):
        return name, []  # by a star import, or through another module
    for block in reversed(blocks):
        for statement in reversed(block):
            if _takes_names(statement, wanted.module):
                return name, _merge(layout, statement, name)
    block = _block_of_base(blocks, wanted)
    return name, [_import(layout, block, wanted.module, name)]


def _takes_names(statement: ast.stmt, module: str) -> TypeGuard[ast.ImportFrom]:
    return (
        isinstance(statement, ast.ImportFrom)
        and (statement.module, statement.level) == (module, 0)
        and statement.names[0].name != "*"
    )


def local_decorator(layout: Layout, cls: Class, profile: Profile) -> str | None:
    """What the file calls the framework's decorator for overrides, if it uses it."""
    used = [d for chain in cls.file.header.walk() for d in chain[-1].decorators]
    module, _, attribute = profile.api_decorator.rpartition(".")
    for statement in _imports(_before(layout.chain_to(cls.scope), cls)):
        if isinstance(statement, ast.ImportFrom) and statement.module == module:
            for alias in statement.names:
                name = alias.asname or alias.name
                if alias.name == attribute and any(d.startswith(f"{name}(") for d in used):
                    return name
    return None


# What is there


def _before(chain: list[list[ast.stmt]], cls: Class) -> list[list[ast.stmt]]:
    """The statements that surely ran when the class is defined, by block, outermost first."""
    line = cls.scope.head.line
    blocks: list[list[ast.stmt]] = []
    inside_function = False
    for depth in range(len(chain) - 1, -1, -1):
        if depth and _is_class_body(chain, depth):
            continue  # names of an enclosing class are not in reach
        block = [s for s in chain[depth] if inside_function or s.lineno < line]
        blocks.insert(0, block)
        owner = _owner(chain, depth) if depth else None
        if isinstance(owner, ast.Try) and owner.orelse is chain[depth]:
            blocks.insert(0, owner.body)
        if depth and _is_function_body(chain, depth):
            inside_function = True
    for statement in tuple(blocks[0]):
        if isinstance(statement, ast.Try) and _must_succeed(statement):
            blocks.insert(1, [s for s in statement.body if s.lineno < line])
    return blocks


def _owner(chain: list[list[ast.stmt]], depth: int) -> ast.stmt | None:
    inner = chain[depth]
    for statement in chain[depth - 1]:
        for field in ("body", "orelse", "finalbody"):
            if getattr(statement, field, None) is inner:
                return statement
    return None


def _is_class_body(chain: list[list[ast.stmt]], depth: int) -> bool:
    return isinstance(_owner(chain, depth), ast.ClassDef)


def _is_function_body(chain: list[list[ast.stmt]], depth: int) -> bool:
    return isinstance(_owner(chain, depth), (ast.FunctionDef, ast.AsyncFunctionDef))


def _must_succeed(statement: ast.Try) -> bool:
    """Whether code after a ``try`` only runs if its body got to the end."""
    return all(
        isinstance(handler.body[-1], (ast.Raise, ast.Return)) for handler in statement.handlers
    )


def _imports(blocks: list[list[ast.stmt]]) -> Iterator[_Import]:
    for block in reversed(blocks):
        for statement in reversed(block):
            if isinstance(statement, (ast.Import, ast.ImportFrom)):
                yield statement


def _bound_name(blocks: list[list[ast.stmt]], wanted: Wanted) -> str | None:
    """A name, or a dotted one, that an import has bound to what is wanted."""
    attribute = wanted.names[0].rpartition(".")[2]
    for statement in _imports(blocks):
        for alias in statement.names:
            if isinstance(statement, ast.Import):
                if alias.name in wanted.names:
                    return alias.asname or alias.name
                if alias.name == wanted.module:
                    return f"{alias.asname or alias.name}.{attribute}"
            elif not statement.level:
                dotted = f"{statement.module}.{alias.name}"
                if dotted in wanted.names:
                    return alias.asname or alias.name
                if dotted == wanted.module:
                    return f"{alias.asname or alias.name}.{attribute}"
    return None


def _bound_names(blocks: list[list[ast.stmt]]) -> set[str]:
    return {a.asname or a.name for statement in _imports(blocks) for a in statement.names}


def _is_it(symbol: Symbol, wanted: Wanted) -> bool:
    return isinstance(symbol, External) and symbol.name in wanted.names


# Merging


def _merge(layout: Layout, statement: ast.ImportFrom, name: str) -> list[Edit]:
    """Add a name to a ``from … import``, sorted in where the others are sorted."""
    document = layout.document
    names = statement.names
    keys = [_sort_key(alias.name) for alias in names]
    index = len(names)
    if keys == sorted(keys):
        index = sum(1 for key in keys if key < _sort_key(name))
    opening = document.text[layout.start(statement) : layout.start(names[0])]
    if index < len(names):
        place = layout.start(names[index])
        lead = _lead(layout, place, name) if "(" in opening else f"{name}, "
        return _fitting(layout, statement, name, Edit(place, place, lead))
    last = layout.end(names[-1])
    after = _skip(document.text, last)
    comma = document.text[after : after + 1] == ","
    start = layout.start(names[-1])
    if document.text[document.line_start(start) : start].strip() or "(" not in opening:
        edit = Edit(after + 1, after + 1, f" {name},") if comma else Edit(last, last, f", {name}")
        return _fitting(layout, statement, name, edit)
    line = document.line_of(start)
    below = f"{document.newline(line)}{document.indent(line)}{name}"
    if not comma:
        end = document.line_end(last)
        return [Edit(last, last, ","), Edit(end, end, below)]
    end = document.line_end(after)
    rest = document.text[after + 1 : end].strip()
    if rest and not rest.startswith("#"):
        return [Edit(after + 1, after + 1, f"{below},")]
    return [Edit(end, end, f"{below},")]


def _fitting(layout: Layout, statement: ast.ImportFrom, name: str, edit: Edit) -> list[Edit]:
    """The edit, or the whole import spread over lines if it would get too wide."""
    document = layout.document
    if layout.start(statement) < edit.start and statement.lineno == statement.end_lineno:
        line = document.lines[statement.lineno - 1].rstrip("\r\n")
        end = layout.end(statement)
        alone = not document.text[end : document.line_end(end)].strip()
        if alone and len(line) + len(edit.text) > layout.width:
            names = [_spelled(alias) for alias in statement.names]
            names.insert(sum(1 for a in statement.names if layout.start(a) < edit.start), name)
            newline, indent = document.newline(statement.lineno), document.indent(statement.lineno)
            inner = f"{newline}{indent}{layout.step}"
            listed = "".join(f"{inner}{each}," for each in names)
            head = f"from {statement.module} import ({listed}{newline}{indent})"
            return [Edit(layout.start(statement), end, head)]
    return [edit]


def _spelled(alias: ast.alias) -> str:
    return f"{alias.name} as {alias.asname}" if alias.asname else alias.name


def _lead(layout: Layout, place: int, name: str) -> str:
    """The text of a name before another one: on a line of its own if that one is."""
    document = layout.document
    line = document.line_of(place)
    if document.text[document.line_start(place) : place].strip():
        return f"{name}, "
    return f"{name},{document.newline(line)}{document.indent(line)}"


def _skip(text: str, start: int) -> int:
    """The next place that is neither white space, comment nor continued line."""
    found = _GAP.match(text, start)
    return found.end() if found else start


def _sort_key(name: str) -> tuple[int, str]:
    """The order of isort: constants, classes, the rest."""
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return kind, name.lower()


# A new statement


def _block_of_base(blocks: list[list[ast.stmt]], wanted: Wanted) -> list[ast.stmt]:
    """The innermost block that imports from the framework; the file's own by default.

    Raises:
        CannotFixError: The framework is imported under a condition that may not hold.
    """
    top = wanted.module.partition(".")[0]
    for block in reversed(blocks):
        if any(_is_from(s, top) for s in block):
            return block
    for statement in blocks[0]:
        if not isinstance(statement, (ast.Try, ast.If)) or _is_type_checking(statement):
            continue
        if any(_is_from(inner, top) for inner in ast.walk(statement)):
            raise CannotFixError("the file can be imported without the framework")
    return blocks[0]


def _is_type_checking(statement: ast.Try | ast.If) -> bool:
    test = getattr(statement, "test", None)
    return "TYPE_CHECKING" in {getattr(test, "id", None), getattr(test, "attr", None)}


def _is_from(statement: ast.AST, top: str) -> bool:
    if isinstance(statement, ast.ImportFrom) and not statement.level:
        return (statement.module or "").partition(".")[0] == top
    if isinstance(statement, ast.Import):
        return any(alias.name.partition(".")[0] == top for alias in statement.names)
    return False


def _import(layout: Layout, block: list[ast.stmt], module: str, name: str) -> Edit:
    """A new import at its place among those of the block."""
    document = layout.document
    text = f"from {module} import {name}"
    top = module.partition(".")[0]
    imports = [s for s in block if isinstance(s, (ast.Import, ast.ImportFrom))]
    if not imports:
        return _first(layout, block, text)
    kin = [s for s in imports if _is_from(s, top)]
    if kin:
        return _among(layout, block, kin, module, text)
    groups = _groups(imports)
    foreign = [group for group in groups if any(_is_foreign(s) for s in group)]
    if foreign:
        return _among(layout, block, foreign[-1], module, text)
    newline = document.newline(imports[0].lineno)
    own = [group for group in groups if getattr(group[0], "level", 0)]
    if own:
        return _above(layout, own[0][0], text + newline)
    edit = _below(layout, block, imports[-1], text)
    return edit._replace(text=newline + edit.text)


def _groups(imports: list[_Import]) -> list[list[_Import]]:
    """Imports by the blank lines and other statements between them."""
    groups: list[list[_Import]] = []
    for statement in imports:
        last = groups[-1][-1] if groups else None
        if last is None or statement.lineno > (last.end_lineno or last.lineno) + 1:
            groups.append([])
        groups[-1].append(statement)
    return groups


def _is_foreign(statement: _Import) -> bool:
    """Whether an import is absolute, and not of the standard library."""
    if isinstance(statement, ast.ImportFrom):
        modules = [statement.module or ""]
        if statement.level:
            return False
    else:
        modules = [alias.name for alias in statement.names]
    known = sys.stdlib_module_names | {"__future__"}
    return any(module.partition(".")[0] not in known for module in modules)


def _among(
    layout: Layout, block: list[ast.stmt], kin: Sequence[_Import], module: str, text: str
) -> Edit:
    """Sorted in among imports that belong together."""
    froms = [s for s in kin if isinstance(s, ast.ImportFrom) and not s.level]
    smaller = [s for s in froms if (s.module or "").lower() <= module.lower()]
    if smaller or not froms:
        return _below(layout, block, smaller[-1] if smaller else kin[-1], text)
    return _above(layout, froms[0], text)


def _above(layout: Layout, statement: ast.stmt, text: str) -> Edit:
    """A line above a statement."""
    document = layout.document
    place = document.offset(statement.lineno, 0)
    newline = document.newline(statement.lineno)
    return Edit(place, place, f"{document.indent(statement.lineno)}{text}{newline}")


def _below(layout: Layout, block: list[ast.stmt], after: ast.stmt, text: str) -> Edit:
    """A line below a statement, and below all that shares its last line."""
    document = layout.document
    line = after.end_lineno or after.lineno
    for statement in block:
        if statement.lineno == line:
            line = max(line, statement.end_lineno or line)
    end = document.line_end(document.offset(line, 0))
    return Edit(end, end, f"{document.newline(line)}{document.indent(after.lineno)}{text}")


def _first(layout: Layout, block: list[ast.stmt], text: str) -> Edit:
    """The first import of a file: below its docstring, or below its opening comments."""
    document = layout.document
    if block and isinstance(block[0], ast.Expr) and isinstance(block[0].value, ast.Constant):
        edit = _below(layout, block, block[0], text)
        newline = document.newline(document.line_of(edit.start))
        return edit._replace(text=newline + edit.text + newline)
    line = 1
    while line <= len(document.lines) and document.lines[line - 1].startswith("#"):
        line += 1
    place = document.offset(line, 0)
    newline = document.newline(line)
    return Edit(place, place, f"{text}{newline}{newline}{newline}")
