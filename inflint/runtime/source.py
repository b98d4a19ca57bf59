"""What inflint says about a class from its source alone, beside what ran."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from inflint.runtime.paths import covers
from inflint.runtime.places import class_place
from inflint.runtime.report import Disagreement
from inflint.runtime.sizes import storage_of
from inflint.runtime.tracing import named_tensors

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from torch import nn

    from inflint.runtime.evidence import Evidence


@dataclass(frozen=True)
class Source:
    """The verdict on a class from source.

    Attributes:
        verdicts: ``needed``, ``unused`` or ``uncertain`` by path.
        conditional: Paths whose verdict holds under a condition only, and the condition.
    """

    verdicts: Mapping[str, str]
    conditional: Mapping[str, str]

    def verdict(self, path: str) -> str:
        """The verdict on exactly this path; empty if source knows no such part."""
        return self.verdicts.get(path, "")


def judge_source(cls: type) -> Source | None:
    """Analyse the file that defines a class, without importing anything.

    None if the file is not at hand, or if the class is none of the framework's modules: source
    says nothing about plain ones.
    """
    place = class_place(cls)
    return None if place is None else _judge_file(Path(place.file)).get(cls.__qualname__)


@lru_cache(maxsize=16)
def _judge_file(path: Path) -> Mapping[str, Source]:
    """The verdicts on all classes of a file, by qualified name."""
    from inflint.config.discover import Lookup
    from inflint.engine.run import Request, inspect

    try:
        found = inspect(Request((path,), Lookup({"python": sys.executable}))).verdicts
    except ValueError:
        return {}
    return {
        verdict.cls.qualname: Source(
            {j.component.name: j.verdict for j in verdict.judged},
            {j.component.name: j.condition for j in verdict.judged if j.condition},
        )
        for verdict in found
        if Path(verdict.cls.file.path) == path
    }


def disagreements(source: Source, evidence: Evidence) -> Iterator[Disagreement]:
    """Where source and run say different things about the same part.

    A part that inference reads under another name alone, one that source does not call unused,
    is no disagreement: the name itself can go.
    """
    if evidence.whole.module is None:
        return
    used = evidence.whole_runs.trace
    kept = evidence.runner_runs.trace
    shared = _by_storage(evidence.whole.module)
    for path, verdict in source.verdicts.items():
        if verdict == "unused" and path not in source.conditional:
            read = [k for k in used.tensors if covers(path, k)]
            confirmed = kept.reads(path) or bool(evidence.runner_runs.failures)
            if confirmed and not all(_has_other_name(k, shared, source) for k in read):
                message = (
                    "source says that no inference call uses it, but one did: this is an error of"
                    " inflint's, please report it"
                )
                yield Disagreement(path, verdict, "used", unsafe=True, message=message)
        elif verdict == "needed" and _idle(path, evidence):
            message = "source says that inference can use it; these calls did not"
            yield Disagreement(path, verdict, "unused", unsafe=False, message=message)


def _idle(path: str, evidence: Evidence) -> bool:
    held = any(covers(path, key) for key in evidence.full.state_dict())
    return held and not evidence.whole_runs.trace.uses(path)


def _by_storage(module: nn.Module) -> dict[str, tuple[str, ...]]:
    """All names of each registered tensor, by each of them."""
    groups: dict[int, list[str]] = {}
    for name, tensor in named_tensors(module):
        groups.setdefault(storage_of(tensor), []).append(name)
    return {name: tuple(names) for names in groups.values() for name in names}


def _has_other_name(key: str, shared: Mapping[str, tuple[str, ...]], source: Source) -> bool:
    unused = [path for path, verdict in source.verdicts.items() if verdict == "unused"]
    names = shared.get(key, ())
    return any(not any(covers(path, name) for path in unused) for name in names)
