"""A check as users run it: what is known from before is used, and kept for the next time."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from inflint.engine.contents import Contents, embeddings_of
from inflint.engine.progress import unheard
from inflint.engine.recall import FEW, Recall
from inflint.engine.run import Checked, check_inputs, files, gather, start_of
from inflint.engine.store import find_store
from inflint.sources.disk import Disk

if TYPE_CHECKING:
    from pathlib import Path

    from inflint.engine.progress import Progress
    from inflint.engine.run import Inputs, Request
    from inflint.engine.store import Store


class Settings(NamedTuple):
    """How to check; no setting changes what is found.

    Attributes:
        cache: Whether to use a cache.
        cache_directory: Where it is; None for the project's.
        jobs: In how many processes; None for as many as pay.
        ray: Whether to look at files on a Ray cluster.
        ray_address: The cluster; None for the one that Ray finds.
        replay: Whether the result of an equal run will do, which knows no classes any more.
        progress: Is told how far it has come.
    """

    cache: bool = True
    cache_directory: Path | None = None
    jobs: int | None = None
    ray: bool = False
    ray_address: str | None = None
    replay: bool = True
    progress: Progress = unheard


def check_cached(request: Request, settings: Settings) -> Checked:
    """Check, with the edit that there is for each finding, and its safety.

    Raises as :func:`~inflint.engine.run.check`.
    """
    if not settings.cache:
        inputs = gather(request, jobs=settings.jobs, progress=settings.progress)
        return _looked(inputs, None, settings)
    store = find_store(settings.cache_directory, start_of(request))
    try:
        if request.overlay:
            return _looked(gather(request), store, settings)
        checked, disk = _check(request, store, settings)
        consulted = request.lookup.disk, disk
        return checked._replace(consulted=consulted, cache=str(store.directory))
    finally:
        store.close()


def _check(request: Request, store: Store, settings: Settings) -> tuple[Checked, Disk]:
    paths = files(request)
    recall = Recall(store, request, paths)
    past = recall.past()
    if past.result is not None and past.disk is not None and settings.replay:
        checked = _restored(past.result, paths)
        if checked is not None:
            return checked, past.disk
    disk = Disk(recording=True)
    inputs = gather(request, paths, disk, past.files, settings.jobs, settings.progress)
    checked = _looked(inputs, store, settings)
    if (inputs.worth_a_look or len(paths) > FEW) and not checked.faults:
        _remember(recall, inputs, checked)
    return checked, inputs.disk


def _looked(inputs: Inputs, store: Store | None, settings: Settings) -> Checked:
    if not inputs.worth_a_look:
        return check_inputs(inputs)
    if settings.ray:
        from inflint.engine.cluster import check_on_cluster

        return _graded(check_on_cluster(inputs, settings.ray_address))
    from inflint.engine.memory import Memories
    from inflint.engine.sharing import check_shared

    memories = None if store is None else Memories(store)
    checked = check_shared(inputs, memories, settings.jobs, settings.progress)
    if checked is None:
        checked = check_inputs(inputs, memories, settings.progress)
    if memories is not None:
        memories.save()
    return _graded(checked)


def _graded(checked: Checked) -> Checked:
    if not checked.findings:  # the codemod is no part of the way to a clean result
        return checked
    from inflint.engine.fixing import graded

    return graded(checked)


def _remember(recall: Recall, inputs: Inputs, checked: Checked) -> None:
    from inflint.engine.results import NoResultError, encode

    groups = [
        {
            "target": encode(group.target),
            "worth": encode(group.worth_a_look),
            "suppressing": encode(group.candidates.suppressing),
        }
        for group in inputs.groups
    ]
    try:
        result = {
            "findings": encode(checked.findings),
            "fixes": encode(checked.fixes),
            "classes": checked.classes,
            "suppressed": checked.suppressed,
            "groups": groups,
        }
    except NoResultError:
        return
    recall.remember(inputs.disk, inputs.summaries, result)


def _restored(result: Any, paths: list[Path]) -> Checked | None:
    from inflint.engine.results import decode

    try:
        findings = decode(result["findings"])
        disk = Disk()
        return Checked(
            findings=findings,
            paths=tuple(paths),
            classes=int(result["classes"]),
            groups=tuple(_group(group) for group in result["groups"]),
            subjects=(None,) * len(findings),
            contents=Contents(tuple(paths), disk),
            embeddings=embeddings_of((finding.path for finding in findings), disk),
            fixes=decode(result["fixes"]),
            suppressed=int(result["suppressed"]),
            graded=True,
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _group(raw: Any) -> Any:
    """A group of files of which no more is known than a report needs."""
    from inflint.engine.candidates import Candidates
    from inflint.engine.projects import Group
    from inflint.engine.results import decode

    classes = dict.fromkeys(decode(raw["worth"]), frozenset[str]())
    candidates = Candidates(classes, (), {}, decode(raw["suppressing"]), {})
    nothing: Any = None
    return Group(candidates, nothing, nothing, partial(decode, raw["target"]))
