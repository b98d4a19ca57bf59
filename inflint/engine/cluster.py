"""One run on a Ray cluster, whose machines need inflint, but none of the files.

Batches go out with the contents of their files and all answers that are known so far; what
a batch misses comes back, is answered here, and the batch goes out again. Later batches profit
from what earlier ones missed. Ray does again what a dying worker leaves undone.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from inflint.engine.stack import with_deep_stack
from inflint.sources.shipped import Cargo, ShippedDisk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inflint.engine.examine import Examined
    from inflint.engine.projects import Group
    from inflint.engine.run import Checked, Inputs, Parts
    from inflint.sources.disk import Question

T = TypeVar("T")
BATCH = 8
"""Files that go out together."""
_RETRIES = 3


class NoClusterError(ValueError):
    """Ray is not installed, or there is no cluster to connect to."""


class _Returned(NamedTuple):
    parts: dict[Path, tuple[Examined, ...] | str]
    missing: frozenset[Question]


def check_on_cluster(inputs: Inputs, address: str | None) -> Checked:
    """Check on a cluster; the result is the same as anywhere else.

    Args:
        inputs: What the request comes to.
        address: The cluster; None for the one that Ray finds.

    Raises:
        NoClusterError: There is none.
        TargetError: A target is no release.
    """
    from inflint.engine.run import conclude

    ray = _connected(address)
    look = ray.remote(num_cpus=1, max_retries=_RETRIES)(_look)
    cargo = Cargo({}, dict(inputs.disk.answers))
    waiting = list(_batches(inputs))
    parts: Parts = [dict.fromkeys(group.worth_a_look, "") for group in inputs.groups]
    running: dict[Any, tuple[int, Group]] = {}

    def send(number: int, group: Group) -> None:
        cargo.load((("read", str(path), "") for path in group.worth_a_look), inputs.disk)
        running[look.remote(group, cargo)] = number, group

    most = max(1, int(ray.cluster_resources().get("CPU", 1)))
    while waiting or running:
        while waiting and len(running) < most:
            send(*waiting.pop(0))
        done, _ = ray.wait(list(running), num_returns=1)
        for reference in done:
            number, group = running.pop(reference)
            try:
                returned: _Returned = ray.get(reference)
            except ray.exceptions.RayError as error:
                parts[number].update(dict.fromkeys(group.worth_a_look, str(error)))
                continue
            if returned.missing:
                cargo.load(returned.missing, inputs.disk)
                send(number, group)
            else:
                parts[number].update(returned.parts)
    return conclude(parts, inputs)


def _connected(address: str | None) -> Any:
    try:
        import ray
    except ImportError:
        raise NoClusterError("--engine ray needs Ray: pip install 'inflint[ray]'") from None
    if not ray.is_initialized():
        try:
            ray.init(address=address or "auto", log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise NoClusterError(f"no Ray cluster at {address or 'auto'}: {error}") from None
    return ray


def _batches(inputs: Inputs) -> Iterator[tuple[int, Group]]:
    """Parts of each group, with nothing in them that stays on this machine."""
    for number, group in enumerate(inputs.groups):
        files = group.worth_a_look
        for start in range(0, len(files), BATCH):
            some = group.candidates.among(frozenset(files[start : start + BATCH]))
            yield (
                number,
                type(group)(
                    some._replace(summaries={}),
                    group.environment,
                    partial(_same, group.profile),
                    partial(_same, group.target),
                ),
            )


def _same(value: T) -> T:
    return value


def _look(group: Group, cargo: Cargo) -> _Returned:
    """What a worker does with a batch."""
    return with_deep_stack(lambda: _examined(group, ShippedDisk(cargo)))


def _examined(group: Group, disk: ShippedDisk) -> _Returned:
    from inflint.engine.contents import Contents
    from inflint.engine.examine import Examiner
    from inflint.engine.fixing import sendable

    examiner = Examiner(group, disk)
    found: dict[Path, tuple[Examined, ...] | str] = {}
    for path in group.worth_a_look:
        parts = examiner.attempt(path)
        if not isinstance(parts, str) and not disk.missing:
            known = tuple(p for p in group.worth_a_look if str(p) in disk.cargo.contents)
            contents = Contents(known, disk)
            parts = tuple(part._replace(found=sendable(part.found, contents)) for part in parts)
        found[path] = parts
    return _Returned(found, frozenset(disk.missing))
