"""Spaces from text, such as ``Box(-1, 1, (4,))``; nothing else is evaluated."""

from __future__ import annotations

import ast
from typing import Any

from inflint.runtime.places import CannotVerifyError

_SPACES = ("Box", "Discrete", "MultiDiscrete", "MultiBinary", "Dict", "Tuple", "Text")
_NUMBERS = {"inf": float("inf"), "pi": 3.141592653589793}
_DTYPES = ("float16", "float32", "float64", "uint8", "int8", "int16", "int32", "int64", "bool")


def parse_space(text: str) -> Any:
    """A ``gymnasium.Space`` from the text of its constructor's call.

    Args:
        text: Calls of ``Box``, ``Discrete``, ``MultiDiscrete``, ``MultiBinary``, ``Dict``,
            ``Tuple`` and ``Text`` with literals, ``inf`` and names of dtypes.

    Raises:
        CannotVerifyError: The text is something else, or the space refuses its arguments.
    """
    try:
        return _value(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, TypeError, AssertionError) as error:
        example = "write it as Box(-1, 1, (4,)) or Discrete(2)"
        raise CannotVerifyError(f"{text!r} is no space ({error}); {example}") from error


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Call):
        return _call(node)
    if isinstance(node, ast.Name) and node.id in _NUMBERS:
        return _NUMBERS[node.id]
    if isinstance(node, ast.Name) and node.id in _DTYPES:
        import numpy as np

        return np.dtype(node.id)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    if isinstance(node, ast.Tuple):
        return tuple(_value(item) for item in node.elts)
    if isinstance(node, ast.List):
        return [_value(item) for item in node.elts]
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return {ast.literal_eval(key): _value(value) for key, value in pairs if key is not None}
    return ast.literal_eval(node)


def _call(node: ast.Call) -> Any:
    if not isinstance(node.func, ast.Name) or node.func.id not in _SPACES:
        raise ValueError(f"{ast.unparse(node.func)} is unknown")
    from gymnasium import spaces

    arguments = [_value(item) for item in node.args]
    keywords = {item.arg: _value(item.value) for item in node.keywords if item.arg}
    if node.func.id == "Box" and "dtype" not in keywords and len(arguments) < 4:
        import numpy as np

        keywords["dtype"] = np.float32
    return getattr(spaces, node.func.id)(*arguments, **keywords)
