"""A check as users run it: what is known from before is used, and kept for the next time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from inflint.engine.recall import FEW, Recall
from inflint.engine.run import Checked, check_inputs, find_paths, gather, start_of
from inflint.engine.store import find_store
from inflint.sources.disk import Disk

if TYPE_CHECKING:
    from pathlib import Path

    from inflint.engine.memory import Memories
    from inflint.engine.run import Inputs, Request
    from inflint.engine.store import Store


class Settings(NamedTuple):
    """How to check; no setting changes what is found.

    Attributes:
        cache: Whether to use a cache.
        cache_directory: Where it is; None for the project's.
        jobs: In how many processes; None for as many as pay.
        ray: Whether to run on a Ray cluster instead.
        ray_address: The cluster; None for the one that Ray finds.
    """

    cache: bool = True
    cache_directory: Path | None = None
    jobs: int | None = None
    ray: bool = False
    ray_address: str | None = None


def check_cached(request: Request, settings: Settings) -> Checked:
    """Check, with the safety of the edit that there is for each finding.

    Raises as :func:`~inflint.engine.run.check`.
    """
    if not settings.cache:
        return _looked(gather(request), None, settings)
    store = find_store(settings.cache_directory, start_of(request))
    try:
        return _check(request, store, settings)
    finally:
        store.close()


def _check(request: Request, store: Store, settings: Settings) -> Checked:
    from inflint.engine.memory import Memories

    if request.overlay:
        inputs = gather(request)
        recall = None
    else:
        paths = find_paths(request)
        recall = Recall(store, request)
        past = recall.past(paths)
        if past.result is not None:
            checked = _restored(past.result, request, paths)
            if checked is not None:
                return checked
        inputs = gather(request, paths, Disk(recording=True), past.files)
    memories = Memories(store)
    checked = _looked(inputs, memories, settings)
    memories.save()
    worth_it = inputs.worth_a_look or len(inputs.paths) > FEW
    if recall is not None and worth_it and not checked.faults:
        _remember(recall, inputs, checked)
    return checked


def _looked(inputs: Inputs, memories: Memories | None, settings: Settings) -> Checked:
    if len(inputs.worth_a_look) > 1 and settings.jobs != 1:
        from inflint.engine.sharing import check_shared

        shared = check_shared(inputs, memories, settings.jobs)
        if shared is not None:
            return shared
    checked = check_inputs(inputs, memories)
    if not checked.findings:  # the codemod is no part of the way to a clean result
        return checked
    from inflint.engine.fixing import graded

    return graded(checked)


def _remember(recall: Recall, inputs: Inputs, checked: Checked) -> None:
    from inflint.engine.results import NoResultError, encode

    try:
        result = {
            "findings": encode(checked.findings),
            "classes": checked.classes,
            "target": encode(checked.target),
        }
    except (NoResultError, ValueError):
        return
    recall.remember(inputs.paths, inputs.disk, inputs.candidates.summaries, result)


def _restored(result: Any, request: Request, paths: tuple[Path, ...]) -> Checked | None:
    from inflint.engine.results import decode
    from inflint.engine.run import Contents

    try:
        findings, target = decode(result["findings"]), decode(result["target"])
        classes = int(result["classes"])
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    nobody = (None,) * len(findings)
    contents = Contents(paths, Disk(request.overlay))
    return Checked(findings, len(paths), classes, lambda: target, nobody, contents)
