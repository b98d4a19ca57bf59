"""SARIF: valid by OASIS's schema, relative, stable, and its fixes are the real ones."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

import jsonschema
import pytest

from inflint.checks.pages import rules
from inflint.engine.fixing import fix
from inflint.engine.run import Request
from inflint.report import as_sarif
from inflint.syntax.headers import split_lines
from tests.report.projects import ODD_NAMES, WITHOUT_API

if TYPE_CHECKING:
    from tests.report.conftest import Check

SCHEMA = json.loads((Path(__file__).parent / "sarif-schema-2.1.0.json").read_text("utf-8"))


def run_of(check: Check, *args: str) -> dict[str, Any]:
    document = json.loads(check("--format", "sarif", *args).stdout_bytes.decode("utf-8"))
    validator = jsonschema.Draft7Validator(
        SCHEMA, format_checker=jsonschema.Draft7Validator.FORMAT_CHECKER
    )
    assert [error.message for error in validator.iter_errors(document)] == []
    (run,) = document["runs"]
    return run


def path_of(artifact: dict[str, str]) -> str:
    assert artifact["uriBaseId"] == "%SRCROOT%"
    return os.fsdecode(unquote_to_bytes(artifact["uri"]))


def place_of(result: dict[str, Any]) -> tuple[str, dict[str, int]]:
    (location,) = result["locations"]
    physical = location["physicalLocation"]
    return path_of(physical["artifactLocation"]), physical["region"]


def test_the_schema_is_a_schema_that_refuses() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"version": "2.1.0", "runs": [{}]}, SCHEMA)


def test_all_findings_with_names_that_need_encoding(check: Check) -> None:
    results = run_of(check)["results"]
    assert len(results) == 14
    uris = [r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results]
    assert "50%25%2Cx%3Ay%23z%3F.py" in uris
    assert "raw-%FF.py" in uris
    assert all(uri.isascii() for uri in uris)
    assert set(ODD_NAMES) <= {place_of(r)[0] for r in results}


def test_columns_are_utf_16_code_units(check: Check) -> None:
    run = run_of(check, "pkg/actor.py")
    assert run["columnKind"] == "utf16CodeUnits"
    balloon, pi = run["results"]
    # `        return ["🎈", "pi", "vf"]`: the balloon is one character of two code units
    assert place_of(balloon) == (
        "pkg/actor.py",
        {"startLine": 16, "startColumn": 17, "endLine": 16, "endColumn": 21},
    )
    assert place_of(pi)[1] == {"startLine": 16, "startColumn": 23, "endLine": 16, "endColumn": 27}


def test_result(check: Check) -> None:
    result = run_of(check, "pkg/actor.py", "--select", "INF202")["results"][0]
    listed = list(rules())
    assert (result["ruleId"], result["level"]) == ("INF202", "error")
    assert result["ruleIndex"] == listed.index("INF202")
    assert result["message"]["text"].startswith("Actor: pi is removed from EnvRunners")
    assert result["locations"][0]["logicalLocations"] == [
        {"fullyQualifiedName": "Actor", "kind": "type"}
    ]
    related = [
        (r["id"], r["physicalLocation"]["region"]["startLine"], r["message"]["text"])
        for r in result["relatedLocations"]
    ]
    assert related == [(1, 9, "pi is built here"), (2, 13, "Actor._forward reads pi")]
    (flow,) = result["codeFlows"][0]["threadFlows"]
    lines = [s["location"]["physicalLocation"]["region"]["startLine"] for s in flow["locations"]]
    assert lines == [9, 13]


def test_rules_come_from_their_pages(check: Check) -> None:
    driver = run_of(check, "pkg/actor.py")["tool"]["driver"]
    assert driver["name"] == "inflint"
    pages = rules()
    assert [rule["id"] for rule in driver["rules"]] == list(pages)
    levels = {"error": "error", "warning": "warning", "info": "note"}
    for entry in driver["rules"]:
        page = pages[entry["id"]]
        assert entry["name"] == page.name
        assert entry["defaultConfiguration"] == {"enabled": page.on, "level": levels[page.severity]}
        assert entry["help"]["markdown"] in page.text.replace("```python bad", "```python").replace(
            "```python good", "```python"
        ).replace("```python fixed", "```python")
        plain = entry["help"]["text"]
        assert "```" not in plain
        assert plain.startswith("What it does\n\n")
        for example in page.examples("bad"):
            assert example in plain


def test_addresses_of_pages(monkeypatch: pytest.MonkeyPatch, check: Check) -> None:
    monkeypatch.setattr(as_sarif, "_project_page", lambda: "https://example.org/inflint")
    driver = run_of(check, "pkg/actor.py")["tool"]["driver"]
    assert driver["informationUri"] == "https://example.org/inflint"
    address = "https://example.org/inflint/blob/v0.1.0/rules/INF101-missing-inference-api.md"
    assert driver["rules"][0]["helpUri"] == address


def test_fingerprints_are_stable_and_distinct(check: Check, project: Path) -> None:
    def marks() -> list[str]:
        return [r["partialFingerprints"]["inflint/v1"] for r in run_of(check)["results"]]

    before = marks()
    assert len(set(before)) == len(before) == 14
    for path in (project / "pkg").glob("*r.py"):
        path.write_bytes(b"# one line more\n" + path.read_bytes())
    assert marks() == before


def test_the_report_is_the_same_in_another_checkout(
    check: Check, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = check("--format", "sarif").stdout_bytes
    other = project.rename(project.with_name("elsewhere"))
    monkeypatch.chdir(other)
    assert check("--format", "sarif").stdout_bytes == first
    monkeypatch.chdir(other / "pkg")
    assert check("--format", "sarif", "..").stdout_bytes == first


def apply(data: bytes, replacements: list[dict[str, Any]]) -> bytes:
    """Replace regions of a UTF-8 file as an editor that counts UTF-16 code units does."""
    lines = [line.encode("utf-16-le") for line in split_lines(data.decode())]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    text = b"".join(lines)
    regions = [(r["deletedRegion"], r["insertedContent"]["text"]) for r in replacements]
    for region, new in sorted(
        regions, key=lambda r: -r[0]["startLine"] * 10**6 - r[0]["startColumn"]
    ):
        start = starts[region["startLine"] - 1] + 2 * (region["startColumn"] - 1)
        end = starts[region["endLine"] - 1] + 2 * (region["endColumn"] - 1)
        text = text[:start] + new.encode("utf-16-le") + text[end:]
    return text.decode("utf-16-le").encode()


@pytest.mark.parametrize("name", ["pkg/actor.py", "pkg/crlf.py", "a b.py", "end.py"])
def test_fixes_are_the_edits_of_the_codemod(check: Check, project: Path, name: str) -> None:
    (project / "end.py").write_text(WITHOUT_API.rstrip("\n"))
    path = project / name
    code = "INF202" if name.startswith("pkg") else "INF101"
    (result,) = run_of(check, name, "--select", code)["results"]
    (proposed,) = result["fixes"]
    (change,) = proposed["artifactChanges"]
    assert path_of(change["artifactLocation"]) == name
    outcome = fix(Request((path,), codes=frozenset([code])), unsafe=False)
    assert apply(path.read_bytes(), change["replacements"]) == outcome.after[path]


def test_unsafe_fixes_are_kept_back(check: Check) -> None:
    (result,) = run_of(check, "pkg/actor.py", "--select", "INF203")["results"]
    assert "fixes" not in result


def test_a_base_outside_the_repository_has_an_absolute_address(
    check: Check, project: Path, tmp_path: Path
) -> None:
    site = tmp_path / "venv" / "lib" / "python3.11" / "site-packages"
    site.mkdir(parents=True)
    (tmp_path / "venv" / "pyvenv.cfg").write_text("home = /usr\nversion = 3.11.0\n")
    (site / "house_base.py").write_text(WITHOUT_API)
    (project / "own.py").write_text(
        "from house_base import Critic\n\n\nclass Own(Critic):\n    pass\n"
    )
    run = run_of(check, "own.py", "--python", str(tmp_path / "venv"))
    (result,) = run["results"]
    (related,) = result["relatedLocations"]
    artifact = related["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": (site / "house_base.py").as_uri()}


def test_a_recorded_base_is_not_said_to_be_in_the_repository(
    check: Check, project: Path, tmp_path: Path
) -> None:
    (tmp_path / "venv" / "lib" / "python3.11" / "site-packages").mkdir(parents=True)
    (project / "own.py").write_text(
        "from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import (\n"
        "    DefaultPPOTorchRLModule,\n"
        ")\n\n\n"
        "class Own(DefaultPPOTorchRLModule):\n"
        "    def get_non_inference_attributes(self):\n"
        '        return ["pi", "vf"]\n'
    )
    run = run_of(check, "own.py", "--python", str(tmp_path / "venv"))
    (result,) = run["results"]
    places = [r["physicalLocation"]["artifactLocation"] for r in result["relatedLocations"]]
    assert {
        "uri": "ray/rllib/algorithms/ppo/torch/default_ppo_torch_rl_module.py",
        "uriBaseId": "%PACKAGES%",
    } in places
    assert set(run["originalUriBaseIds"]) == {"%SRCROOT%", "%PACKAGES%"}
