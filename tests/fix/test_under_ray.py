"""What the fixes write works: RLlib builds it in both modes, syncs it, and it computes the same."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from inflint.engine.fixing import fix, graded
from inflint.engine.run import Request, check
from tests.accuracy.test_rllib import MISSING_API
from tests.fix.harness import CODES

pytest.importorskip("ray.rllib")
sys.path.append(str(Path(__file__).parent.parent / "corpus"))

from corpus_cases import CASES, Case, cases

pytestmark = [pytest.mark.ray]
#: Not for the list to decide: what RLlib cannot handle, or the class does on its own.
BEYOND_THE_LIST = {
    "b_stub_after_removal:M",  # puts a stub in the removed one's place
}
CONTRACT = Path(__file__).parent / "contract.py"


def faults(directory: Path, jobs: list[dict[str, str]], tmp_path: Path) -> dict[str, list[str]]:
    listed = tmp_path / "jobs.json"
    listed.write_text(json.dumps(jobs), encoding="utf-8")
    command = [sys.executable, str(CONTRACT), str(directory), str(listed)]
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(result.stdout.splitlines()[-1])


def write_fixes(directory: Path, *, unsafe: bool = False, codes: frozenset[str] = CODES) -> None:
    request = Request((directory,), codes=codes)
    outcome = fix(request, unsafe=unsafe)
    assert not [left for left in outcome.left if left.bug]
    for path, data in outcome.after.items():
        path.write_bytes(data)
    assert fix(request, unsafe=unsafe).after == {}


def test_rllib(tmp_path: Path) -> None:
    """Each class of the "Missing API" rows gets its override, and works."""
    import ray

    source, copy = Path(ray.__file__).parent, tmp_path / "copy"
    ignore = shutil.ignore_patterns("__pycache__", "*.pyc")
    shutil.copytree(source / "rllib", copy / "ray" / "rllib", ignore=ignore)
    (copy / "ray" / "__init__.py").touch()
    before = {f.cls: f for f in check(Request((copy,))).findings if f.code == "INF101"}
    assert set(before) == set(MISSING_API)
    write_fixes(copy)
    assert not [f for f in check(Request((copy,))).findings if f.fix == "safe" and f.code in CODES]
    (copy / "ray" / "__init__.py").unlink()
    jobs = []
    for name, (file, attributes) in MISSING_API.items():
        text = (copy / "ray" / "rllib" / file).read_text(encoding="utf-8")
        listed = ", ".join(f'"{n}"' for n in attributes.split(", "))
        assert f"return [{listed}]" in text
        module = ".".join(("ray", "rllib", *Path(file).with_suffix("").parts))
        jobs.append({"id": name, "name": name, "module": module})
    assert faults(copy, jobs, tmp_path) == {name: [] for name in MISSING_API}


UNSAFE_FOR = "class_registries:Replaced"
"""What its base's list names, it may need: the edit of the base is made here, but is unsafe."""


def test_corpus(tmp_path: Path) -> None:
    """Each class of the corpus whose findings were all fixed works."""
    copy = tmp_path / "copy"
    shutil.copytree(CASES, copy, ignore=shutil.ignore_patterns("__pycache__", "*.toml"))
    targets = {case.target for case in cases()}
    broken: set[tuple[str, str | None]] = set()
    fixable: list[tuple[str, str | None]] = []
    for target in targets:
        mine = copy / target.relative_to(CASES)
        write_fixes(mine, unsafe=True)
        for finding in graded(check(Request((mine,)))).findings:
            if finding.fix != "none" and finding.code in CODES:
                fixable.append((finding.code, finding.cls))
            if finding.severity != "info":
                broken.add((str(finding.path), finding.cls))
    # Subclasses of these need what they do not.
    assert sorted(fixable) == [("INF101", "Base"), ("INF101", "Middle")]
    jobs = [_job(case) for case in cases() if case.runtime and _id(case, copy) not in broken]
    left_out = {*BEYOND_THE_LIST, UNSAFE_FOR}
    found = faults(copy, [job for job in jobs if job["id"] not in left_out], tmp_path)
    assert {name: why for name, why in found.items() if why} == {}
    assert len(found) > 80


def _id(case: Case, copy: Path) -> tuple[str, str | None]:
    return str(copy / case.file.relative_to(CASES)), case.name


def _job(case: Case) -> dict[str, str]:
    module = ".".join(case.file.relative_to(CASES).with_suffix("").parts)
    job = {"id": case.id, "module": module, "get": case.get, "configs": case.configs}
    job["ignored"] = " ".join(case.ignore_outputs)
    text = case.file.read_text(encoding="utf-8")
    return job | {"guarded": "yes"} if "inference_only:" in text or "hasattr" in text else job
