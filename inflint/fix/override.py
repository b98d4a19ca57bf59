"""Writing the API onto a class: its base, its method, its import."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from inflint.fix.bases import place_of_api
from inflint.fix.edits import CannotFixError, Edit, Fix
from inflint.fix.imports import local_decorator, reach_api
from inflint.fix.nested import nested_part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.fix.layout import Layout
    from inflint.fix.planning import Context


def add_api(context: Context, subject: Subject, finding: Finding) -> Fix:
    """INF101: the base, the method and the import."""
    del finding
    names = listable(subject)
    if not names:
        raise CannotFixError("all of it is built after the framework's constructor")
    api, edits = _base_and_import(context, subject)
    below, deletions = nested_part(context, subject)
    edits += [*deletions, *_method(context, subject, [*names, *below], api)]
    return Fix(subject.cls.file.path, tuple(edits), listing(names, below))


def add_base(context: Context, subject: Subject, finding: Finding) -> Fix:
    """INF102: the base and its import."""
    del finding
    _, edits = _base_and_import(context, subject)
    return Fix(subject.cls.file.path, tuple(edits), "add the base")


def add_method(context: Context, subject: Subject, finding: Finding) -> Fix:
    """INF103: the method that the API asks for."""
    del finding
    names = listable(subject)
    layout = context.layout(subject.cls.file)
    api, edits = reach_api(layout, subject.cls, context.universe)
    edits += _method(context, subject, names, api)
    mixin = next((c for c in subject.cls.classes() if c.own(subject.profile.api_method)), None)
    unsafe = "" if mixin is None else f"{mixin.name} brings the method, behind the base"
    what = f"list {', '.join(names)}" if names else "list nothing"
    return Fix(subject.cls.file.path, tuple(edits), what, unsafe)


def extend_inherited(
    context: Context, subject: Subject, names: Sequence[str], kinds: frozenset[str]
) -> Fix:
    """INF201 on an inherited list: a method of the class's own that extends it."""
    layout = context.layout(subject.cls.file)
    method = subject.profile.api_method
    inherited = f"super().{method}()"
    api = ""
    edits: list[Edit] = []
    if local_decorator(layout, subject.cls, subject.profile) is not None:
        api, edits = reach_api(layout, subject.cls, context.universe)
    below, deletions = nested_part(context, subject)
    names_and_paths = [*names, *below]
    edits += [*deletions, *_method(context, subject, names_and_paths, api, inherited, kinds)]
    return Fix(subject.cls.file.path, tuple(edits), listing(names, below))


def listing(names: Sequence[str], below: Sequence[str]) -> str:
    """What a fix does that lists names, and paths that ``setup()`` deletes."""
    deleted = f", and delete {', '.join(below)} in inference-only mode" if below else ""
    return f"list {', '.join((*names, *below))}{deleted}"


def listable(subject: Subject) -> list[str]:
    """Certainly unused names on the module itself that the framework can remove."""
    return [
        judged.component.name
        for judged in subject.verdict.unused
        if len(judged.component.path) == 1
        and not judged.condition
        and judged.component.stage != "late"
    ]


def _base_and_import(context: Context, subject: Subject) -> tuple[str, list[Edit]]:
    cls = subject.cls
    layout = context.layout(cls.file)
    node = layout.class_of(cls.scope)
    index = place_of_api(cls, context.universe.classes.values(), subject.profile)
    api, edits = reach_api(layout, cls, context.universe)
    return api, [*edits, *_base(layout, node, index, api)]


def _base(layout: Layout, node: ast.ClassDef, index: int, api: str) -> list[Edit]:
    document = layout.document
    if index < len(node.bases):
        place = layout.start(node.bases[index])
        line = document.line_of(place)
        if document.text[document.line_start(place) : place].strip():
            return [Edit(place, place, f"{api}, ")]
        return [Edit(place, place, f"{api},{document.newline(line)}{document.indent(line)}")]
    last = node.bases[-1]
    start, end = layout.start(last), layout.end(last)
    lead = document.text[document.line_start(start) : start]
    if lead.strip():
        if len(document.lines[node.lineno - 1].rstrip("\r\n")) + len(api) + 2 > layout.width:
            spread_out = _spread_bases(layout, node, api)
            if spread_out is not None:
                return [spread_out]
        return [Edit(end, end, f", {api}")]
    line = document.line_of(start)
    below = f"{document.newline(line)}{lead}{api}"
    comma, rest = end + 1, document.line_end(end)
    if document.text[end:comma] == ",":
        behind = document.text[comma:rest].strip()
        place = rest if not behind or behind.startswith("#") else comma
        return [Edit(place, place, f"{below},")]
    if rest == end:
        return [Edit(end, end, f",{below}")]
    return [Edit(end, end, ","), Edit(rest, rest, below)]


def _spread_bases(layout: Layout, node: ast.ClassDef, api: str) -> Edit | None:
    """The bases one a line, if they and only they stand on the class's one line."""
    document = layout.document
    first, last = layout.start(node.bases[0]), layout.end(node.bases[-1])
    before, after = document.text[:first], document.text[last:]
    if not before.endswith("(") or not after.startswith("):") or node.keywords:
        return None
    if document.line_of(first) != document.line_of(last) or document.line_of(first) != node.lineno:
        return None
    values = [document.text[layout.start(b) : layout.end(b)] for b in node.bases]
    newline, indent = document.newline(node.lineno), document.indent(node.lineno)
    line = f"{indent}{layout.step}{', '.join([*values, api])}"
    if len(line) <= layout.width:
        return Edit(first, last, f"{newline}{line}{newline}{indent}")
    return Edit(first, last, layout.spread([*values, api], node.lineno))


# The method


def _method(
    context: Context,
    subject: Subject,
    names: Sequence[str],
    api: str,
    inherited: str = "",
    kinds: frozenset[str] = frozenset(),
) -> list[Edit]:
    layout = context.layout(subject.cls.file)
    node = layout.class_of(subject.cls.scope)
    indent = _body_indent(layout, node)
    lines: list[str] = []
    decorator = local_decorator(layout, subject.cls, subject.profile)
    if decorator is not None:
        lines.append(f"{indent}@{decorator}({api})")
    returns = f" -> {layout.list_of_str()}" if layout.returns_are_annotated(node) else ""
    lines.append(f"{indent}def {subject.profile.api_method}(self){returns}:")
    inner = indent + _inner_step(layout, node, indent)
    lines += _return(layout, inner, names, inherited, kinds)
    return _insert(layout, node, subject, indent, lines)


def _return(
    layout: Layout, indent: str, names: Sequence[str], inherited: str, kinds: frozenset[str]
) -> list[str]:
    quoted = [layout.quoted(name) for name in names]
    listed = ", ".join(quoted)
    if not inherited:
        opening, closing = "[", "]"
    elif kinds == {"list"}:
        opening, closing = f"{inherited} + [", "]"
    else:
        opening, closing = f"[*{inherited}, ", "]"
    line = f"{indent}return {opening}{listed}{closing}"
    if len(line) <= layout.width:
        return [line]
    items = [f"{indent}{layout.step}{text}," for text in quoted]
    if inherited and kinds != {"list"}:
        items.insert(0, f"{indent}{layout.step}*{inherited},")
        opening = "["
    return [f"{indent}return {opening}", *items, f"{indent}{closing}"]


def _body_indent(layout: Layout, node: ast.ClassDef) -> str:
    if _same_line(layout, node):
        return layout.document.indent(node.lineno) + layout.step
    return layout.document.indent(layout.first_line(node.body[0]))


def _same_line(layout: Layout, node: ast.ClassDef) -> bool:
    """Whether the body stands behind the class's colon."""
    start = layout.start(node.body[0])
    document = layout.document
    return bool(document.text[document.line_start(start) : start].strip())


def _inner_step(layout: Layout, node: ast.ClassDef, indent: str) -> str:
    for statement in node.body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = statement.body[0]
            if layout.first_line(first) > statement.lineno:
                inner = layout.document.indent(layout.first_line(first))
                if inner.startswith(indent) and inner != indent:
                    return inner[len(indent) :]
    return layout.step


def _insert(
    layout: Layout,
    node: ast.ClassDef,
    subject: Subject,
    indent: str,
    lines: list[str],
) -> list[Edit]:
    """The method's lines at their place in the class."""
    document = layout.document
    newline = document.newline(layout.first_line(node.body[0]))
    if _same_line(layout, node):
        return [_open_body(layout, node, newline, indent, newline.join(lines))]
    lone = node.body[0]
    if len(node.body) == 1 and _is_placeholder(lone):
        start, end = layout.start(lone), layout.end(lone)
        if not document.text[end : document.line_end(end)].strip():
            return [Edit(document.line_start(start), end, newline.join(lines))]
    anchor = _anchor(node, subject)
    line = _last_line(layout, anchor, len(indent.expandtabs()))
    newline = document.newline(line)
    blank = newline * (1 + _blank_lines(layout, node, anchor))
    end = document.line_end(document.offset(line, 0))
    if any(layout.first_line(s) == line for s in node.body if s is not anchor):
        raise CannotFixError("there is no line to put the method on")
    return [Edit(end, end, blank + newline.join(lines))]


def _open_body(layout: Layout, node: ast.ClassDef, newline: str, indent: str, text: str) -> Edit:
    """A class on one line gets a body below."""
    document = layout.document
    first, last = node.body[0], node.body[-1]
    start, end = layout.start(first), layout.end(last)
    rest = document.text[end : document.line_end(end)].strip()
    colon = len(document.text[:start].rstrip())
    if len(node.body) == 1 and _is_placeholder(first) and not rest:
        return Edit(colon, end, f"{newline}{text}")
    body = document.text[start : document.line_end(end)]
    kept = f"{newline}{indent}{body}{newline}{newline}{text}"
    return Edit(colon, document.line_end(end), kept)


def _is_placeholder(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return statement.value.value is ...
    return isinstance(statement, ast.Pass)


def _anchor(node: ast.ClassDef, subject: Subject) -> ast.stmt:
    """The statement that the method goes below: the last one that builds the module."""
    profile = subject.profile
    kin = {"__init__", *profile.setup_methods, *profile.target_methods}
    builders = [
        s
        for s in node.body
        if any(isinstance(n, ast.FunctionDef) and n.name in kin for n in ast.walk(s))
        and not isinstance(s, ast.ClassDef)
    ]
    return builders[-1] if builders else node.body[-1]


def _last_line(layout: Layout, anchor: ast.stmt, column: int) -> int:
    """The last line of a statement, with comments that are indented like its body."""
    lines = layout.document.lines
    last = anchor.end_lineno or anchor.lineno
    for number in range(last + 1, len(lines) + 1):
        text = lines[number - 1].expandtabs()
        if not text.strip():
            continue
        if not text.lstrip().startswith("#") or len(text) - len(text.lstrip()) <= column:
            break
        last = number
    return last


def _blank_lines(layout: Layout, node: ast.ClassDef, anchor: ast.stmt) -> int:
    """How many blank lines the class puts between its methods."""
    lines = layout.document.lines
    methods = (ast.FunctionDef, ast.AsyncFunctionDef)
    for before, after in zip(node.body, node.body[1:], strict=False):
        if isinstance(after, methods) and (isinstance(before, methods) or after is not anchor):
            number = layout.first_line(after) - 1
            while number and lines[number - 1].strip().startswith("#"):
                number -= 1
            count = 0
            while number and not lines[number - 1].strip():
                number -= 1
                count += 1
            return min(count, 2)
    return 1
