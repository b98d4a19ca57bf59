"""What each error finding predicts of the run, and which findings foretell each failure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tests.differential.running import METHOD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inflint.checks.finding import Finding
    from inflint.model.verdict import Verdict
    from tests.differential.running import Bench, Deployed


@dataclass
class Seen:
    """All that was seen of a class.

    Attributes:
        key: Its file and name.
        benches: Its runs, one for each model config.
        verdict: What `inspect` says; None if it does not know the class.
        own: The findings on it.
        related: Those on it and on its bases.
    """

    key: tuple[str, str]
    benches: list[Bench]
    verdict: Verdict | None
    own: list[Finding]
    related: list[Finding]

    @property
    def name(self) -> str:
        """The class's name."""
        return self.key[1]

    @property
    def comparable(self) -> bool:
        """Whether the full module runs under each config."""
        return not any(b.problem for b in self.benches)

    @property
    def working(self) -> list[Bench]:
        """The runs in which the full module works."""
        return [b for b in self.benches if not b.problem]

    @cached_property
    def non_inference(self) -> list[str]:
        """The paths that inflint calls unused."""
        return (
            []
            if self.verdict is None
            else [j.component.name for j in self.verdict.unused if not j.condition]
        )


def _deployments(seen: Seen, names: list[str]) -> Iterator[Deployed]:
    """The class, if it lists just some names: other faults of its list can't hide this one."""
    return (bench.solo(names) for bench in seen.benches)


def _fails(seen: Seen, names: list[str], *stages: str) -> bool:
    return any(d.stage in stages for d in _deployments(seen, names))


def _name(finding: Finding) -> str:
    return finding.attribute or ""


def _removes_nothing(seen: Seen, finding: Finding) -> bool:
    """RLlib never asks: every weight is sent."""
    return any(not b.deployed.sent or b.deployed.sent == b.keys for b in seen.benches)


def _cannot_be_built(seen: Seen, finding: Finding) -> bool:
    return any(b.deployed.stage == "learner" for b in seen.benches)


def _never_called(seen: Seen, finding: Finding) -> bool:
    """The misspelled method is not what RLlib asks."""
    cls = seen.benches[0].cls
    method = getattr(cls, _name(finding), None)
    return method is not getattr(cls, METHOD, None)


def _breaks_inference(seen: Seen, finding: Finding) -> bool:
    """Without the attribute a call fails, or computes with weights that were never synced."""
    needed = any(b.why_needed([_name(finding)]) is not None for b in seen.benches)
    return needed or _fails(seen, [_name(finding)], "runner", "sync", "inference")


def _is_no_list(seen: Seen, finding: Finding) -> bool:
    """It raises, is no list of strings, lists characters, or names what does not exist."""
    for bench in seen.benches:
        value = bench.returned
        if isinstance(value, (Exception, str)) or value is None or not hasattr(value, "__len__"):
            return True
        if any(not isinstance(name, str) for name in value):
            return True
        if "string" in finding.message and all(len(name) == 1 for name in value):
            return True
        if "comma" in finding.message and _name(finding) in value:
            return _name(finding) not in bench.paths
    return False


def _loses_names(seen: Seen, finding: Finding) -> bool:
    """Under some config the list lacks what stands left of the sum."""
    wanted = set(filter(None, _name(finding).split(", ")))
    return any(not wanted <= set(b.returned) for b in seen.benches)


def _grows(seen: Seen, finding: Finding) -> bool:
    return any(b.grows for b in seen.benches)


def _survives(seen: Seen, finding: Finding) -> bool:
    """The path is still there after removal, and something else is gone, or the sync fails."""
    name = _name(finding)
    return any(
        d.stage in {"runner", "sync"} or (name in d.survivors and d.stage != "")
        for d in _deployments(seen, [name])
    )


def _loses_the_root(seen: Seen, finding: Finding) -> bool:
    name = _name(finding)
    return any(
        name in d.survivors or d.lost or d.stage in {"sync", "inference"}
        for d in _deployments(seen, [name])
    )


def _undeletable(seen: Seen, finding: Finding) -> bool:
    """The EnvRunner's module can't be built, or has lost what RLlib reads."""
    name = _name(finding)
    return any(d.stage == "runner" or name not in d.attributes for d in _deployments(seen, [name]))


def _built_late(seen: Seen, finding: Finding) -> bool:
    return _fails(seen, [_name(finding)], "sync")


def _unregistered(seen: Seen, finding: Finding) -> bool:
    """Inference used modules of the container, and no state holds them."""
    name = _name(finding)
    return any(
        b.trace is not None
        and any(h == name or h.startswith((f"{name}.", "<")) for h in b.trace.hidden)
        for b in seen.benches
    )


def _rejects_the_flag(seen: Seen, finding: Finding) -> bool:
    return _fails(seen, [], "get_state")


def _redundant(seen: Seen, finding: Finding) -> bool:
    """Removing the same thing twice fails."""
    name = _name(finding)
    for bench in seen.benches:
        value = bench.returned
        names = [n for n in value if n == name or name.startswith(f"{n}.")]
        if bench.solo(names).stage == "runner":
            return True
    return False


CONFIRMATIONS: dict[str, Callable[[Seen, Finding], bool]] = {
    "INF102": _removes_nothing,
    "INF103": _cannot_be_built,
    "INF104": _never_called,
    "INF202": _breaks_inference,
    "INF204": _is_no_list,
    "INF205": _loses_names,
    "INF206": _grows,
    "INF207": _redundant,
    "INF301": _survives,
    "INF302": _loses_the_root,
    "INF303": _undeletable,
    "INF304": _built_late,
    "INF401": _unregistered,
    "INF402": _rejects_the_flag,
}
"""Whether the runs show what an error of each rule predicts."""


FORETELLERS: dict[str, frozenset[str]] = {
    "learner": frozenset(("INF103", "INF104", "INF204")),
    "runner": frozenset(("INF202", "INF204", "INF207", "INF301", "INF302", "INF303")),
    "get_state": frozenset(("INF204", "INF206", "INF402")),
    "sync": frozenset(("INF202", "INF302", "INF304", "INF301", "INF204", "INF303", "INF207")),
    "inference": frozenset(("INF202", "INF204", "INF302", "INF303")),
    "stale": frozenset(("INF202", "INF204", "INF302", "INF401")),
    "unregistered": frozenset(("INF401",)),
}
"""Which rules foretell a failure, by the stage at which it shows."""


def reason_of(text: str, name: str = "") -> str:
    """A reason without the names that differ from program to program."""
    text = re.sub(r"\b[\w.]*\bM\d+\b[\w.]*(\(\))?", "C", text)
    text = re.sub(
        r"\bself\.\w+|\b_?(?:enc|pi|vf|critic|aux|q|trunk|mem|value_head|target)(\.\w+)*\b",
        "N",
        text,
    )
    return re.sub(r"\bNet\d+[\w.]*", "C", text)[:90]
