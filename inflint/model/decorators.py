"""Which decorators leave a class as it is: those that hand it back and at most note it down."""

from __future__ import annotations

from inflint.syntax import facts


def hands_back(function: facts.Function, *, called: bool) -> bool:
    """Whether a class decorator does nothing to the class.

    It returns its argument, and may put it into a registry (``REGISTRY[name] = cls``).

    Args:
        function: The decorator, or what makes it.
        called: Whether it is used as ``@decorator(...)`` and so has to return such a function.
    """
    if function.decorators or function.generator:
        return False
    if called:
        return _makes_one(function.body)
    if len(function.params) != 1 or function.params[0].kind != "positional":
        return False
    return _only_returns(function.body, function.params[0].name)


def _makes_one(body: facts.Body) -> bool:
    """``def inner(cls): ...; return inner``, and nothing else."""
    if len(body) != 2:
        return False
    define, end = body
    return (
        isinstance(define, facts.Define)
        and isinstance(end, facts.Return)
        and isinstance(end.value, facts.Name)
        and end.value.id == define.function.name
        and hands_back(define.function, called=False)
    )


def _only_returns(body: facts.Body, name: str) -> bool:
    *before, end = body or (None,)
    if not isinstance(end, facts.Return) or not _is_name(end.value, name):
        return False
    return all(_notes_down(statement, name) for statement in before)


def _notes_down(statement: object, name: str) -> bool:
    if isinstance(statement, facts.Evaluate):
        return isinstance(statement.value, facts.Const)
    return (
        isinstance(statement, facts.Assign)
        and _is_name(statement.value, name)
        and all(
            isinstance(target, facts.Item)
            and isinstance(target.value, facts.Name)
            and target.value.id != name
            for target in statement.targets
        )
    )


def _is_name(expression: object, name: str) -> bool:
    return isinstance(expression, facts.Name) and expression.id == name
