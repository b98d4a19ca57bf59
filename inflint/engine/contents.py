"""What files hold, and the documents that some of them are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inflint.sources.disk import Disk
    from inflint.sources.embedding import Embedding


def embeddings_of(paths: Iterable[Path], disk: Disk) -> dict[Path, Embedding]:
    """Those of some files that are documents, without what does not parse."""
    found = {path: _embedding(path, disk) for path in dict.fromkeys(paths)}
    return {path: embedding for path, embedding in found.items() if embedding is not None}


def _embedding(path: Path, disk: Disk) -> Embedding | None:
    """A document without what does not parse; None for other files, readable or not."""
    try:
        document = disk.document(path)
    except OSError:
        return None
    if document is None:
        return None
    from inflint.syntax.embedded import parse_chunks

    return parse_chunks(document).embedding


class Contents(Mapping[Path, bytes]):
    """The contents of some files, read when they are asked for."""

    def __init__(self, paths: tuple[Path, ...], disk: Disk) -> None:
        self._paths = dict.fromkeys(paths)
        self._disk = disk
        self._read: dict[Path, bytes] = {}

    def __getitem__(self, path: Path) -> bytes:
        if path not in self._read:
            if path not in self._paths:
                raise KeyError(path)
            try:
                embedding = _embedding(path, self._disk)
                self._read[path] = self._disk.read(path) if embedding is None else embedding.python
            except OSError:
                raise KeyError(path) from None
        return self._read[path]

    def __iter__(self) -> Iterator[Path]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def __contains__(self, path: object) -> bool:
        return path in self._paths
