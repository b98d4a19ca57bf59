"""What the evidence says about any module: causes that need no framework to explain."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from inflint.runtime.contract import METHOD, has_list
from inflint.runtime.paths import Resolved, UnresolvedPathError, covers, resolve
from inflint.runtime.places import (
    brief,
    class_place,
    list_place,
    missing_attribute,
    place_of,
    users_place,
)
from inflint.runtime.report import (
    ERROR,
    NOTE,
    WARNING,
    Cause,
    ListedPath,
    Place,
    UnlistedPart,
)
from inflint.runtime.sizes import state_bytes, tensors_of
from inflint.runtime.strip import RemovedPart
from inflint.runtime.tracing import unregistered, unused_parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import nn

    from inflint.runtime.contract import ContractError
    from inflint.runtime.evidence import Evidence
    from inflint.runtime.source import Source
    from inflint.runtime.subject import Subject


STALE = "stale-weights"
"""The rule of weights that are used and never sent; a framework may know why."""


def listed_paths(evidence: Evidence) -> tuple[ListedPath, ...]:
    """Each listed path, with what became of it."""
    state = evidence.full.state_dict()
    return tuple(_listed(path, evidence, state) for path in evidence.declared.paths)


def _listed(path: str, evidence: Evidence, state: dict[str, Any]) -> ListedPath:
    found = part(evidence.full, path)
    gone = evidence.runner.module is not None and part(evidence.runner.module, path) is None
    key = path if found is None else found.key
    return ListedPath(
        path,
        kind=found.kind if found is not None else "",
        resolves=found is not None,
        removed=gone,
        size=state_bytes(state, key),
        used=is_used(path, evidence),
    )


def part(module: nn.Module, path: str) -> Resolved | None:
    """What a path leads to, or None if it leads to nothing, to None or to a removed part."""
    try:
        found = resolve(module, path)
    except UnresolvedPathError:
        return None
    gone = found.value is None or isinstance(found.value, RemovedPart)
    return None if gone else found


def is_used(path: str, evidence: Evidence) -> bool:
    """Whether inference needs a listed path.

    It does if a copy without it fails for want of it; or if a copy that kept it used it. A copy
    that gets along without it does not, even if one that has it uses it: behind ``hasattr``, or
    under another name.
    """
    failures = [*evidence.runner_runs.failures.values()]
    if _wanted(path, failures, evidence):
        return True
    runner = evidence.runner.module
    if runner is None:
        return evidence.whole_runs.trace.uses(path)
    kept = part(runner, path)
    return kept is not None and any(covers(kept.key, key) for key in evidence.stale)


def _wanted(path: str, failures: list[Exception], evidence: Evidence) -> bool:
    whole = evidence.whole.module
    found = part(whole, path) if whole is not None else None
    if not failures or found is None:
        return False
    named = any(_lacks(error, found) for error in failures)
    return named or evidence.whole_runs.trace.uses(path)


def _lacks(error: Exception, found: Resolved) -> bool:
    """Whether an exception says that just this part is missing."""
    owner, name = missing_attribute(error)
    if not owner:
        return name == found.path
    return name == found.leaf and owner == type(found.owner).__name__


def unlisted_parts(evidence: Evidence, source: Source | None) -> tuple[UnlistedPart, ...]:
    """The parts that no inference call used, and that source does not say are needed."""
    if evidence.whole.module is None or evidence.whole_runs.failures:
        return ()
    used = evidence.whole_runs.trace
    found = []
    for unused in unused_parts(evidence.full, used, evidence.declared.paths):
        if source is not None and source.verdict(unused.path) == "needed":
            continue
        runner = evidence.runner.module
        held = runner is not None and part(runner, unused.path) is not None
        found.append(UnlistedPart(unused.path, unused.size, held))
    return tuple(found)


def not_a_list(error: ContractError, cls: type) -> Cause:
    """A list that is none."""
    place = place_of(error.cause) if error.cause is not None else list_place(cls)
    advice = "" if error.fault == "raises" else "Return a list of strings."
    exception = brief(error.cause) if error.cause is not None else ""
    rule = "not-a-list-of-names"
    return Cause(rule, ERROR, "", str(error), advice, exception, place)


def misspelled(cls: type) -> Iterator[Cause]:
    """A method whose name is nearly the contract's."""
    own = [n for c in cls.__mro__ if METHOD not in vars(c) for n in vars(c) if n != METHOD]
    for name in difflib.get_close_matches(METHOD, own, n=1, cutoff=0.8):
        method = next(vars(c)[name] for c in cls.__mro__ if name in vars(c))
        place = class_place(method) if isinstance(method, type) else _function_place(method, cls)
        message = f"{name} is called by nobody; the method is {METHOD}"
        yield Cause("misspelled-method", ERROR, "", message, f"Rename it to {METHOD}.", "", place)


def _function_place(function: Any, cls: type) -> Place | None:
    code = getattr(function, "__code__", None)
    if code is None:
        return class_place(cls)
    return Place(code.co_filename, code.co_firstlineno, function.__name__)


def general_causes(
    subject: Subject,
    evidence: Evidence,
    listed: tuple[ListedPath, ...],
    unlisted: tuple[UnlistedPart, ...],
    source: Source | None,
) -> Iterator[Cause]:
    """All that needs no framework to explain."""
    place = list_place(subject.module_class)
    yield from _list_faults(evidence, place)
    for item in listed:
        yield from _path_faults(item, evidence, place, source)
    yield from _whole_faults(evidence)
    yield from _use_faults(evidence, listed)
    yield from _state_faults(evidence, place)
    yield from _hidden_faults(evidence, listed, place)
    for missing in unlisted:
        yield _unlisted_fault(missing, subject, evidence.full, place)


def _list_faults(evidence: Evidence, place: Place | None) -> Iterator[Cause]:
    names = evidence.declared
    if names.grows:
        message = (
            f"two calls of {METHOD}() give different lists: they change a list that they share"
        )
        advice = "Build a new list in each call: [*super().…, 'name'] instead of += or append."
        yield Cause("mutated-shared-list", ERROR, "", message, advice, "", place)
    for path in names.duplicates if not names.grows else ():
        yield Cause("redundant-path", NOTE, path, "it is listed twice", "", "", place)
    for path in names.paths:
        parent = next((p for p in names.paths if p != path and covers(p, path)), None)
        if parent is not None:
            message = f"it is listed, and so is {parent!r}, which holds it"
            yield Cause("redundant-path", NOTE, path, message, f"Drop {path!r}.", "", place)


def _path_faults(
    item: ListedPath, evidence: Evidence, place: Place | None, source: Source | None
) -> Iterator[Cause]:
    path = item.path
    if item.kind == "class attribute":
        message = "it is a method, property or class attribute, which can't be deleted"
        yield Cause("undeletable-attribute", ERROR, path, message, f"Drop {path!r}.", "", place)
        return
    if item.resolves:
        value = part(evidence.full, path)
        tensors = value is not None and any(True for _ in tensors_of(value.value))
        if not tensors and not item.used and value is not None:
            message = "it holds no weights: listing it saves nothing"
            yield Cause("nothing-to-save", NOTE, path, message, "", "", place)
        return
    try:
        resolve(evidence.full, path)
    except UnresolvedPathError as error:
        if source is not None and source.verdict(path):
            message = "it does not exist in this configuration; the class builds it in others"
            yield Cause("unresolved-path", NOTE, path, message, "", "", place)
            return
        advice = f"Did you mean {error.nearest[0]!r}?" if error.nearest else ""
        yield Cause("unresolved-path", WARNING, path, str(error), advice, "", place)


def _whole_faults(evidence: Evidence) -> Iterator[Cause]:
    error = evidence.whole.error
    if error is not None:
        message = "the class can't be built for inference only, even if nothing is removed"
        yield Cause("inference-only-build", ERROR, "", message, "", brief(error), place_of(error))
    for name, failure in evidence.whole_runs.failures.items():
        lacking = missing_attribute(failure)[1]
        message = f"{name} fails on the inference-only copy, even if nothing is removed from it"
        advice = "Build it in both modes: inference uses it." if lacking else ""
        yield Cause(
            "needed-but-not-built",
            ERROR,
            lacking,
            message,
            advice,
            brief(failure),
            place_of(failure),
        )


def _use_faults(evidence: Evidence, listed: tuple[ListedPath, ...]) -> Iterator[Cause]:
    failures = evidence.runner_runs.failures
    whole_failed = set(evidence.whole_runs.failures)
    told: set[str] = set()
    for item in (i for i in listed if i.used and not i.path.isspace()):
        stale = any(covers(item.path, key) for key in evidence.stale)
        name, error = _failure_of(item.path, evidence)
        if stale and error is None:
            continue
        told.add(name)
        where = f"{name} uses it" if name else "inference uses it"
        yield Cause(
            "listed-but-used",
            ERROR,
            item.path,
            f"it is listed, but {where}",
            f"Drop {item.path!r} from the list.",
            brief(error) if error is not None else "",
            place_of(error) if error is not None else None,
        )
    for name, error in failures.items():
        if name not in whole_failed | told and not any(i.used for i in listed):
            message = f"{name} fails on the inference-only copy"
            yield Cause("inference-fails", ERROR, "", message, "", brief(error), place_of(error))


def _failure_of(path: str, evidence: Evidence) -> tuple[str, Exception | None]:
    failures = evidence.runner_runs.failures
    whole = evidence.whole.module
    found = part(whole, path) if whole is not None else None
    for name, error in failures.items():
        if found is not None and _lacks(error, found):
            return name, error
    return next(iter(failures.items()), ("", None))


def _state_faults(evidence: Evidence, place: Place | None) -> Iterator[Cause]:
    error = evidence.sync_error
    if error is not None:
        keys = evidence.missing_keys if evidence.sent else ()
        message = "a weight sync fails"
        if keys:
            message += f": the inference-only copy has {_some(keys)}, which the state lacks"
        where = users_place(error, place)
        yield Cause("sync-fails", ERROR, "", message, "", brief(error), where)
        return
    for path in _listed_covers(evidence, evidence.stale):
        message = (
            "the inference-only copy keeps and uses it, but no weight sync sends it: it computes"
            " with its initial weights for ever"
        )
        advice = f"Drop {path!r} from the list."
        yield Cause(STALE, ERROR, path, message, advice, "", place)
    differing = [r for r in evidence.results if r.equal is False]
    if differing and not evidence.stale and not evidence.runner_runs.trace.hidden:
        first = differing[0]
        message = f"after a weight sync {first.name} gives something else than the full module's: "
        yield Cause("outputs-differ", ERROR, "", message + first.detail, "", "", place)


def _listed_covers(evidence: Evidence, keys: tuple[str, ...]) -> list[str]:
    found: dict[str, None] = {}
    for key in keys:
        path = next((p for p in evidence.declared.paths if covers(p, key)), key)
        found[path] = None
    return list(found)


def _hidden_faults(
    evidence: Evidence, listed: tuple[ListedPath, ...], place: Place | None
) -> Iterator[Cause]:
    hidden = evidence.runner_runs.trace.hidden or evidence.whole_runs.trace.hidden
    for path in hidden:
        message = (
            "inference uses it, but torch does not know it, because it is in a plain list, tuple"
            " or dict: it is never trained, saved or sent"
        )
        if path.startswith("<"):
            message = f"inference uses a {path[1:-1]} that belongs to no module: it is never sent"
            path = ""  # noqa: PLW2901
        advice = "Keep it in an nn.ModuleList, nn.ModuleDict or nn.ParameterList."
        yield Cause("unregistered-modules", ERROR, path, message, advice, "", place)
    names = {i.path for i in listed}
    unseen = [p for p, _ in unregistered(evidence.full) if p.split(".")[0] in names]
    for path in dict.fromkeys(p.split(".")[0] for p in unseen):
        message = "it is a plain list or dict of modules: torch neither trains nor sends them"
        advice = "Keep them in an nn.ModuleList or nn.ModuleDict."
        yield Cause("unregistered-modules", WARNING, path, message, advice, "", place)


def removable(path: str, subject: Subject) -> bool:
    """Whether listing a path would remove it."""
    return "." not in path or subject.nested_paths_work


def _unlisted_fault(
    missing: UnlistedPart, subject: Subject, module: nn.Module, place: Place | None
) -> Cause:
    nested = not removable(missing.path, subject)
    holds = "the inference-only copy holds it and each sync" if missing.on_runner else "each sync"
    message = f"no inference call used it, but {holds} sends it: {missing.size:,} bytes"
    implement = "" if has_list(module) else "Implement InferenceOnlyAPI, and list"
    advice = "" if nested else f"{implement or 'List'} {missing.path!r}."
    return Cause(
        "unlisted-component", NOTE if nested else WARNING, missing.path, message, advice, "", place
    )


def _some(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:4])
    return f"{shown} and {len(names) - 4} more" if len(names) > 4 else shown
