"""Making the removal on EnvRunners work: what RLlib cannot delete, the class deletes itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inflint.checks.removal import nested_path
from inflint.fix.blocks import builder, flag, insert_in_mode, receiver
from inflint.fix.edits import CannotFixError, Fix
from inflint.fix.names import drop_used, list_whole
from inflint.fix.nested import deletion, framework_part

if TYPE_CHECKING:
    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.fix.planning import Context
    from inflint.model.heap import Object
    from inflint.model.profile import Part


def delete_nested(context: Context, subject: Subject, finding: Finding) -> Fix:
    """INF301, INF302: delete the child in ``setup()``, and leave the path on the list.

    Where all that it is a part of is unused, that is listed instead.
    """
    path = finding.attribute or ""
    built = framework_part(subject, path)
    if built is not None and built[1].switch:
        return _switch(context, subject, path, *built)
    judged = subject.verdict.component(path)
    if judged is not None and judged.verdict == "needed":
        return drop_used(context, subject, finding)
    whole = subject.verdict.component(path.partition(".")[0])
    if whole is not None and whole in subject.unused_roots() and whole.component.stage != "late":
        return list_whole(context, subject, finding, whole.component.name)
    others = [f.attribute or "" for f in nested_path(subject) if f.code == finding.code]
    edit = deletion(context, subject, path, others)
    return Fix(subject.cls.file.path, (edit,), f"delete {path} in inference-only mode")


def _switch(context: Context, subject: Subject, path: str, owner: Object, part: Part) -> Fix:
    """Tell the framework of the mode before it builds what has the part."""
    closure, piece = builder(context, subject)
    if owner.made is None or owner.made.unit is not closure.unit:
        raise CannotFixError(f"{closure.label} does not build what {path} is a part of")
    this = receiver(piece)
    line = f"{this}.{part.switch.partition('.')[2]} = True"
    edit = insert_in_mode(piece, flag(subject, piece), line, owner.made.span)
    unsafe = f"a stateful module needs {path} on EnvRunners, too" if part.state else ""
    what = f"leave {path} out in inference-only mode"
    return Fix(subject.cls.file.path, (edit,), what, unsafe)
