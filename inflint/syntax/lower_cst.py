"""Source that the standard library's parser does not tell all about, through LibCST.

LibCST reads the syntax of every Python from 3.8 to 3.14, whichever one runs, at 0.6 MB/s.
Positions are metadata that cost as much again as the parse.
"""

from __future__ import annotations

import ast
import re
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from inflint.syntax import facts
from inflint.syntax.errors import LoweringError
from inflint.syntax.lowering import INDENT, Lowering, is_indented

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from libcst.metadata import CodeRange

_AUGMENTED = {"AddAssign": "+", "BitOrAssign": "|"}
_BINARY = {"Add": "+", "BitOr": "|", "Modulo": "%", "Multiply": "*"}
_COMPARE = {
    "Equal": "==",
    "NotEqual": "!=",
    "Is": "is",
    "IsNot": "is not",
    "In": "in",
    "NotIn": "not in",
}
_PLAIN = re.compile(r"""'[^'\\\r\n]*'|"[^"\\\r\n]*\"""")
"""A string that is what it looks like."""


def lower_function(text: str, owner: str | None = None) -> facts.Function:
    """Lower one ``def``, decorators and indentation included.

    Args:
        text: The definition's lines, as they stand in the file.
        owner: The enclosing class, for name mangling.

    Raises:
        LoweringError: The text is no function definition, or does not parse.
    """
    node = parse(text)[1]
    if not isinstance(node, cst.FunctionDef):
        raise LoweringError("not a function definition", 1)
    with _bounded():
        return _Lowering(owner).function(node)


def lower_statement(text: str, owner: str | None = None) -> facts.Body:
    """Lower one statement of any kind, or a whole file. Raises :class:`LoweringError`."""
    lowering = _Lowering(owner)
    module, node = parse(text)
    with _bounded():
        if isinstance(node, cst.Module):
            return lowering.suite(module)
        return lowering.statement(node)


def lower_expression(text: str) -> facts.Expr:
    """Lower one expression, such as a base class. Raises :class:`LoweringError`."""
    try:
        node = cst.parse_expression(text)
    except cst.ParserSyntaxError as error:
        raise LoweringError(error.message, error.raw_line) from None
    with _bounded():
        return _Lowering(None).expr(node)


def spans(text: str, owner: str | None = None) -> tuple[facts.Span, ...]:
    """Positions of all sites of ``text``, indexed by ``at``, relative to its first line."""
    from libcst.metadata import MetadataWrapper, PositionProvider

    module, node = parse(text)
    with _bounded():
        positions = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    lowering = _Lowering(owner, positions, shift=1 if is_indented(text) else 0)
    with _bounded():
        if isinstance(node, cst.FunctionDef):
            lowering.function(node)
        elif isinstance(node, cst.Module):
            lowering.suite(node)
        else:
            lowering.statement(node)
    return tuple(lowering.spans)


@contextmanager
def _bounded() -> Iterator[None]:
    """Deep nesting ends in an error that names it."""
    try:
        yield
    except RecursionError:
        raise LoweringError("nested too deeply", 1) from None


def parse(text: str) -> tuple[cst.Module, cst.CSTNode]:
    """The statement that ``text`` holds, in the module that LibCST made of it.

    Indented text gets a line of its own to stand below.

    Raises:
        LoweringError: The text does not parse.
    """
    indented = is_indented(text)
    try:
        module = cst.parse_module(INDENT + text if indented else text)
    except cst.ParserSyntaxError as error:
        raise LoweringError(error.message, max(1, error.raw_line - indented)) from None
    except RecursionError:
        raise LoweringError("nested too deeply", 1) from None
    if len(module.body) != 1:
        return module, module
    node: cst.CSTNode = module.body[0]
    if indented and isinstance(node, cst.If):
        node = node.body.body[0]
    return module, node


class _Lowering(Lowering):
    """Lowers the nodes of one function, or one statement."""

    def __init__(
        self,
        owner: str | None,
        positions: Mapping[cst.CSTNode, CodeRange] | None = None,
        shift: int = 0,
    ) -> None:
        super().__init__(owner)
        self._positions = positions
        self._shift = shift

    def _at(self, node: cst.CSTNode) -> int:
        site = self._sites
        self._sites += 1
        if self._positions is not None:
            where = self._positions[node]
            self.spans.append(
                facts.Span(
                    where.start.line - self._shift,
                    where.start.column,
                    where.end.line - self._shift,
                    where.end.column,
                )
            )
        return site

    # Functions

    def function(self, node: cst.FunctionDef) -> facts.Function:
        at = self._at(node.name)
        decorators = tuple(self.expr(d.decorator) for d in node.decorators)
        body = partial(self.suite, node.body)
        return self._function(node.name.value, node.params, decorators, body, at)

    def _params(self, params: cst.Parameters) -> tuple[facts.Param, ...]:
        result = []

        def add(param: cst.Param, kind: str) -> None:
            default = None if param.default is None else self.expr(param.default)
            result.append(facts.Param(self._private(param.name.value), kind, default))

        for param in (*params.posonly_params, *params.params):
            add(param, "positional")
        if isinstance(params.star_arg, cst.Param):
            add(params.star_arg, "star")
        for param in params.kwonly_params:
            add(param, "keyword")
        if params.star_kwarg is not None:
            add(params.star_kwarg, "double")
        return tuple(result)

    # Statements

    def suite(self, node: cst.BaseSuite | cst.Module) -> facts.Body:
        result: list[facts.Stmt] = []
        for statement in node.body:
            result.extend(self.statement(statement))
        return tuple(result)

    def statement(self, node: cst.CSTNode) -> facts.Body:
        if isinstance(node, cst.SimpleStatementLine):
            result: list[facts.Stmt] = []
            for small in node.body:
                result.extend(self.statement(small))
            return tuple(result)
        handler = _STATEMENTS.get(type(node).__name__)
        return () if handler is None else handler(self, node)

    def _assign(self, node: cst.Assign) -> facts.Body:
        at = self._at(node)
        targets = tuple(self.expr(t.target) for t in node.targets)
        return (facts.Assign(at, targets, self.expr(node.value)),)

    def _augmented(self, node: cst.AugAssign) -> facts.Body:
        at = self._at(node)
        op = _AUGMENTED.get(type(node.operator).__name__, "?")
        return (facts.Augment(at, self.expr(node.target), op, self.expr(node.value)),)

    def _if(self, node: cst.If) -> facts.Body:
        at = self._at(node.test)
        test = self.expr(node.test)
        body = self.suite(node.body)
        orelse: facts.Body = ()
        if isinstance(node.orelse, cst.If):
            orelse = self._if(node.orelse)
        elif node.orelse is not None:
            orelse = self.suite(node.orelse.body)
        return (facts.Branch(at, test, body, orelse),)

    def _for(self, node: cst.For) -> facts.Body:
        at = self._at(node.target)
        target, iterable = self.expr(node.target), self.expr(node.iter)
        body = self.suite(node.body)
        orelse = self.suite(node.orelse.body) if node.orelse else ()
        return (facts.Loop(at, target, iterable, body, orelse),)

    def _while(self, node: cst.While) -> facts.Body:
        at = self._at(node.test)
        test = self.expr(node.test)
        body = self.suite(node.body)
        orelse = self.suite(node.orelse.body) if node.orelse else ()
        return (facts.Loop(at, None, test, body, orelse),)

    def _del(self, node: cst.Del) -> facts.Body:
        at = self._at(node)
        target = node.target
        parts = [e.value for e in target.elements] if isinstance(target, cst.Tuple) else [target]
        return (facts.Delete(at, tuple(self.expr(p) for p in parts)),)

    def _try(self, node: cst.Try | cst.TryStar) -> facts.Body:
        at = self._at(node)
        body = self.suite(node.body)
        handlers = []
        for handler in node.handlers:
            kinds = _names(handler.type)
            body_facts = self.suite(handler.body)
            handlers.append(facts.Handler(kinds, _bound_name(handler.name), body_facts))
        orelse = self.suite(node.orelse.body) if node.orelse else ()
        final = self.suite(node.finalbody.body) if node.finalbody else ()
        return (facts.Attempt(at, body, tuple(handlers), orelse, final),)

    def _with(self, node: cst.With) -> facts.Body:
        at = self._at(node)
        items = tuple(
            (self.expr(i.item), None if i.asname is None else self.expr(i.asname.name))
            for i in node.items
        )
        return (facts.With(at, items, self.suite(node.body)),)

    def _match(self, node: cst.Match) -> facts.Body:
        at = self._at(node)
        subject = self.expr(node.subject)
        cases = []
        for case in node.cases:
            binds: list[str] = []
            _pattern_names(case.pattern, binds)
            literals = self._literals(case.pattern)
            guard = None if case.guard is None else self.expr(case.guard)
            wildcard = isinstance(case.pattern, cst.MatchAs) and case.pattern.pattern is None
            body = self.suite(case.body)
            cases.append(facts.Case(literals, wildcard, tuple(binds), guard, body))
        return (facts.Match(at, subject, tuple(cases)),)

    def _literals(self, pattern: cst.MatchPattern) -> tuple[facts.Const, ...] | None:
        """The literals a pattern compares with; None for what they do not decide."""
        if isinstance(pattern, cst.MatchOr):
            found: list[facts.Const] = []
            for element in pattern.patterns:
                inner = self._literals(element.pattern)
                if inner is None:
                    return None
                found.extend(inner)
            return tuple(found)
        value = getattr(pattern, "value", None)
        if isinstance(pattern, (cst.MatchValue, cst.MatchSingleton)) and value is not None:
            lowered = self.expr(value)
            if isinstance(lowered, facts.Const):
                return (lowered,)
        return None

    def _define(self, node: cst.FunctionDef) -> facts.Body:
        at = self._at(node.name)
        return (facts.Define(at, self.function(node)),)

    def _class(self, node: cst.ClassDef) -> facts.Body:
        return (facts.DefineClass(self._at(node.name), node.name.value),)

    def _import(self, node: cst.Import) -> facts.Body:
        at = self._at(node)
        names: list[tuple[str, str, str | None, int]] = []
        for alias in node.names:
            dotted = _dotted(alias.name)
            bound = _bound_name(alias.asname)
            top = dotted.partition(".")[0]
            names.append((bound or top, dotted if bound else top, None, 0))
        return (facts.Import(at, tuple(names)),)

    def _import_from(self, node: cst.ImportFrom) -> facts.Body:
        at = self._at(node)
        if isinstance(node.names, cst.ImportStar):
            return ()
        module = "" if node.module is None else _dotted(node.module)
        level = len(node.relative)
        names = []
        for alias in node.names:
            attribute = _dotted(alias.name)
            names.append((_bound_name(alias.asname) or attribute, module, attribute, level))
        return (facts.Import(at, tuple(names)),)

    def _declare(self, node: cst.Global | cst.Nonlocal) -> facts.Body:
        kind = "global" if isinstance(node, cst.Global) else "nonlocal"
        return (facts.Declare(kind, tuple(item.name.value for item in node.names)),)

    def _jump(self, node: cst.CSTNode) -> facts.Body:
        return (facts.Jump("break" if isinstance(node, cst.Break) else "continue"),)

    # Expressions

    def expr(self, node: cst.CSTNode) -> facts.Expr:
        handler = _EXPRESSIONS.get(type(node).__name__)
        if handler is not None:
            return handler(self, node)
        return facts.Opaque(self._at(node), tuple(self.expr(c) for c in _operands(node)))

    def _name(self, node: cst.Name) -> facts.Expr:
        if node.value in _SINGLETONS:
            return facts.Const(self._at(node), _SINGLETONS[node.value])
        return facts.Name(self._at(node), self._private(node.value))

    def _attribute(self, node: cst.Attribute) -> facts.Expr:
        at = self._at(node)
        return facts.Attr(at, self.expr(node.value), self._private(node.attr.value))

    def _literal(self, node: cst.Integer | cst.Float | cst.SimpleString) -> facts.Expr:
        value = _literal(node.value)
        at = self._at(node)
        return facts.Opaque(at, ()) if value is None else facts.Const(at, value)

    def _concatenated(self, node: cst.ConcatenatedString) -> facts.Expr:
        at = self._at(node)
        parts: list[cst.CSTNode] = []
        rest: cst.CSTNode = node
        while isinstance(rest, cst.ConcatenatedString):
            parts.append(rest.left)
            rest = rest.right
        parts.append(rest)
        values = [_literal(p.value) for p in parts if isinstance(p, cst.SimpleString)]
        strings = tuple(v for v in values if isinstance(v, str))
        if len(strings) == len(parts):
            return facts.Const(at, "".join(strings), strings)
        return facts.Text(at, tuple(self.expr(p) for p in parts))

    def _formatted(self, node: cst.CSTNode) -> facts.Expr:
        at = self._at(node)
        parts: list[facts.Expr] = []
        for part in getattr(node, "parts", ()):
            expression = getattr(part, "expression", None)
            if expression is None:
                literal = _text_of_fstring_part(part.value)
                parts.append(facts.Const(self._at(part), literal))
            elif part.conversion is None and part.format_spec is None:
                parts.append(self.expr(expression))
            else:
                parts.append(facts.Opaque(self._at(part), (self.expr(expression),)))
        return facts.Text(at, tuple(parts))

    def _call(self, node: cst.Call) -> facts.Expr:
        at = self._at(node)
        func = self.expr(node.func)
        args: list[facts.Expr] = []
        keywords: list[tuple[str | None, facts.Expr]] = []
        for arg in node.args:
            value = self.expr(arg.value)
            if arg.keyword is not None:
                keywords.append((arg.keyword.value, value))
            elif arg.star == "**":
                keywords.append((None, value))
            else:
                args.append(facts.Star(value) if arg.star == "*" else value)
        return facts.Call(at, func, tuple(args), tuple(keywords))

    def _subscript(self, node: cst.Subscript) -> facts.Expr:
        at = self._at(node)
        value = self.expr(node.value)
        alone = len(node.slice) == 1 and not isinstance(node.slice[0].comma, cst.Comma)
        first = node.slice[0].slice if alone else None
        if isinstance(first, cst.Index) and first.star is None:
            return facts.Item(at, value, self.expr(first.value))
        bounds = [
            bound
            for element in node.slice
            for bound in _operands(element.slice)
            if isinstance(bound, cst.BaseExpression)
        ]
        return facts.Item(at, value, facts.Opaque(at, tuple(self.expr(b) for b in bounds)))

    def _display(self, node: cst.List | cst.Tuple | cst.Set) -> facts.Expr:
        at = self._at(node)
        items = tuple(
            facts.Star(self.expr(e.value))
            if isinstance(e, cst.StarredElement)
            else self.expr(e.value)
            for e in node.elements
        )
        return facts.Sequence(at, type(node).__name__.lower(), items)

    def _dict(self, node: cst.Dict) -> facts.Expr:
        at = self._at(node)
        items = tuple(
            (self.expr(e.key) if isinstance(e, cst.DictElement) else None, self.expr(e.value))
            for e in node.elements
        )
        return facts.Mapping(at, items)

    def _binary(self, node: cst.BinaryOperation) -> facts.Expr:
        at = self._at(node)
        op = _BINARY.get(type(node.operator).__name__, "?")
        left, right = self.expr(node.left), self.expr(node.right)
        return facts.Binary(at, op, left, right, not node.lpar)

    def _boolean(self, node: cst.BooleanOperation) -> facts.Expr:
        op = "and" if isinstance(node.operator, cst.And) else "or"
        return facts.Logic(op, self.expr(node.left), self.expr(node.right))

    def _unary(self, node: cst.UnaryOperation) -> facts.Expr:
        if isinstance(node.operator, cst.Not):
            return facts.Not(self.expr(node.expression))
        value = self.expr(node.expression)
        if (
            isinstance(node.operator, cst.Minus)
            and isinstance(value, facts.Const)
            and isinstance(value.value, (int, float))
        ):
            return facts.Const(value.at, -value.value)
        return facts.Opaque(self._at(node), (value,))

    def _comparison(self, node: cst.Comparison) -> facts.Expr:
        if len(node.comparisons) == 1:
            target = node.comparisons[0]
            op = _COMPARE.get(type(target.operator).__name__, "?")
            return facts.Compare(op, self.expr(node.left), self.expr(target.comparator))
        parts = (node.left, *(c.comparator for c in node.comparisons))
        return facts.Opaque(self._at(node), tuple(self.expr(p) for p in parts))

    def _lambda(self, node: cst.Lambda) -> facts.Expr:
        return self._anonymous(node, node.params)

    def _comprehension(self, node: cst.BaseComp) -> facts.Expr:
        at = self._at(node)
        clauses: list[facts.Clause] = []
        loop: cst.CompFor | None = node.for_in
        while loop is not None:
            target, iterable = self.expr(loop.target), self.expr(loop.iter)
            tests = tuple(self.expr(t.test) for t in loop.ifs)
            clauses.append(facts.Clause(target, iterable, tests))
            loop = loop.inner_for_in
        kind = _COMPREHENSIONS[type(node).__name__]
        key, element = None, None
        if isinstance(node, cst.DictComp):
            key, element = self.expr(node.key), self.expr(node.value)
        else:
            element = self.expr(node.elt)  # type: ignore[attr-defined]
        return facts.Comprehension(at, kind, key, element, tuple(clauses))

    def _yield(self, node: cst.Yield) -> facts.Expr:
        self._generator = True
        if isinstance(node.value, cst.From):
            return facts.Yield(self._at(node), facts.Star(self.expr(node.value.item)))
        return facts.Yield(self._at(node), None if node.value is None else self.expr(node.value))

    def _await(self, node: cst.Await) -> facts.Expr:
        return self.expr(node.expression)


def _operands(node: cst.CSTNode) -> list[cst.CSTNode]:
    return [c for c in node.children if isinstance(c, cst.BaseExpression)]


def _bound_name(node: cst.AsName | None) -> str | None:
    """The name that ``as name`` binds."""
    name = None if node is None else node.name
    return name.value if isinstance(name, cst.Name) else None


def _dotted(node: cst.CSTNode) -> str:
    if isinstance(node, cst.Attribute):
        return f"{_dotted(node.value)}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""


def _names(node: cst.CSTNode | None) -> tuple[str, ...]:
    if node is None:
        return ()
    if isinstance(node, cst.Tuple):
        return tuple(_dotted(e.value) for e in node.elements)
    return (_dotted(node),)


def _pattern_names(node: cst.CSTNode, found: list[str]) -> None:
    if isinstance(node, (cst.MatchAs, cst.MatchStar)) and node.name is not None:
        found.append(node.name.value)
    if isinstance(node, cst.MatchMapping) and node.rest is not None:
        found.append(node.rest.value)
    for child in node.children:
        if not isinstance(child, cst.BaseExpression):
            _pattern_names(child, found)


def _literal(text: str) -> str | int | float | None:
    """The value of a literal; bytes, complex numbers and template strings have none here."""
    if _PLAIN.fullmatch(text):
        return text[1:-1]
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError):
        return None
    return value if isinstance(value, (str, int, float)) else None


def _text_of_fstring_part(raw: str) -> str:
    return raw.replace("{{", "{").replace("}}", "}")


_SINGLETONS: dict[str, bool | None] = {"True": True, "False": False, "None": None}
_COMPREHENSIONS = {
    "ListComp": "list",
    "SetComp": "set",
    "DictComp": "dict",
    "GeneratorExp": "generator",
}
_STATEMENTS: dict[str, Callable[..., facts.Body]] = {
    "Assign": _Lowering._assign,
    "AnnAssign": _Lowering._annotated,
    "AugAssign": _Lowering._augmented,
    "Expr": _Lowering._expression,
    "If": _Lowering._if,
    "For": _Lowering._for,
    "While": _Lowering._while,
    "Return": _Lowering._return,
    "Raise": _Lowering._raise,
    "Assert": _Lowering._assert,
    "Del": _Lowering._del,
    "Try": _Lowering._try,
    "TryStar": _Lowering._try,
    "With": _Lowering._with,
    "Match": _Lowering._match,
    "FunctionDef": _Lowering._define,
    "ClassDef": _Lowering._class,
    "Import": _Lowering._import,
    "ImportFrom": _Lowering._import_from,
    "Global": _Lowering._declare,
    "Nonlocal": _Lowering._declare,
    "Break": _Lowering._jump,
    "Continue": _Lowering._jump,
}
_EXPRESSIONS: dict[str, Callable[..., facts.Expr]] = {
    "Name": _Lowering._name,
    "Attribute": _Lowering._attribute,
    "Integer": _Lowering._literal,
    "Float": _Lowering._literal,
    "SimpleString": _Lowering._literal,
    "ConcatenatedString": _Lowering._concatenated,
    "FormattedString": _Lowering._formatted,
    "Call": _Lowering._call,
    "Subscript": _Lowering._subscript,
    "List": _Lowering._display,
    "Tuple": _Lowering._display,
    "Set": _Lowering._display,
    "Dict": _Lowering._dict,
    "BinaryOperation": _Lowering._binary,
    "BooleanOperation": _Lowering._boolean,
    "UnaryOperation": _Lowering._unary,
    "Comparison": _Lowering._comparison,
    "IfExp": _Lowering._choice,
    "Lambda": _Lowering._lambda,
    "ListComp": _Lowering._comprehension,
    "SetComp": _Lowering._comprehension,
    "DictComp": _Lowering._comprehension,
    "GeneratorExp": _Lowering._comprehension,
    "NamedExpr": _Lowering._walrus,
    "Yield": _Lowering._yield,
    "Await": _Lowering._await,
    "StarredElement": _Lowering._starred,
}
