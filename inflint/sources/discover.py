"""Which files: what the arguments name, minus what ignore files and habit leave out."""

from __future__ import annotations

import os
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from inflint.sources.disk import Disk
from inflint.sources.globs import INCLUDED, SKIPPED, Glob, Globs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pathspec import GitIgnoreSpec


class Filter(NamedTuple):
    """What to take of a directory.

    Attributes:
        include: Files.
        exclude: Files and directories that are left out.
        gitignore: Whether ``.gitignore`` files count.
        force: Whether what is left out stays so where an argument names it.
        root: Up to where a named path's parents are asked, too.
    """

    include: Globs
    exclude: Globs
    gitignore: bool = True
    force: bool = False
    root: Path | None = None

    def leaves_out(self, path: Path) -> bool:
        """Whether a path that an argument names is left out nevertheless."""
        if not self.force:
            return False
        root = self.root or Path.cwd()
        above = [p for p in path.parents if root in p.parents] if root in path.parents else []
        return self.exclude.match(path, directory=path.is_dir()) or any(
            self.exclude.match(parent, directory=True) for parent in above
        )


def _globs(texts: Iterable[str]) -> Globs:
    return Globs(Glob(Path(os.sep), text) for text in texts)


USUAL = Filter(_globs(INCLUDED), _globs(SKIPPED))
"""What holds where nothing is configured."""


class MissingPathError(ValueError):
    """An argument names nothing."""


def discover(
    arguments: Iterable[Path],
    filter_of: Callable[[Path], Filter] = lambda _: USUAL,
    disk: Disk | None = None,
) -> list[Path]:
    """The files that the arguments name, each once, in a stable order.

    A file that is named is taken whatever it is called; a directory gives what its filter
    includes, without what the filter or ``.gitignore`` files leave out.

    Args:
        arguments: Files and directories.
        filter_of: What to take of a directory, given by its absolute path.
        disk: What is to know what was asked.

    Raises:
        MissingPathError: An argument does not exist.
    """
    disk = disk or Disk()
    found: dict[str, Path] = {}
    for argument in arguments:
        path = Path(os.path.abspath(argument))  # noqa: PTH100 - resolve() would follow links
        try:
            path.stat()
        except FileNotFoundError:
            raise MissingPathError(f"{argument}: no such file or directory") from None
        except OSError as error:  # permission denied, a circle of links, a name too long
            raise MissingPathError(f"{argument}: {error.strerror or error}") from None
        if disk.is_directory(str(path)):
            if not filter_of(path).leaves_out(path):
                found.update((str(file), file) for file in _walk(path, filter_of, disk))
        elif not filter_of(path.parent).leaves_out(path):
            found[str(path)] = path
    return [found[name] for name in sorted(found)]


def _walk(top: Path, filter_of: Callable[[Path], Filter], disk: Disk) -> Iterator[Path]:
    inherited = _inherited_rules(top, disk)
    stack: list[tuple[Path, list[tuple[Path, GitIgnoreSpec]]]] = [(top, inherited)]
    seen: set[tuple[int, int]] = set()
    filters: dict[int, Filter] = {}
    while stack:
        directory, rules = stack.pop()
        try:
            status = directory.stat()
            entries = sorted(os.scandir(directory), key=attrgetter("name"))
        except PermissionError:
            yield directory  # so that it is reported like a file that may not be read
            continue
        except OSError:
            continue
        if (status.st_dev, status.st_ino) in seen:
            continue  # a link back up
        seen.add((status.st_dev, status.st_ino))
        disk.listed.add(str(directory))
        given = filter_of(directory)
        if id(given) not in filters:
            filters[id(given)] = given._replace(exclude=given.exclude.without(top))
        taken = filters[id(given)]
        if any(e.name == ".gitignore" for e in entries):
            rules = [*rules, *_rules(directory, disk)]
        active = rules if taken.gitignore else []
        for entry in entries:
            name = entry.name
            if _is(entry.is_dir):
                if not taken.exclude.match_in(directory, name, directory=True):
                    path = directory / name
                    if not _ignored(path, active, directory=True):
                        stack.append((path, rules))
            elif (
                taken.include.match_in(directory, name)
                and _is(entry.is_file)
                and not taken.exclude.match_in(directory, name)
            ):
                path = directory / name
                if not _ignored(path, active):
                    yield path
            elif entry.is_symlink():  # what it leads to may appear without a change here
                disk.is_directory(entry.path)
                disk.is_file(entry.path)


def _is(asked: Callable[[], bool]) -> bool:
    try:
        return asked()
    except OSError:  # a circle of links
        return False


def _inherited_rules(top: Path, disk: Disk) -> list[tuple[Path, GitIgnoreSpec]]:
    """Rules from the repository's root down to ``top``, unless they ignore ``top`` itself."""
    parents = [*top.parents]
    root = next((p for p in [top, *parents] if disk.exists(str(p / ".git"))), None)
    if root is None or root == top:
        return []
    between = parents[: parents.index(root) + 1]
    rules = [rule for parent in reversed(between) for rule in _rules(parent, disk)]
    for path in [top, *between[:-1]]:
        if _ignored(path, rules, directory=True):
            return []
    return rules


def _rules(directory: Path, disk: Disk) -> list[tuple[Path, GitIgnoreSpec]]:
    path = str(directory / ".gitignore")
    lines = disk.text(path) if disk.exists(path) else None
    if lines is None:
        return []
    from pathspec import GitIgnoreSpec

    return [(directory, GitIgnoreSpec.from_lines(lines.splitlines()))]


def _ignored(
    path: Path, rules: list[tuple[Path, GitIgnoreSpec]], *, directory: bool = False
) -> bool:
    suffix = "/" if directory else ""
    for base, spec in reversed(rules):
        if base in path.parents:
            answer = spec.check_file(f"{path.relative_to(base).as_posix()}{suffix}").include
            if answer is not None:
                return bool(answer)
    return False
