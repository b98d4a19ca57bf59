"""Making the state that a Learner sends hold what it should, and no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from inflint.fix.arguments import add_arguments, add_parameters
from inflint.fix.edits import CannotFixError, Edit, Fix, ordered
from inflint.model.mentions import nodes
from inflint.syntax import facts

if TYPE_CHECKING:
    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.fix.layout import Layout
    from inflint.fix.planning import Context
    from inflint.fix.tree import Piece
    from inflint.model.frames import Closure

_FLAG = "inference_only"


def pass_flag_on(context: Context, subject: Subject, finding: Finding) -> Fix:
    """INF402: hand the flag on to the parent's method, and take it where it is not taken."""
    closure, parent = _method(subject, finding)
    piece, layout = context.piece(closure.unit), context.layout(closure.file)
    method = closure.function.name
    calls = [c for c in piece.nodes(cst.Call) if _is_parents(piece, c, method)]
    if not calls:
        raise CannotFixError(f"{closure.label} never calls the {method}() of its parent")
    if parent is not None and not _takes_flag(parent):
        raise CannotFixError(f"{parent.label} takes no {_FLAG}")
    params = {p.name: p.kind for p in closure.function.params}
    rest = next((n for n, kind in params.items() if kind == "double"), None)
    edits: list[Edit] = []
    if _FLAG not in params and rest is None:
        edits += _parameters(piece, closure, layout)
    for call in calls:
        edits += add_arguments(piece, call, _handed_on(piece, call, params, rest), layout)
    return Fix(
        finding.path, tuple(ordered(edits)), f"pass {_FLAG} on", _reads_listed(subject, closure)
    )


def _method(subject: Subject, finding: Finding) -> tuple[Closure, Closure | None]:
    """The method that a finding points to, and the one that ``super()`` finds behind it.

    Raises:
        CannotFixError: It is not there.
    """
    built = subject.verdict.built
    found = (
        []
        if built is None
        else [
            c
            for c in built.methods(subject.cls)
            if c.file.path == finding.path
            and c.unit.span.line <= finding.span.line <= c.unit.span.end_line
        ]
    )
    if built is None or len(found) != 1:
        raise CannotFixError("the method is not found")
    closure = found[0]
    same = [c for c in built.methods(subject.cls) if c.function.name == closure.function.name]
    behind = same[same.index(closure) + 1 :]
    return closure, behind[0] if behind else None


def _is_parents(piece: Piece, call: cst.Call, method: str) -> bool:
    func = call.func
    if not isinstance(func, cst.Attribute) or func.attr.value != method:
        return False
    owner = func.value
    if isinstance(owner, cst.Call) and isinstance(owner.func, cst.Name):
        return owner.func.value == "super"
    first = call.args[0].value if call.args else None
    return isinstance(first, cst.Name) and first.value == _receiver(piece)


def _receiver(piece: Piece) -> str:
    assert isinstance(piece.root, cst.FunctionDef)  # noqa: S101 - it is a method
    params = (*piece.root.params.posonly_params, *piece.root.params.params)
    return params[0].name.value if params else ""


def _takes_flag(closure: Closure) -> bool:
    return any(p.name == _FLAG or p.kind == "double" for p in closure.function.params)


def _parameters(piece: Piece, closure: Closure, layout: Layout) -> list[Edit]:
    assert isinstance(piece.root, cst.FunctionDef)  # noqa: S101 - it is a method
    params = piece.root.params
    taken = {n.id for n in nodes(closure.function.body) if isinstance(n, facts.Name)}
    taken |= {p.name for p in closure.function.params}
    for name in (_FLAG, "kwargs"):
        if name in taken:
            raise CannotFixError(f"{closure.label} has a variable {name} already")
    others = (*params.params[1:], *params.kwonly_params)
    flag = f"{_FLAG}: bool = False" if any(p.annotation for p in others) else f"{_FLAG}=False"
    star = () if isinstance(params.star_arg, (cst.Param, cst.ParamStar)) else ("*",)
    return add_parameters(piece, [*star, flag, "**kwargs"], layout)


def _handed_on(piece: Piece, call: cst.Call, params: dict[str, str], rest: str | None) -> list[str]:
    given = {a.keyword.value for a in call.args if a.keyword is not None}
    if _FLAG in given or any(a.star == "**" for a in call.args):
        raise CannotFixError(f"the call of the parent says itself what {_FLAG} is")
    if _FLAG in params:
        return [f"{_FLAG}={_FLAG}"]
    if rest is None:
        return [f"{_FLAG}={_FLAG}", "**kwargs"]
    positional = [a for a in call.args if not a.keyword and not a.star]
    own = [a for a in positional if piece.source(a.value) == _receiver(piece)]
    if given <= set(params) and len(positional) - len(own) <= len(params) - 2:
        return [f"**{rest}"]
    return [f'{_FLAG}={rest}.get("{_FLAG}", False)']


def _reads_listed(subject: Subject, closure: Closure) -> str:
    """Why it is not safe: the method may count on keys that are filtered from now on."""
    declared = subject.declared
    listed = {n.name.partition(".")[0] for n in declared.names} if declared is not None else set()
    texts = [n.value for n in nodes(closure.function.body) if isinstance(n, facts.Const)]
    used = sorted({str(t).partition(".")[0] for t in texts if isinstance(t, str)} & listed)
    return f"{closure.label} may count on the keys of {used[0]}" if used else ""
