"""One run in several processes: each looks at some of the files, one puts it all together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from inflint.engine.distant import distant
from inflint.engine.progress import unheard
from inflint.engine.workers import Death, processes, spread

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from inflint.engine.examine import Examined, Found
    from inflint.engine.memory import Memories
    from inflint.engine.progress import Progress
    from inflint.engine.run import Checked, Inputs, Parts
    from inflint.sources.disk import Answer, Disk, Question, Seen

LEAST = 8
"""Files that may hold modules, for each process that pays."""


class Consulted(NamedTuple):
    """What a process asked of the file system."""

    answers: dict[Question, Answer]
    seen: dict[str, Seen]
    torn: bool

    def tell(self, disk: Disk) -> None:
        """Add it to what this process has asked."""
        disk.answers.update(self.answers)
        for name, seen in self.seen.items():
            disk.torn |= disk.seen.setdefault(name, seen).digest != seen.digest
        disk.torn |= self.torn


def check_shared(
    inputs: Inputs, memories: Memories | None, jobs: int | None, progress: Progress = unheard
) -> Checked | None:
    """Check in several processes; None where one is faster. Raises TargetError."""
    tasks = [(n, p) for n, group in enumerate(inputs.groups) for p in group.worth_a_look]
    count = processes(jobs, len(tasks), LEAST)
    if count == 1:
        return None
    import inflint.engine.examine  # noqa: F401 - loaded once, for all processes
    from inflint.engine.run import CHECKING, conclude

    for group in inputs.groups:
        _ = group.profile, group.target  # and so are these

    def serve(files: Iterator[tuple[int, Path]]) -> Iterator[Any]:
        return _serve(files, inputs, memories)

    found: dict[int, tuple[Examined, ...] | str] = {}
    for number, result in spread(serve, tasks, count):
        if isinstance(result, Consulted):
            result.tell(inputs.disk)
        elif isinstance(result, Death):
            inputs.disk.torn = True  # what it has consulted is not known
            if number is not None:
                found[number] = str(result)
        elif number is not None:
            found[number] = result
        if number is not None:
            progress(CHECKING, len(found), len(tasks))
    parts: Parts = [{} for _ in inputs.groups]
    for number, (group_number, path) in enumerate(tasks):
        parts[group_number][path] = found[number]
    return conclude(parts, inputs)


def _serve(
    files: Iterable[tuple[int, Path]], inputs: Inputs, memories: Memories | None
) -> Iterator[Any]:
    from inflint.engine.examine import Examiner

    examiners: dict[int, Examiner] = {}
    for number, path in files:
        if number not in examiners:
            examiners[number] = Examiner(inputs.groups[number], inputs.disk, memories)
        parts = examiners[number].attempt(path)
        if not isinstance(parts, str):
            parts = tuple(p._replace(found=_sendable(p.found, inputs)) for p in parts)
        yield parts
    if memories is not None:
        memories.save()
    disk = inputs.disk
    yield Consulted(disk.answers, disk.seen, disk.torn)


def _sendable(found: tuple[Found, ...], inputs: Inputs) -> tuple[Found, ...]:
    """Findings without the classes, which are large, and edits for those that were asked for."""
    if any(inputs.asks_for(finding) for finding, _ in found):
        from inflint.engine.fixing import sendable  # the codemod is slow to import

        return sendable(found, inputs.contents, inputs.asks_for)
    return tuple((f, None if s is None else distant(s, f.fix, None)) for f, s in found)
