"""Lowering: facts of single functions, and the way back to positions."""

from __future__ import annotations

import pytest

from inflint.syntax import facts
from inflint.syntax.facts import Span
from inflint.syntax.lower import LoweringError, lower_expression, lower_function, spans

SOURCE = '''\
    @override(Base)
    def setup(self, size: int = 3) -> None:
        """Builds."""
        self.pi, self.__vf = make(size)
        if not self.inference_only:
            self.q = [nn.Linear(i, 1) for i in range(2)]
'''


def test_a_method() -> None:
    function = lower_function(SOURCE, "Mod")
    assert [p.name for p in function.params] == ["self", "size"]
    assert function.params[1].default == facts.Const(3 + 1, 3)
    _, unpack, branch = function.body
    assert isinstance(unpack, facts.Assign)
    (target,) = unpack.targets
    assert isinstance(target, facts.Sequence)
    assert [t.name for t in target.items if isinstance(t, facts.Attr)] == ["pi", "_Mod__vf"]
    assert isinstance(branch, facts.Branch)
    assert isinstance(branch.test, facts.Not)


def test_positions_are_relative_to_the_text() -> None:
    function = lower_function(SOURCE, "Mod")
    branch = function.body[2]
    assert isinstance(branch, facts.Branch)
    (assign,) = branch.body
    assert isinstance(assign, facts.Assign)
    assert spans(SOURCE, "Mod")[assign.at] == Span(6, 12, 6, 56)
    assert SOURCE.splitlines()[5][12:56] == "self.q = [nn.Linear(i, 1) for i in range(2)]"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0x10", 16),
        ("1_000", 1000),
        ("'a\\n'", "a\n"),
        ("r'\\n'", "\\n"),
        ("'a' 'b'", "ab"),
        ("None", None),
        ("-3", -3),
        ("1.5", 1.5),
    ],
)
def test_literals(text: str, value: object) -> None:
    expr = lower_expression(text)
    assert isinstance(expr, facts.Const)
    assert expr.value == value


@pytest.mark.parametrize("text", ["b'x'", "3j", "t'x'"])
def test_what_is_no_literal(text: str) -> None:
    assert not isinstance(lower_expression(text), facts.Const)


def test_what_is_no_expression() -> None:
    with pytest.raises(LoweringError) as caught:
        lower_expression("1 if")
    assert caught.value.line == 1


def test_a_missing_comma_is_remembered() -> None:
    expr = lower_expression("['vf' 'aux', 'q']")
    assert isinstance(expr, facts.Sequence)
    first, second = expr.items
    assert isinstance(first, facts.Const)
    assert isinstance(second, facts.Const)
    assert first.joined == ("vf", "aux")
    assert second.joined == ()


def test_parentheses_around_a_sum_are_remembered() -> None:
    bare, enclosed = (
        lower_expression("a + b if c else d"),
        lower_expression("(a + b) if c else d"),
    )
    assert isinstance(bare, facts.Choice)
    assert isinstance(bare.body, facts.Binary)
    assert isinstance(enclosed, facts.Choice)
    assert isinstance(enclosed.body, facts.Binary)
    assert bare.body.bare
    assert not enclosed.body.bare


def test_not_a_function() -> None:
    with pytest.raises(LoweringError):
        lower_function("x = 1\n")
