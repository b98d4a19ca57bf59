"""What RLlib does with a list, where that differs from the contract, and what to do about it.

Each statement is about what was observed on the copies; version numbers come from a comparison
of the releases from 2.37.0 to 2.60.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ray
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI

from inflint.model.profile import load_profile
from inflint.runtime.contract import METHOD, ContractError, declared, has_list
from inflint.runtime.diagnosis import STALE, misspelled, part
from inflint.runtime.paths import covers
from inflint.runtime.places import brief, class_place, list_place, missing_attribute
from inflint.runtime.report import ERROR, NOTE, Cause, Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inflint.runtime.evidence import Evidence

RELEASE = f"Ray {ray.__version__}"

_NESTED_ADVICE = (
    "Keep {path!r} listed, and remove it in setup() yourself:"
    " if self.inference_only: del self.{path}"
)


def build_failed(cls: type, error: Exception) -> Cause | None:
    """The API without its method makes the class abstract.

    None if the exception has another reason.
    """
    missing: frozenset[str] = getattr(cls, "__abstractmethods__", frozenset())
    if not isinstance(error, TypeError) or METHOD not in missing:
        return None
    for cause in misspelled(cls):
        return Cause(cause.rule, ERROR, "", cause.message, cause.advice, brief(error), cause.place)
    message = f"it has InferenceOnlyAPI among its bases, but no {METHOD}"
    advice = f"Implement {METHOD}, or drop the base."
    return Cause("missing-api-method", ERROR, "", message, advice, brief(error), class_place(cls))


def diagnose(cls: type, evidence: Evidence, *, on_runner: bool) -> Iterator[Cause]:
    """All that only RLlib explains.

    Args:
        cls: The module's class.
        evidence: What was observed.
        on_runner: The flag that the EnvRunner's copy was built with.
    """
    place = list_place(cls)
    yield from misspelled(cls)
    if not isinstance(evidence.full, InferenceOnlyAPI):
        if has_list(evidence.full):
            message = f"it has {METHOD}, but not InferenceOnlyAPI among its bases: RLlib ignores it"
            advice = "Add InferenceOnlyAPI from ray.rllib.core.rl_module.apis to the bases."
            yield Cause("missing-api-base", ERROR, "", message, advice, "", class_place(cls))
        return
    if getattr(evidence.full, "inference_only", False):
        message = "the Learner's copy is inference-only too: it can't be trained"
        advice = "Don't set inference_only=True in the spec of the module."
        yield Cause("learner-is-inference-only", ERROR, "", message, advice)
    yield from _protected(evidence, place)
    yield from _unfiltered(evidence, cls)
    if evidence.runner.error is not None:
        yield from _removal_failed(evidence, evidence.runner.error, place)
    elif evidence.runner.module is not None:
        yield from _removal(evidence, place, on_runner=on_runner)


def _protected(evidence: Evidence, place: Place | None) -> Iterator[Cause]:
    own = {name for root in load_profile().roots for name in root.attributes}
    for path in evidence.declared.paths:
        if path in own:
            message = f"{path} is RLlib's own attribute, and RLlib removes it as it is told"
            yield Cause("undeletable-attribute", ERROR, path, message, f"Drop {path!r}.", "", place)


def _unfiltered(evidence: Evidence, cls: type) -> Iterator[Cause]:
    for path in evidence.declared.paths:
        if any(covers(path, key) for key in evidence.sent) and not evidence.simulated:
            code = cls.get_state.__code__  # type: ignore[attr-defined]
            where = Place(code.co_filename, code.co_firstlineno, "get_state")
            message = "it is listed, but get_state(inference_only=True) returns it all the same"
            advice = "Pass inference_only=inference_only on to super().get_state()."
            yield Cause("get-state-drops-the-filter", ERROR, path, message, advice, "", where)


def _removal_failed(evidence: Evidence, error: Exception, place: Place | None) -> Iterator[Cause]:
    whole = evidence.whole.module
    leaf = missing_attribute(error)[1]
    for path in evidence.declared.paths:
        if "." not in path or whole is None or path.rsplit(".", 1)[1] != leaf:
            continue
        found = part(whole, path)
        if found is None or found.kind == "class attribute":
            continue
        parent = next((p for p in evidence.declared.paths if p != path and covers(p, path)), None)
        message = (
            f"{RELEASE} finds the nested {path!r}, and then tries to delete {leaf!r} from the"
            " module itself (as all releases from 2.41.0); through RLModuleSpec the user only"
            " sees a ValueError about a deprecated config"
        )
        advice = _NESTED_ADVICE.format(path=path)
        if parent is not None:
            advice = f"Drop it from the list: {parent!r} holds it."
        yield Cause("nested-path", ERROR, path, message, advice, brief(error), place)


def _removal(evidence: Evidence, place: Place | None, *, on_runner: bool) -> Iterator[Cause]:
    runner: Any = evidence.runner.module
    kept = [p for p in evidence.declared.paths if part(runner, p) is not None]
    if not runner.inference_only:
        yield from _kept_whole(evidence, kept, place, on_runner=on_runner)
        return
    theirs = _their_list(runner)
    for path in kept:
        leaf = path.rsplit(".", 1)[-1]
        if theirs is not None and path not in theirs:
            message = "the Learner's copy lists it, the EnvRunner's does not and keeps it"
            advice = _NESTED_ADVICE.format(path=path)
            yield Cause("differing-lists", ERROR, path, message, advice, "", place)
        elif "." in path and _lost(evidence, leaf):
            message = (
                f"{RELEASE} deletes {leaf!r} from the module itself instead of the nested"
                f" {path!r}, which stays (as all releases from 2.41.0)"
            )
            advice = f"{_NESTED_ADVICE.format(path=path)}; or give one of the two another name."
            yield Cause("nested-path-deletes-root", ERROR, path, message, advice, "", place)
        elif "." not in path:
            message = (
                "the EnvRunner's copy keeps it: it is made after RLlib's constructor, which removes"
                " what is listed, has run"
            )
            yield Cause(
                "built-after-removal", ERROR, path, message, "Make it in setup().", "", place
            )


def _lost(evidence: Evidence, leaf: str) -> bool:
    whole, runner = evidence.whole.module, evidence.runner.module
    held = whole is not None and part(whole, leaf) is not None
    return held and runner is not None and part(runner, leaf) is None


def _their_list(runner: Any) -> tuple[str, ...] | None:
    try:
        return declared(runner).paths
    except ContractError:
        return None


def _kept_whole(
    evidence: Evidence, kept: list[str], place: Place | None, *, on_runner: bool
) -> Iterator[Cause]:
    if not kept:
        return
    stale = {p for p in kept if any(covers(p, key) for key in evidence.stale)}
    idle = [p for p in kept if p not in stale]
    if on_runner:
        why = (
            "setup() sets inference_only to False, as RLlib's own modules do if they are recurrent"
        )
    else:
        why = (
            f"{RELEASE} never builds the modules of an explicit MultiRLModuleSpec inference-only on"
            " EnvRunners, while the Learner still leaves the listed weights out"
        )
    for path in sorted(stale):
        found = part(evidence.full, path)
        if on_runner and found is not None and found.kind == "module":
            message = (
                "inference runs it to collect the recurrent state, but no weight sync sends it"
                f" (since 2.37.0): {why}, and then the EnvRunner's copy keeps its initial weights"
                " for ever"
            )
            advice = f"Drop {path!r} from the list of this class while it is recurrent."
            yield Cause("stateful-critic", ERROR, path, message, advice, "", place)
        else:
            message = f"inference uses it, but no weight sync sends it: {why}"
            advice = f"Drop {path!r} from the list."
            rule = STALE if on_runner else "full-module-on-env-runners"
            yield Cause(rule, ERROR, path, message, advice, "", place)
    if idle:
        names = ", ".join(idle)
        message = f"EnvRunners keep {names}, unused and never updated: {why}"
        yield Cause("kept-on-runner", NOTE, "", message)
