"""One run in several processes: each looks at some of the files, one puts it all together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from inflint.engine.workers import Death, processes, spread

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from inflint.engine.examine import Examined
    from inflint.engine.fixing import Grader
    from inflint.engine.memory import Memories
    from inflint.engine.run import Checked, Inputs
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


def check_shared(inputs: Inputs, memories: Memories | None, jobs: int | None) -> Checked | None:
    """Check in several processes, with each finding's safety; None where one is faster."""
    from inflint.engine.run import whole

    tasks = inputs.worth_a_look
    count = processes(jobs, len(tasks), LEAST)
    if count == 1:
        return None
    import inflint.engine.examine  # noqa: F401 - loaded once, for all processes

    parts: dict[int, tuple[Examined, ...] | str] = {}

    def serve(paths: Iterator[Path]) -> Iterator[Any]:
        return _serve(paths, inputs, memories)

    for number, result in spread(serve, tasks, count):
        if isinstance(result, Consulted):
            result.tell(inputs.disk)
        elif isinstance(result, Death):
            inputs.disk.torn = True  # what it has consulted is not known
            if number is not None:
                parts[number] = str(result)
        elif number is not None:
            parts[number] = result
    checked = whole({tasks[number]: parts[number] for number in sorted(parts)}, inputs)
    found = tuple(
        replace(finding, fix=safety) if isinstance(safety, str) else finding
        for finding, safety in zip(checked.findings, checked.subjects, strict=True)
    )
    return replace(checked, findings=found, subjects=(None,) * len(found))


def _serve(paths: Iterable[Path], inputs: Inputs, memories: Memories | None) -> Iterator[Any]:
    from inflint.engine.examine import Examiner

    examiner = Examiner(inputs, memories)
    grader: Grader | None = None
    for path in paths:
        parts = examiner.attempt(path)
        if not isinstance(parts, str) and any(part.found for part in parts):
            grader = grader or _grader(inputs)
            parts = tuple(_graded(part, grader) for part in parts)
        yield parts
    if memories is not None:
        memories.save()
    disk = inputs.disk
    yield Consulted(disk.answers, disk.seen, disk.torn)


def _grader(inputs: Inputs) -> Grader:
    from inflint.engine.fixing import Grader  # the codemod is no part of the way to a clean result

    return Grader(inputs.contents)


def _graded(part: Examined, grader: Grader) -> Examined:
    """The safety of the edit in place of the class, which stays in its own process."""
    found: Any = tuple((finding, grader.safety(finding, s)) for finding, s in part.found)
    return part._replace(found=found)
