"""Source to facts: one function or statement at a time.

Only text that matters is parsed: callers hand over single functions, cut out by their
header's span. The standard library's parser is ten times faster than LibCST's, so it comes
first; what it does not tell, such as syntax of a newer Python, goes through LibCST
(:mod:`inflint.syntax.lower_cst`). Both give equal facts. Sites are numbered in visiting
order; their positions are found in a second pass, and only when something is reported.
"""

from __future__ import annotations

import ast
import re
import sys
import warnings
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from inflint.syntax import facts
from inflint.syntax.errors import LoweringError
from inflint.syntax.headers import KEYWORD, split_lines
from inflint.syntax.lowering import INDENT, Lowering, is_indented

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


R = TypeVar("R")

_AUGMENTED: dict[type[ast.operator], str] = {ast.Add: "+", ast.BitOr: "|"}
_BINARY: dict[type[ast.operator], str] = {ast.Add: "+", ast.BitOr: "|", ast.Mod: "%", ast.Mult: "*"}
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
_STRING = re.compile(
    r"""(?:\s|\\\r?\n|\#[^\r\n]*)*([A-Za-z]*)('{3}|"{3}|'|")((?:\\.|(?!\2)[^\\])*)\2""", re.DOTALL
)
_PIECE = re.compile(r"([^{}]|\{\{|\}\})+|\{", re.DOTALL)
_BRACE = re.compile(r"[{}]")
_SHOWN = re.compile(r"=\s*(?:![rsa]\s*)?(?::|\Z)")
"""``{x=}``, in an f-string."""
_PLACED = sys.version_info >= (3, 12)
"""Whether the parser knows the places inside of f-strings."""


class _UnlikeError(Exception):
    """The parser does not tell all that the facts hold."""


class _Token(NamedTuple):
    """One string literal, and where it stands, as the parser counts."""

    prefix: str
    quote: str
    body: str
    lineno: int
    col_offset: int
    end_lineno: int
    end_col_offset: int

    @property
    def value(self) -> str:
        """What it says."""
        value = ast.literal_eval(f"{self.prefix}{self.quote}{self.body}{self.quote}")
        if not isinstance(value, str):
            raise _UnlikeError
        return value


def lower_function(text: str, owner: str | None = None) -> facts.Function:
    """Lower one ``def``, decorators and indentation included.

    Args:
        text: The definition's lines, as they stand in the file.
        owner: The enclosing class, for name mangling.

    Raises:
        LoweringError: The text is no function definition, or does not parse.
    """

    def lower() -> facts.Function:
        body = _parsed(text)
        if len(body) != 1 or not isinstance(body[0], _FUNCTIONS):
            raise LoweringError("not a function definition", 1)
        return _Lowering(text, owner).function(body[0])

    return _either(lower, "lower_function", text, owner)


def lower_statement(text: str, owner: str | None = None) -> facts.Body:
    """Lower one statement of any kind, or a whole file. Raises :class:`LoweringError`."""
    return _either(
        lambda: _Lowering(text, owner).suite(_parsed(text)),
        "lower_statement",
        text,
        owner,
    )


def lower_expression(text: str) -> facts.Expr:
    """Lower one expression, such as a base class. Raises :class:`LoweringError`."""
    return _either(
        lambda: _Lowering(text, None).expr(ast.parse(text, mode="eval").body),
        "lower_expression",
        text,
    )


def spans(text: str, owner: str | None = None) -> tuple[facts.Span, ...]:
    """Positions of all sites of ``text``, indexed by ``at``, relative to its first line."""

    def lower() -> tuple[facts.Span, ...]:
        lowering = _Lowering(text, owner, placed=True)
        body = _parsed(text)
        if len(body) == 1 and isinstance(body[0], _FUNCTIONS):
            lowering.function(body[0])
        else:
            lowering.suite(body)
        return tuple(lowering.spans)

    return _either(lower, "spans", text, owner)


def _either(lower: Callable[[], R], otherwise: str, *given: str | None) -> R:
    """What ``lower`` finds; else what a function of the same task finds by LibCST."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return lower()
    except RecursionError:
        raise LoweringError("nested too deeply", 1) from None
    except (_UnlikeError, SyntaxError, ValueError, MemoryError) as error:
        if isinstance(error, LoweringError):
            raise
    from inflint.syntax import lower_cst  # LibCST is slow to import

    found: R = getattr(lower_cst, otherwise)(*given)
    return found


def _parsed(text: str) -> list[ast.stmt]:
    """The statements of ``text``; indented text gets a line of its own to stand below."""
    if not is_indented(text):
        return ast.parse(text).body
    body = ast.parse(INDENT + text).body
    if len(body) != 1 or not isinstance(body[0], ast.If):
        raise _UnlikeError
    return body[0].body


class _Lowering(Lowering):
    """Lowers the nodes of one function, or one statement."""

    def __init__(self, text: str, owner: str | None, *, placed: bool = False) -> None:
        super().__init__(owner)
        self._shift = 1 if is_indented(text) else 0
        self._text = text
        self._lines_: list[bytes] = []
        self._placed = placed
        self._formatted: tuple[_Token, str] | None = None
        self._argument: tuple[ast.Call, ast.expr] | None = None

    # Sites and places

    def _at(self, node: ast.AST | _Token, *, named: str = "") -> int:
        site = self._sites
        self._sites += 1
        if self._placed:
            if self._formatted is not None and not _PLACED:
                node = self._formatted[0]
            self.spans.append(self._span(node, named))
        return site

    def _span(self, node: Any, named: str) -> facts.Span:
        line, column = node.lineno - self._shift, node.col_offset
        end_line, end_column = node.end_lineno - self._shift, node.end_col_offset
        first = self._lines[line - 1]
        if named:
            keyword = KEYWORD.match(first.decode(errors="replace"), column)
            column = column if keyword is None else keyword.end()
            end_line, end_column = line, column + len(named.encode())
        elif isinstance(node, ast.GeneratorExp) or (
            isinstance(node, ast.Tuple) and self._is_enclosed(node)
        ):
            return self._inside(line, column + 1, end_line, end_column - 1)
        return facts.Span(
            line, self._column(line, column), end_line, self._column(end_line, end_column)
        )

    def _inside(self, line: int, column: int, end_line: int, end_column: int) -> facts.Span:
        """What is left of a place without space and comments at its ends."""
        after = self._lines[line - 1][column:].lstrip()
        while (not after or after[:1] in b"#\\") and line < end_line:
            line += 1
            after = self._lines[line - 1].lstrip()
        column = len(self._lines[line - 1]) - len(after)
        before = self._lines[end_line - 1][:end_column].rstrip()
        while not before and end_line > line:
            end_line -= 1
            before = self._lines[end_line - 1].rstrip()
            if b"#" in before:
                raise _UnlikeError
        end_column = max(len(before), column) if line == end_line else len(before)
        return facts.Span(
            line, self._column(line, column), end_line, self._column(end_line, end_column)
        )

    def _column(self, line: int, offset: int) -> int:
        raw = self._lines[line - 1]
        return offset if raw.isascii() else len(raw[:offset].decode(errors="replace"))

    @property
    def _lines(self) -> list[bytes]:
        if not self._lines_:
            self._lines_ = [
                line.encode("utf-8", "surrogatepass") for line in split_lines(self._text)
            ]
        return self._lines_

    def _between(self, start: tuple[int, int], end: tuple[int, int]) -> str:
        """The text between two places of the parser's."""
        (line, column), (end_line, end_column) = start, end
        line, end_line = line - self._shift, end_line - self._shift
        lines = self._lines[line - 1 : end_line]
        if not lines:
            raise _UnlikeError
        lines[-1] = lines[-1][:end_column]
        lines[0] = lines[0][column:]
        return b"".join(lines).decode("utf-8", "surrogatepass")

    def _is_enclosed(self, node: ast.Tuple) -> bool:
        """Whether a tuple stands in parentheses of its own."""
        if not node.elts:
            return True
        first = node.elts[0]
        opening = self._between(_start(node), _start(first)).count("(")
        closing = self._between(_end(first), _end(node)).partition(",")[0].count(")")
        return opening > closing

    def _is_bare(self, node: ast.BinOp) -> bool:
        """Whether no parentheses enclose an operation."""
        if self._formatted is not None and not _PLACED:
            if "(" in self._formatted[1]:
                raise _UnlikeError
            return True
        if not (self._after(node) and self._before(node)):
            return True
        if self._argument is not None and self._argument[1] is node:
            call = self._argument[0]
            return self._between(_end(call.func), _start(node)).count("(") < 2
        return False

    def _before(self, node: ast.expr) -> bool:
        line, column = node.lineno - self._shift, node.col_offset
        before = self._lines[line - 1][:column].rstrip()
        while not before and line > 1:
            line -= 1
            before = self._lines[line - 1].rstrip()
            if b"#" in before:
                raise _UnlikeError
        return before.endswith(b"(")

    def _after(self, node: ast.expr) -> bool:
        end_line, end_column = _end(node)
        line = end_line - self._shift
        after = self._lines[line - 1][end_column:].strip()
        while (not after or after[:1] in b"#\\") and line < len(self._lines):
            line += 1
            after = self._lines[line - 1].strip()
        return after.startswith(b")")

    # Functions

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> facts.Function:
        at = self._at(node, named=node.name)
        decorators = tuple(self.expr(d) for d in node.decorator_list)
        body = partial(self.suite, node.body)
        return self._function(node.name, node.args, decorators, body, at)

    def _params(self, params: ast.arguments) -> tuple[facts.Param, ...]:
        result = []

        def add(param: ast.arg, kind: str, default: ast.expr | None = None) -> None:
            lowered = None if default is None else self.expr(default)
            result.append(facts.Param(self._private(param.arg), kind, lowered))

        positional = [*params.posonlyargs, *params.args]
        bare = len(positional) - len(params.defaults)
        for param, default in zip(positional, [*[None] * bare, *params.defaults], strict=True):
            add(param, "positional", default)
        if params.vararg is not None:
            add(params.vararg, "star")
        for param, default in zip(params.kwonlyargs, params.kw_defaults, strict=True):
            add(param, "keyword", default)
        if params.kwarg is not None:
            add(params.kwarg, "double")
        return tuple(result)

    # Statements

    def suite(self, body: list[ast.stmt]) -> facts.Body:
        result: list[facts.Stmt] = []
        for statement in body:
            handler = _STATEMENTS.get(type(statement))
            if handler is not None:
                result.extend(handler(self, statement))
        return tuple(result)

    def _assign(self, node: ast.Assign) -> facts.Body:
        at = self._at(node)
        targets = tuple(self.expr(t) for t in node.targets)
        return (facts.Assign(at, targets, self.expr(node.value)),)

    def _augmented(self, node: ast.AugAssign) -> facts.Body:
        at = self._at(node)
        op = _AUGMENTED.get(type(node.op), "?")
        return (facts.Augment(at, self.expr(node.target), op, self.expr(node.value)),)

    def _if(self, node: ast.If) -> facts.Body:
        at = self._at(node.test)
        test = self.expr(node.test)
        return (facts.Branch(at, test, self.suite(node.body), self.suite(node.orelse)),)

    def _for(self, node: ast.For | ast.AsyncFor) -> facts.Body:
        at = self._at(node.target)
        target, iterable = self.expr(node.target), self.expr(node.iter)
        body = self.suite(node.body)
        return (facts.Loop(at, target, iterable, body, self.suite(node.orelse)),)

    def _while(self, node: ast.While) -> facts.Body:
        at = self._at(node.test)
        test = self.expr(node.test)
        body = self.suite(node.body)
        return (facts.Loop(at, None, test, body, self.suite(node.orelse)),)

    def _del(self, node: ast.Delete) -> facts.Body:
        at = self._at(node)
        parts = node.targets
        if len(parts) == 1 and isinstance(parts[0], ast.Tuple):
            parts = parts[0].elts
        return (facts.Delete(at, tuple(self.expr(p) for p in parts)),)

    def _try(self, node: ast.Try) -> facts.Body:
        at = self._at(node)
        body = self.suite(node.body)
        handlers = tuple(
            facts.Handler(_names(h.type), h.name, self.suite(h.body)) for h in node.handlers
        )
        orelse = self.suite(node.orelse)
        return (facts.Attempt(at, body, handlers, orelse, self.suite(node.finalbody)),)

    def _with(self, node: ast.With | ast.AsyncWith) -> facts.Body:
        at = self._at(node)
        items = tuple(
            (
                self.expr(i.context_expr),
                None if i.optional_vars is None else self.expr(i.optional_vars),
            )
            for i in node.items
        )
        return (facts.With(at, items, self.suite(node.body)),)

    def _match(self, node: ast.Match) -> facts.Body:
        at = self._at(node)
        subject = self.expr(node.subject)
        cases = []
        for case in node.cases:
            binds = tuple(_pattern_names(case.pattern))
            literals = self._literals(case.pattern)
            guard = None if case.guard is None else self.expr(case.guard)
            wildcard = isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
            cases.append(facts.Case(literals, wildcard, binds, guard, self.suite(case.body)))
        return (facts.Match(at, subject, tuple(cases)),)

    def _literals(self, pattern: ast.pattern) -> tuple[facts.Const, ...] | None:
        """The literals a pattern compares with; None for what they do not decide."""
        if isinstance(pattern, ast.MatchOr):
            found: list[facts.Const] = []
            for element in pattern.patterns:
                inner = self._literals(element)
                if inner is None:
                    return None
                found.extend(inner)
            return tuple(found)
        if isinstance(pattern, ast.MatchSingleton):
            return (facts.Const(self._at(pattern), pattern.value),)
        if isinstance(pattern, ast.MatchValue):
            lowered = self.expr(pattern.value)
            if isinstance(lowered, facts.Const):
                return (lowered,)
        return None

    def _define(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> facts.Body:
        at = self._at(node, named=node.name)
        return (facts.Define(at, self.function(node)),)

    def _class(self, node: ast.ClassDef) -> facts.Body:
        return (facts.DefineClass(self._at(node, named=node.name), node.name),)

    def _import(self, node: ast.Import) -> facts.Body:
        at = self._at(node)
        names: list[tuple[str, str, str | None, int]] = []
        for alias in node.names:
            top = alias.name.partition(".")[0]
            bound = alias.asname
            names.append((bound or top, alias.name if bound else top, None, 0))
        return (facts.Import(at, tuple(names)),)

    def _import_from(self, node: ast.ImportFrom) -> facts.Body:
        at = self._at(node)
        if node.names[0].name == "*":
            return ()
        module = node.module or ""
        names = tuple((a.asname or a.name, module, a.name, node.level) for a in node.names)
        return (facts.Import(at, names),)

    def _declare(self, node: ast.Global | ast.Nonlocal) -> facts.Body:
        kind = "global" if isinstance(node, ast.Global) else "nonlocal"
        return (facts.Declare(kind, tuple(node.names)),)

    def _jump(self, node: ast.Break | ast.Continue) -> facts.Body:
        return (facts.Jump("break" if isinstance(node, ast.Break) else "continue"),)

    # Expressions

    def expr(self, node: ast.expr) -> facts.Expr:
        handler = _EXPRESSIONS.get(type(node))
        if handler is None:
            raise _UnlikeError
        lowered: facts.Expr = handler(self, node)
        return lowered

    def _name(self, node: ast.Name) -> facts.Expr:
        return facts.Name(self._at(node), self._private(node.id))

    def _attribute(self, node: ast.Attribute) -> facts.Expr:
        at = self._at(node)
        return facts.Attr(at, self.expr(node.value), self._private(node.attr))

    def _constant(self, node: ast.Constant) -> facts.Expr:
        value = node.value
        if isinstance(value, (str, bytes)):
            return self._string(node, value)
        at = self._at(node)
        if value is None or isinstance(value, (bool, int, float)):
            return facts.Const(at, value)
        return facts.Opaque(at, ())

    def _string(self, node: ast.Constant, value: str | bytes) -> facts.Expr:
        if self._formatted is not None and not _PLACED:
            at = self._at(node)
            return facts.Const(at, value) if isinstance(value, str) else facts.Opaque(at, ())
        tokens = self._tokens(node)
        at = self._at(node)
        if isinstance(value, bytes):
            if len(tokens) == 1:
                return facts.Opaque(at, ())
            return facts.Text(at, tuple(facts.Opaque(self._at(token), ()) for token in tokens))
        if len(tokens) == 1:
            return facts.Const(at, value)
        parts = tuple(token.value for token in tokens)
        return facts.Const(at, "".join(parts), parts)

    def _tokens(self, node: ast.expr) -> list[_Token]:
        """The string literals that a node consists of."""
        text = self._between(_start(node), _end(node))
        found, end = [], 0
        while end < len(text):
            match = _STRING.match(text, end)
            if match is None:
                raise _UnlikeError
            end = match.end()
            start = _moved(_start(node), text[: match.start(1)])
            found.append(
                _Token(match[1], match[2], match[3], *start, *_moved(_start(node), text[:end]))
            )
        return found

    def _joined(self, node: ast.JoinedStr) -> facts.Expr:
        if self._formatted is not None and not _PLACED:
            raise _UnlikeError
        tokens = self._tokens(node)
        values = (value for value in node.values if isinstance(value, ast.FormattedValue))
        at = self._at(node)
        if len(tokens) == 1:
            parts = self._pieces(tokens[0], values)
        else:
            parts = tuple(self._part(token, values) for token in tokens)
        if next(values, None) is not None:
            raise _UnlikeError
        return facts.Text(at, parts)

    def _part(self, token: _Token, values: Iterator[ast.FormattedValue]) -> facts.Expr:
        at = self._at(token)
        if "f" in token.prefix.lower():
            return facts.Text(at, self._pieces(token, values))
        return facts.Const(at, token.value)

    def _pieces(
        self, token: _Token, values: Iterator[ast.FormattedValue]
    ) -> tuple[facts.Expr, ...]:
        """The parts of an f-string; literal ones are as they are written."""
        parts: list[facts.Expr] = []
        body, end = token.body, 0
        if not _PLACED and "\n" in body:
            raise _UnlikeError
        while end < len(body):
            piece = _PIECE.match(body, end)
            if piece is None:
                raise _UnlikeError
            end = piece.end()
            if piece[0] != "{":
                literal = piece[0].replace("{{", "{").replace("}}", "}")
                parts.append(facts.Const(self._at(token), literal))
                continue
            start, end = end, _closing(body, end)
            value = next(values, None)
            if value is None or _SHOWN.search(body[start : end - 1]):
                raise _UnlikeError
            outer, self._formatted = self._formatted, (token, body[start:end])
            if value.conversion == -1 and value.format_spec is None:
                parts.append(self.expr(value.value))
            else:
                parts.append(facts.Opaque(self._at(value), (self.expr(value.value),)))
            self._formatted = outer
        return tuple(parts)

    def _call(self, node: ast.Call) -> facts.Expr:
        at = self._at(node)
        func = self.expr(node.func)
        args: list[facts.Expr] = []
        keywords: list[tuple[str | None, facts.Expr]] = []
        given: list[tuple[ast.expr, ast.keyword | None]] = [(arg, None) for arg in node.args]
        given += [(keyword.value, keyword) for keyword in node.keywords]
        if node.args and node.keywords:
            given.sort(key=lambda pair: _start(pair[0]))
        if len(given) == 1 and isinstance(given[0][0], ast.BinOp):
            self._argument = node, given[0][0]
        for arg, keyword in given:
            value = self.expr(arg)
            if keyword is not None:
                keywords.append((keyword.arg, value))
            else:
                args.append(value)
        return facts.Call(at, func, tuple(args), tuple(keywords))

    def _subscript(self, node: ast.Subscript) -> facts.Expr:
        at = self._at(node)
        value = self.expr(node.value)
        index = node.slice
        several = isinstance(index, ast.Tuple) and (
            self._in_formatted() or not self._is_enclosed(index)
        )
        if not several and not isinstance(index, ast.Slice):
            return facts.Item(at, value, self.expr(index))
        bounds: list[ast.expr | None] = []
        for element in index.elts if isinstance(index, ast.Tuple) else [index]:
            if isinstance(element, ast.Slice):
                bounds += [element.lower, element.upper, element.step]
            else:
                bounds.append(element.value if isinstance(element, ast.Starred) else element)
        return facts.Item(
            at, value, facts.Opaque(at, tuple(self.expr(b) for b in bounds if b is not None))
        )

    def _in_formatted(self) -> bool:
        if self._formatted is None or _PLACED:
            return False
        raise _UnlikeError

    def _display(self, node: ast.List | ast.Tuple | ast.Set) -> facts.Expr:
        at = self._at(node)
        items = tuple(self.expr(e) for e in node.elts)
        return facts.Sequence(at, type(node).__name__.lower(), items)

    def _dict(self, node: ast.Dict) -> facts.Expr:
        at = self._at(node)
        items = tuple(
            (None if key is None else self.expr(key), self.expr(value))
            for key, value in zip(node.keys, node.values, strict=True)
        )
        return facts.Mapping(at, items)

    def _binary(self, node: ast.BinOp) -> facts.Expr:
        at = self._at(node)
        bare = self._is_bare(node)
        op = _BINARY.get(type(node.op), "?")
        left, right = self.expr(node.left), self.expr(node.right)
        return facts.Binary(at, op, left, right, bare)

    def _boolean(self, node: ast.BoolOp) -> facts.Expr:
        op = "and" if isinstance(node.op, ast.And) else "or"
        lowered = self.expr(node.values[0])
        for value in node.values[1:]:
            lowered = facts.Logic(op, lowered, self.expr(value))
        return lowered

    def _unary(self, node: ast.UnaryOp) -> facts.Expr:
        value = self.expr(node.operand)
        if isinstance(node.op, ast.Not):
            return facts.Not(value)
        if (
            isinstance(node.op, ast.USub)
            and isinstance(value, facts.Const)
            and isinstance(value.value, (int, float))
        ):
            return facts.Const(value.at, -value.value)
        return facts.Opaque(self._at(node), (value,))

    def _comparison(self, node: ast.Compare) -> facts.Expr:
        if len(node.ops) == 1:
            op = _COMPARE.get(type(node.ops[0]), "?")
            return facts.Compare(op, self.expr(node.left), self.expr(node.comparators[0]))
        parts = (node.left, *node.comparators)
        return facts.Opaque(self._at(node), tuple(self.expr(p) for p in parts))

    def _lambda(self, node: ast.Lambda) -> facts.Expr:
        return self._anonymous(node, node.args)

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
    ) -> facts.Expr:
        at = self._at(node)
        clauses: list[facts.Clause] = []
        for loop in node.generators:
            target, iterable = self.expr(loop.target), self.expr(loop.iter)
            clauses.append(facts.Clause(target, iterable, tuple(self.expr(t) for t in loop.ifs)))
        if isinstance(node, ast.DictComp):
            key, element = self.expr(node.key), self.expr(node.value)
            return facts.Comprehension(at, "dict", key, element, tuple(clauses))
        kind = _COMPREHENSIONS[type(node)]
        return facts.Comprehension(at, kind, None, self.expr(node.elt), tuple(clauses))

    def _yield(self, node: ast.Yield | ast.YieldFrom) -> facts.Expr:
        self._generator = True
        at = self._at(node)
        value = None if node.value is None else self.expr(node.value)
        if value is not None and isinstance(node, ast.YieldFrom):
            value = facts.Star(value)
        return facts.Yield(at, value)

    def _await(self, node: ast.Await) -> facts.Expr:
        return self.expr(node.value)


def _start(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: ast.expr) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or 0


def _moved(start: tuple[int, int], text: str) -> tuple[int, int]:
    """Where a text ends that starts there."""
    line, column = start
    inner = text.rpartition("\n")
    size = len(inner[2].encode("utf-8", "surrogatepass"))
    return line + text.count("\n"), size if inner[1] else column + size


def _closing(body: str, start: int) -> int:
    """Where the braces end that have been opened before ``start``."""
    depth = 1
    for brace in _BRACE.finditer(body, start):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return brace.end()
    raise _UnlikeError


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def _names(node: ast.expr | None) -> tuple[str, ...]:
    if node is None:
        return ()
    if isinstance(node, ast.Tuple):
        return tuple(_dotted(e) for e in node.elts)
    return (_dotted(node),)


def _pattern_names(node: ast.pattern) -> Iterator[str]:
    if isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name is not None:
        yield node.name
    if isinstance(node, ast.MatchMapping) and node.rest is not None:
        yield node.rest
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.pattern):
            yield from _pattern_names(child)


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS: dict[type[ast.expr], str] = {
    ast.ListComp: "list",
    ast.SetComp: "set",
    ast.GeneratorExp: "generator",
}
_STATEMENTS: dict[type[ast.stmt], Callable[..., facts.Body]] = {
    ast.Assign: _Lowering._assign,
    ast.AnnAssign: _Lowering._annotated,
    ast.AugAssign: _Lowering._augmented,
    ast.Expr: _Lowering._expression,
    ast.If: _Lowering._if,
    ast.For: _Lowering._for,
    ast.AsyncFor: _Lowering._for,
    ast.While: _Lowering._while,
    ast.Return: _Lowering._return,
    ast.Raise: _Lowering._raise,
    ast.Assert: _Lowering._assert,
    ast.Delete: _Lowering._del,
    ast.Try: _Lowering._try,
    ast.With: _Lowering._with,
    ast.AsyncWith: _Lowering._with,
    ast.Match: _Lowering._match,
    ast.FunctionDef: _Lowering._define,
    ast.AsyncFunctionDef: _Lowering._define,
    ast.ClassDef: _Lowering._class,
    ast.Import: _Lowering._import,
    ast.ImportFrom: _Lowering._import_from,
    ast.Global: _Lowering._declare,
    ast.Nonlocal: _Lowering._declare,
    ast.Break: _Lowering._jump,
    ast.Continue: _Lowering._jump,
}
if sys.version_info >= (3, 11):
    _STATEMENTS[ast.TryStar] = _Lowering._try
_EXPRESSIONS: dict[type[ast.expr], Callable[..., facts.Expr]] = {
    ast.Name: _Lowering._name,
    ast.Attribute: _Lowering._attribute,
    ast.Constant: _Lowering._constant,
    ast.JoinedStr: _Lowering._joined,
    ast.Call: _Lowering._call,
    ast.Subscript: _Lowering._subscript,
    ast.List: _Lowering._display,
    ast.Tuple: _Lowering._display,
    ast.Set: _Lowering._display,
    ast.Dict: _Lowering._dict,
    ast.BinOp: _Lowering._binary,
    ast.BoolOp: _Lowering._boolean,
    ast.UnaryOp: _Lowering._unary,
    ast.Compare: _Lowering._comparison,
    ast.IfExp: _Lowering._choice,
    ast.Lambda: _Lowering._lambda,
    ast.ListComp: _Lowering._comprehension,
    ast.SetComp: _Lowering._comprehension,
    ast.DictComp: _Lowering._comprehension,
    ast.GeneratorExp: _Lowering._comprehension,
    ast.NamedExpr: _Lowering._walrus,
    ast.Yield: _Lowering._yield,
    ast.YieldFrom: _Lowering._yield,
    ast.Await: _Lowering._await,
    ast.Starred: _Lowering._starred,
}
