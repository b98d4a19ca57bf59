"""One run over a set of paths."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from inflint.config.discover import Lookup
from inflint.engine.contents import Contents, embeddings_of
from inflint.engine.progress import unheard
from inflint.engine.projects import Filters, grouped
from inflint.engine.selections import Selections
from inflint.engine.stack import with_deep_stack
from inflint.sources.discover import discover
from inflint.sources.disk import Disk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from inflint.checks.context import Subject
    from inflint.checks.finding import Finding
    from inflint.engine.examine import Examined
    from inflint.engine.examine import Found as Pair
    from inflint.engine.memory import Memories
    from inflint.engine.progress import Progress
    from inflint.engine.projects import Group
    from inflint.fix.edits import Fix
    from inflint.model.release import Target
    from inflint.model.verdict import Verdict
    from inflint.sources.disk import Seen
    from inflint.sources.embedding import Embedding
    from inflint.sources.summary import Summary


CHECKING = "checking files"
Parts: TypeAlias = "list[dict[Path, tuple[Examined, ...] | str]]"


class Request:
    """What to look at, and how.

    Args:
        paths: Files and directories.
        lookup: Finds the configuration of each file.
        codes: Rules to report instead of those that the configuration names.
        overlay: Contents that stand for those on disk, by absolute path; such a file need
            not exist.
        whole: Report all rules, each with its usual severity. What the configuration names
            still decides which suppressions are of use.
        suppressions: Whether comments hide findings.
    """

    def __init__(
        self,
        paths: tuple[Path, ...],
        lookup: Lookup | None = None,
        codes: frozenset[str] | None = None,
        overlay: Mapping[Path, bytes] | None = None,
        *,
        whole: bool = False,
        suppressions: bool = True,
    ) -> None:
        self.paths = paths
        self.lookup = lookup or Lookup()
        self.codes = codes
        self.overlay = overlay or {}
        self.whole = whole
        self.suppressions = suppressions

    def entire(self) -> Request:
        """The same with all rules."""
        return self._for(self.paths, self.overlay, whole=True)

    def over(self, paths: tuple[Path, ...], overlay: Mapping[Path, bytes]) -> Request:
        """The same for other paths, and with other contents besides."""
        return self._for(paths, {**self.overlay, **overlay}, whole=self.whole)

    def _for(
        self, paths: tuple[Path, ...], overlay: Mapping[Path, bytes], *, whole: bool
    ) -> Request:
        said = self.suppressions
        return Request(paths, self.lookup, self.codes, overlay, whole=whole, suppressions=said)


class Checked(NamedTuple):
    """What a check found.

    Attributes:
        findings: In order of file, line and column.
        paths: The files that were looked at.
        classes: How many modules of the framework they define.
        groups: The files in question, by what they are checked for; at least one group.
        subjects: The class behind each finding, in the same order, as the newest release of
            its target sees it; None for a whole file.
        contents: The Python that was read, by absolute path.
        embeddings: The documents, such as notebooks, in which something was found. Findings
            are placed in their Python; :func:`inflint.engine.places.located` places them in
            the document.
        fixes: The edits for each finding, in the same order, once they have been planned.
        suppressed: How many findings comments hide.
        baselined: How many a baseline knows.
        faults: Files that inflint itself failed at, and how.
        graded: The edits have been planned.
        consulted: All that the check has asked of the file system; empty where not all of it
            was noted.
        cache: The directory of the cache that was used, if any.
    """

    findings: tuple[Finding, ...]
    paths: tuple[Path, ...]
    classes: int
    groups: tuple[Group, ...]
    subjects: tuple[Subject | None, ...]
    contents: Mapping[Path, bytes]
    embeddings: Mapping[Path, Embedding] = MappingProxyType({})
    fixes: tuple[Fix | None, ...] = ()
    suppressed: int = 0
    baselined: int = 0
    faults: tuple[tuple[Path, str], ...] = ()
    graded: bool = False
    consulted: tuple[Disk, ...] = ()
    cache: str = ""

    @property
    def files(self) -> int:
        """How many files were looked at."""
        return len(self.paths)

    @property
    def opened(self) -> int:
        """How many of the files were parsed: the bytes of the others rule out a finding."""
        return sum(len(group.worth_a_look) for group in self.groups)

    @property
    def target(self) -> Target:
        """The releases that the first group holds for; not known before it is asked for."""
        return self.groups[0].target

    @property
    def targets(self) -> tuple[Target, ...]:
        """All targets, each once."""
        return tuple(dict.fromkeys(group.target for group in self.groups))

    def target_of(self, path: Path) -> Target:
        """The releases that a file was checked for."""
        return next((g.target for g in self.groups if path in g.paths), self.target)

    def whole(self, path: Path) -> bytes:
        """A file's content: where it is a document, all of it."""
        return self.embeddings[path].data if path in self.embeddings else self.contents[path]

    def keeping(self, kept: Callable[[Finding, Subject | None], bool]) -> Checked:
        """With those findings alone that a test keeps."""
        fixes = self.fixes or (None,) * len(self.findings)
        rows = [r for r in zip(self.findings, self.subjects, fixes, strict=True) if kept(*r[:2])]
        return self._replace(
            findings=tuple(finding for finding, _, _ in rows),
            subjects=tuple(subject for _, subject, _ in rows),
            fixes=tuple(fix for _, _, fix in rows) if self.fixes else (),
        )


class Inspected(NamedTuple):
    """The verdicts on all modules, for the newest release of their targets.

    ``embeddings`` are the documents that hold some of them.
    """

    verdicts: tuple[Verdict, ...]
    targets: tuple[Target, ...]
    embeddings: Mapping[Path, Embedding]

    def place(self, path: Path, line: int) -> tuple[int | None, int]:
        """The cell, if any, and the line in it or in the document, of a line that was judged."""
        if path not in self.embeddings:
            return None, line
        return self.embeddings[path].place(line, 0)[:2]

    @property
    def target(self) -> Target:
        """The target of the first modules."""
        return self.targets[0]


def check(request: Request) -> Checked:
    """Check all modules in the given paths, for each end of their target's range.

    Raises:
        MissingPathError: A path does not exist.
        ConfigError: A configuration file is wrong.
        NoEnvironmentError: ``python`` is no environment.
        TargetError: ``target-ray`` is no release.
    """
    return check_inputs(gather(request))


def check_inputs(
    inputs: Inputs, memories: Memories | None = None, progress: Progress = unheard
) -> Checked:
    """Check what a request comes to. Raises TargetError."""
    if not inputs.worth_a_look:
        return Checked((), inputs.paths, 0, inputs.groups, (), inputs.contents)
    return with_deep_stack(lambda: _check(inputs, memories, progress))


def inspect(request: Request) -> Inspected:
    """The verdict on each module in the given paths, for the newest release of its target.

    Raises as :func:`check`.
    """
    inputs = gather(request)
    return with_deep_stack(lambda: _inspect(inputs))


def _inspect(inputs: Inputs) -> Inspected:
    from inflint.engine.examine import Examiner

    found = [v for group in inputs.groups for v in Examiner(group, inputs.disk).verdicts()]
    if len(inputs.groups) > 1:
        found.sort(key=lambda v: (str(v.cls.file.path), v.cls.scope.head.line))
    targets = tuple(dict.fromkeys(g.target for g in inputs.groups))
    embeddings = embeddings_of((verdict.cls.file.path for verdict in found), inputs.disk)
    return Inspected(tuple(found), targets, embeddings)


def _check(inputs: Inputs, memories: Memories | None, progress: Progress) -> Checked:
    from inflint.engine.examine import Examiner

    parts: Parts = []
    total = sum(len(group.worth_a_look) for group in inputs.groups)
    for group in inputs.groups:
        examiner = Examiner(group, inputs.disk, memories)
        parts.append({})
        for path in group.worth_a_look:
            parts[-1][path] = examiner.attempt(path)
            progress(CHECKING, sum(map(len, parts)), total)
    return conclude(parts, inputs)


def conclude(parts: Parts, inputs: Inputs) -> Checked:
    """What is known of all files together.

    Args:
        parts: For each group, what was seen in each file that is worth a look, or what went
            wrong.
        inputs: What the request comes to.
    """
    from inflint.engine.examine import combine, merge
    from inflint.engine.suppressing import sift

    wholes = []
    for group, seen in zip(inputs.groups, parts, strict=True):
        known = [part for part in seen.values() if not isinstance(part, str)]
        wholes.append(merge(known, group.target.versions))
    pairs = combine(wholes)
    hidden: list[Pair] = []
    if inputs.request.suppressions:
        pairs, hidden = sift(
            pairs,
            contents=Contents((*inputs.paths, *(f.path for f, _ in pairs if f.given)), inputs.disk),
            suppressing=inputs.suppressing,
            runnable={place for whole in wholes for place in whole.runnable},
            active=inputs.selections.active,
            open_names=inputs.groups[0].profile.setup_names,
        )
    kept = inputs.reported(pairs)
    return Checked(
        findings=tuple(finding for finding, _ in kept),
        paths=inputs.paths,
        classes=sum(whole.classes for whole in wholes),
        groups=inputs.groups,
        subjects=tuple(subject for _, subject in kept),
        contents=inputs.contents,
        embeddings=embeddings_of((finding.path for finding, _ in kept), inputs.disk),
        suppressed=len(inputs.reported(hidden)),
        faults=tuple(
            (path, part) for seen in parts for path, part in seen.items() if isinstance(part, str)
        ),
    )


class Inputs:
    """What a request comes to, before anything is parsed.

    Attributes:
        paths: The files.
        groups: Those worth a closer look, by what they are checked for; at least one group.
        suppressing: Those that may hold suppressions that name rules.
        disk: Where to read.
        selections: Which rules each file asks for.
    """

    def __init__(
        self,
        request: Request,
        paths: tuple[Path, ...],
        groups: tuple[Group, ...],
        disk: Disk,
        selections: Selections,
    ) -> None:
        self.request = request
        self.paths = paths
        self.groups = groups
        self.disk = disk
        self.selections = selections
        self.suppressing = tuple(p for group in groups for p in group.candidates.suppressing)

    @property
    def summaries(self) -> dict[Path, Summary]:
        """Those of all files."""
        return {p: s for group in self.groups for p, s in group.candidates.summaries.items()}

    @property
    def worth_a_look(self) -> bool:
        """Whether the bytes of some file do not rule out a finding."""
        return bool(self.suppressing) or any(group.worth_a_look for group in self.groups)

    @cached_property
    def contents(self) -> Mapping[Path, bytes]:
        """The Python that the files hold."""
        return Contents(self.paths, self.disk)

    @cached_property
    def _given(self) -> frozenset[Path]:
        return frozenset(self.paths)

    @cached_property
    def _whole(self) -> frozenset[str] | None:
        from inflint.checks.selection import every_code

        return every_code() if self.request.whole else None

    def asks_for(self, finding: Finding) -> bool:
        """Whether a finding is in the files and of the rules that were asked for."""
        given = self._given
        if finding.path not in given and finding.given not in given:
            return False
        return finding.code in (self._whole or self.selections.active(finding.path))

    def reported(self, pairs: Iterable[Pair]) -> list[Pair]:
        """Those findings that were asked for, each with the severity that its file gives it."""
        kept = [(finding, subject) for finding, subject in pairs if self.asks_for(finding)]
        if self._whole is None:
            at = self.selections.at
            kept = [(at(f.path.parent).graded(f), subject) for f, subject in kept]
        return sorted(kept, key=lambda pair: pair[0].key)


def files(request: Request) -> list[Path]:
    """The files that a check would look at, in order. Raises as :func:`check`."""
    filters = Filters(request.lookup)
    given = {path for path in request.paths if path in request.overlay}
    asked = (path for path in request.paths if path not in given)
    found = discover(asked, filters.at, request.lookup.disk)
    taken = {path for path in given if not filters.at(path.parent).leaves_out(path)}
    return sorted({*found, *taken}, key=str) if taken else found


def directories_of(paths: Iterable[Path]) -> list[Path]:
    """Where some files stand, each directory once."""
    names = dict.fromkeys(os.path.dirname(path) for path in paths)  # noqa: PTH120 - for thousands
    return [Path(name) for name in names]


def gather(
    request: Request,
    paths: list[Path] | None = None,
    disk: Disk | None = None,
    known: Mapping[str, tuple[Seen, Summary]] | None = None,
    jobs: int | None = 1,
    progress: Progress = unheard,
) -> Inputs:
    """Read all files, as far as it takes to leave most of them out.

    Args:
        request: The request.
        paths: Its files, where they have been found before.
        disk: Where to read.
        known: The summaries of files that need not be read.
        jobs: In how many processes to read; None for as many as pay.
        progress: Is told how many have been read.

    Raises as :func:`check`.
    """
    disk = disk or Disk(request.overlay)
    paths = files(request) if paths is None else paths
    selections = Selections(request.lookup, request.codes)
    for directory in directories_of(paths) or [start_of(request)]:
        selections.validate(directory)  # whatever the files hold
    groups = grouped(paths, start_of(request), request.lookup, disk, known, jobs, progress)
    return Inputs(request, tuple(paths), tuple(groups), disk, selections)


def start_of(request: Request) -> Path:
    """Where the project is."""
    if not request.paths:
        return Path.cwd()
    first = Path(os.path.abspath(request.paths[0]))  # noqa: PTH100 - resolve() follows links
    return first if os.path.isdir(first) else first.parent  # noqa: PTH112 - never raises
