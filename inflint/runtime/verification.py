"""Proof or refutation: build the copies of a module, strip, sync, run and compare."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inflint.runtime.contract import ContractError
from inflint.runtime.diagnosis import (
    STALE,
    general_causes,
    listed_paths,
    not_a_list,
    removable,
    unlisted_parts,
)
from inflint.runtime.evidence import can_go, gather
from inflint.runtime.places import CannotVerifyError, brief, class_place, place_of
from inflint.runtime.report import ERROR, NOTE, WARNING, Cause, Report, Savings, UnlistedPart
from inflint.runtime.sizes import state_bytes
from inflint.runtime.source import disagreements, judge_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from inflint.runtime.evidence import Evidence
    from inflint.runtime.source import Source
    from inflint.runtime.subject import Subject

_ORDER = {ERROR: 0, WARNING: 1, NOTE: 2}


def _silent(step: str) -> None:
    del step


def verify(
    subject: Subject,
    *,
    seed: int = 0,
    runners: int = 1,
    static: bool = True,
    progress: Callable[[str], None] = _silent,
) -> Report:
    """Prove or refute what a module lists.

    Three copies are built: the learner's, an inference-only one, and an inference-only one from
    which nothing was removed. The learner's weights are disturbed and sent; every inference
    call is run on all three with the same inputs and random numbers, and what it uses is traced.

    Args:
        subject: From :func:`~inflint.runtime.subject.torch_subject`, or from
            ``inflint.runtime.rllib``.
        seed: Of weights, inputs and random actions.
        runners: To how many EnvRunners a sync goes; scales :attr:`Savings.per_sync`.
        static: Whether the class's source is judged as well and compared.
        progress: Is told each step.

    Raises:
        CannotVerifyError: The module can't be built or run, and its list is not to blame.
    """
    cls = subject.module_class
    name = _class_name(subject)
    try:
        evidence = gather(subject, seed, progress)
    except CannotVerifyError:
        raise
    except ContractError as error:
        return Report(subject.name, name, class_place(cls), causes=(not_a_list(error, cls),))
    except Exception as error:
        cause = subject.build_failed(error)
        if cause is None:
            message = f"{subject.name} can't be built: {brief(error)}"
            raise CannotVerifyError(message, place_of(error)) from error
        return Report(subject.name, name, class_place(cls), causes=(cause,))
    source = None
    if static:
        progress("reading the source")
        source = judge_source(cls)
    unlisted = _confirmed(subject, evidence, unlisted_parts(evidence, source), seed)
    return _report(subject, evidence, unlisted, source, runners)


def _confirmed(
    subject: Subject, evidence: Evidence, parts: tuple[UnlistedPart, ...], seed: int
) -> tuple[UnlistedPart, ...]:
    """Those that can be listed: the copy is built and run without what it holds of them.

    Of parts that whoever strips can't remove, nothing is known but that no call used them.
    """
    tried = [p.path for p in parts if p.on_runner and removable(p.path, subject)]
    free = can_go(subject, tried, seed, simulated=evidence.simulated)
    return tuple(p for p in parts if p.path not in tried or p.path in free)


def _report(
    subject: Subject,
    evidence: Evidence,
    unlisted: tuple[UnlistedPart, ...],
    source: Source | None,
    runners: int,
) -> Report:
    listed = listed_paths(evidence)
    causes = list(subject.diagnose(evidence))
    explained = {c.path for c in causes if c.severity == ERROR and c.path}
    causes += (
        cause
        for cause in general_causes(subject, evidence, listed, unlisted, source)
        if cause.rule != STALE or cause.path not in explained
    )
    if evidence.runner.error is not None and not any(c.severity == ERROR for c in causes):
        error = evidence.runner.error
        message = "the inference-only copy can't be built"
        causes.append(Cause("build-fails", ERROR, "", message, "", brief(error), place_of(error)))
    return Report(
        subject.name,
        _class_name(subject),
        class_place(subject.module_class),
        listed,
        unlisted,
        evidence.results,
        tuple(evidence.sent),
        evidence.missing_keys,
        _savings(evidence, subject.carried(evidence.full), runners),
        tuple(_ordered(causes)),
        tuple(disagreements(source, evidence)) if source is not None else (),
        evidence.simulated,
        source is not None,
    )


def _class_name(subject: Subject) -> str:
    return f"{subject.module_class.__module__}.{subject.module_class.__qualname__}"


def _savings(evidence: Evidence, carried: int, runners: int) -> Savings:
    full = state_bytes(evidence.full.state_dict())
    runner = evidence.runner.module
    held = carried if runner is None else state_bytes(runner.state_dict())
    return Savings(full, carried, state_bytes(evidence.sent), held, runners)


def _ordered(causes: Iterable[Cause]) -> list[Cause]:
    unique: dict[tuple[str, str], Cause] = {}
    for cause in causes:
        unique.setdefault((cause.rule, cause.path), cause)
    return sorted(unique.values(), key=lambda c: _ORDER[c.severity])
