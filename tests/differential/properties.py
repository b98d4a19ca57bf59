"""The five properties: each takes what was seen of a class, and gives its counterexamples."""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inflint.runtime.paths import covers
from inflint.syntax.facts import Span
from tests.differential.judging import Judgement, Key, judge
from tests.differential.predictions import CONFIRMATIONS, FORETELLERS, Seen, reason_of
from tests.differential.programs import FLAGS
from tests.differential.running import Bench, configs, imported

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inflint.checks.finding import Finding
    from inflint.model.verdict import Verdict
    from tests.differential.programs import Program


LEAST = 0.96
"""Least completeness over the quick profile's programs, which are the same in each run."""


@dataclass(frozen=True)
class Counterexample:
    """A property that does not hold."""

    number: int
    cls: str
    text: str


@dataclass
class Tally:
    """What was counted over many programs.

    Attributes:
        classes: Classes that were generated, analysed and built.
        unusable: Those whose full module does not run, so that nothing can be compared.
        found: Unused paths that inflint names.
        missed: Unused paths that it does not name, by the reason it gives.
        confirmed: Error findings that the run confirmed, by code.
        unreached: Error findings about a line that no run executes, by code.
        foretold: Failures that were predicted, by stage.
        excused: Failures that an *uncertain* verdict leaves open, by stage.
        repaired: Classes whose source a safe fix changed.
    """

    classes: int = 0
    unusable: Counter[str] = field(default_factory=Counter)
    found: int = 0
    missed: Counter[str] = field(default_factory=Counter)
    confirmed: Counter[str] = field(default_factory=Counter)
    unreached: Counter[str] = field(default_factory=Counter)
    foretold: Counter[str] = field(default_factory=Counter)
    excused: Counter[str] = field(default_factory=Counter)
    repaired: int = 0
    counterexamples: Counter[int] = field(default_factory=Counter)

    @property
    def completeness(self) -> float:
        """The share of unused paths that inflint names."""
        return self.found / max(1, self.found + sum(self.missed.values()))

    def lines(self) -> Iterator[str]:
        """The figures."""
        yield f"{self.classes} classes, {self.repaired} of them repaired by a safe fix"
        missed = sum(self.missed.values())
        yield f"completeness {self.completeness:.4f}: {self.found} named, {missed} not"
        yield f"counterexamples by property: {dict(self.counterexamples)}"
        for name in ("unusable", "missed", "confirmed", "unreached", "foretold", "excused"):
            yield f"{name}:"
            yield from (f"  {n:6} {text}" for text, n in getattr(self, name).most_common(25))


def examine(program: Program, directory: Path, tally: Tally) -> list[Counterexample]:
    """Write, analyse, build and run a program; give what contradicts a property."""
    program.write(directory)
    try:
        judgement = judge(directory, program.concrete)
        found = list(crashes(judgement))
        with imported(directory, program) as classes:
            seen = {key: _seen(program, cls, judgement, key) for key, cls in classes.items()}
        if not found:
            for one in seen.values():
                found += [*unsound(one), *unconfirmed(one, tally), *unforetold(one, seen, tally)]
                count_completeness(one, tally)
            found += broken_fixes(program, directory, judgement, seen, tally)
        tally.counterexamples.update(c.number for c in found)
        return found
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _seen(program: Program, cls: type, judgement: Judgement, key: Key) -> Seen:
    benches = [Bench(cls, config) for config in configs(program, cls)]
    bases = [c.__name__ for c in cls.__mro__]
    findings = [f for f in judgement.findings if f.cls in bases]
    return Seen(key, benches, judgement.verdicts.get(key), judgement.of(key), findings)


def unsound(seen: Seen) -> Iterator[Counterexample]:
    """(1) What a traced inference call used is in no ``non_inference``."""
    if seen.verdict is None:
        yield Counterexample(5, seen.name, "inflint does not see the class")
        return
    names = seen.non_inference
    for bench in seen.working:
        here = [n for n in names if n in bench.paths]
        used = bench.uses(here)
        if used:
            yield Counterexample(1, seen.name, f"{used} called unused, but traced{_under(bench)}")
        elif here and bench.why_needed(here) is not None:
            why = {n: w for n in here if (w := bench.why_needed([n])) is not None}
            text = why or {tuple(here): bench.why_needed(here)}
            yield Counterexample(1, seen.name, f"called unused, but: {text}{_under(bench)}")


def unconfirmed(seen: Seen, tally: Tally) -> Iterator[Counterexample]:
    """(3) Each error finding is confirmed by the run that it predicts."""
    if not seen.comparable:
        return
    for finding in seen.own:
        if finding.severity != "error":
            continue
        confirm = CONFIRMATIONS.get(finding.code)
        if confirm is None:
            yield Counterexample(3, seen.name, f"nothing says what {finding.code} predicts")
        elif confirm(seen, finding):
            tally.confirmed[finding.code] += 1
        elif finding.evidence and not _reached(seen, finding):
            tally.unreached[finding.code] += 1
        else:
            stages = [b.deployed.stage or "fine" for b in seen.benches]
            text = f"{finding.code} ({finding.attribute}) is not confirmed; runs: {stages}"
            yield Counterexample(3, seen.name, f"{text}: {finding.message}")


def _reached(seen: Seen, finding: Finding) -> bool:
    """Whether any run evaluates what the finding is about."""
    note = finding.evidence[-1]
    steps = [s for j in seen.verdict.judged for s in j.evidence] if seen.verdict else []
    places = {s.site.span for s in steps if (s.path, s.line, s.text) == note[:3]}
    places = places or {Span(note.line, 0, note.line + 1, 0)}
    return any(b.reaches(str(note.path), span) for b in seen.benches for span in places)


def unforetold(seen: Seen, others: dict[Key, Seen], tally: Tally) -> Iterator[Counterexample]:
    """(3) Each failure of the stripped module was predicted by a finding."""
    if not seen.comparable:
        return
    for bench in seen.benches:
        for stage, text in _failures(bench):
            codes = {f.code for f in seen.related if f.severity in ("error", "warning")}
            if codes & FORETELLERS[stage]:
                tally.foretold[stage] += 1
            elif excuse(seen):
                tally.excused[f"{stage}: {excuse(seen)}"] += 1
            else:
                yield Counterexample(
                    3, seen.name, f"{stage} fails{_under(bench)}: {text}; only {sorted(codes)}"
                )


def _under(bench: Bench) -> str:
    flags = {k: v for k, v in bench.config.items() if k in FLAGS}
    return f" under {flags}" if flags else ""


def _failures(bench: Bench) -> Iterator[tuple[str, str]]:
    deployed = bench.deployed
    if deployed.stage:
        yield deployed.stage, deployed.error
    if bench.trace is not None and bench.trace.hidden:
        yield "unregistered", ", ".join(bench.trace.hidden)


def excuse(seen: Seen) -> str:
    """Why inflint says that it can't know; empty where it says that it knows."""
    verdict = seen.verdict
    if verdict is None:
        return ""
    if verdict.reason:
        return reason_of(verdict.reason)
    listed = {n for b in seen.benches for n in b.names}
    for judged in verdict.judged:
        if judged.verdict == "uncertain" and any(covers(n, judged.component.name) for n in listed):
            return reason_of(judged.reason)
    if _may_correlate(verdict):
        return "a name is listed under a condition, and read under one"
    if verdict.declared is None or not verdict.declared.complete:
        return "the list can't be evaluated"
    return ""


def _may_correlate(verdict: Verdict) -> bool:
    """Whether a name is listed on a condition and only read on one: they may exclude each other."""
    for listed in verdict.declared.names if verdict.declared is not None else ():
        read = verdict.demand.read_of(tuple(listed.name.split("."))) if verdict.demand else None
        if not listed.certain and read is not None and read.guarded:
            return True
    return False


def count_completeness(seen: Seen, tally: Tally) -> None:
    """(4) Count unused paths that the verdict names, and those that it does not."""
    tally.classes += 1
    if not seen.comparable or seen.verdict is None:
        tally.unusable[_problem(seen)] += 1
        return
    named = seen.non_inference
    known = {p for b in seen.benches for p in b.paths}
    tally.found += sum(1 for n in named if n in known)
    maximal: list[str] = []
    for path in sorted(known, key=lambda p: (p.count("."), p)):
        if any(covers(n, path) for n in [*named, *maximal]):
            continue
        if any(covers(path, n) for n in named) or any(b.uses([path]) for b in seen.benches):
            continue
        holders = [b for b in seen.benches if path in b.paths]
        if all(b.why_needed([path]) is None for b in holders):
            maximal.append(path)
            tally.missed[_cause(seen.verdict, path)] += 1


def _problem(seen: Seen) -> str:
    problems = [b.problem for b in seen.benches if b.problem]
    return problems[0][:60] if problems else "not seen"


def _cause(verdict: Verdict, path: str) -> str:
    judged = verdict.component(path)
    if judged is None:
        return "no component"
    if judged.verdict == "uncertain":
        return f"uncertain: {reason_of(judged.reason)}"
    last = judged.evidence[-1].text if judged.evidence else ""
    return f"{judged.verdict}: {reason_of(last, judged.component.name)}"


def crashes(judgement: Judgement) -> Iterator[Counterexample]:
    """(5) No command crashes."""
    for command, text in judgement.crashes.items():
        yield Counterexample(5, "", f"{command} crashed:\n{text}")


def broken_fixes(
    program: Program, directory: Path, judgement: Judgement, seen: dict[Key, Seen], tally: Tally
) -> Iterator[Counterexample]:
    """(2) A safe fix leaves a module that builds, syncs and computes the same.

    What still has an error finding afterwards, for which there is no safe fix, may fail as
    before.
    """
    outcome = judgement.fixed
    if outcome is None or not outcome.after:
        return
    fixed = directory.with_name(f"{directory.name}_fixed")
    try:
        program.write(fixed)
        for path, data in outcome.after.items():
            (fixed / path.name).write_bytes(data)
        with imported(fixed, program) as classes:
            for key, cls in classes.items():
                one = seen[key]
                if one.comparable:
                    tally.repaired += 1
                    yield from _still_works(one, cls, judgement.remaining)
    except Exception as error:  # noqa: BLE001 - a file that can't be imported, say
        yield Counterexample(2, "", f"the fixed package fails: {type(error).__name__}: {error}")
    finally:
        shutil.rmtree(fixed, ignore_errors=True)


def _still_works(one: Seen, cls: type, remaining: tuple[Finding, ...]) -> Iterator[Counterexample]:
    bases = [c.__name__ for c in cls.__mro__]
    errors = [f for f in remaining if f.cls in bases and f.severity == "error"]
    for bench in one.benches:
        now = bench.deploy(cls)
        if not now.stage:
            continue
        if not bench.deployed.stage:
            text = f"worked before the fix, now {now.stage}: {now.error}"
        elif not errors and not excuse(one):
            text = f"is clean after the fix, but {now.stage}: {now.error}"
        else:
            continue
        yield Counterexample(2, one.name, f"{text}{_under(bench)}")
