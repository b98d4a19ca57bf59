"""Comments that hide findings: where they reach, when they are of no use, and writing them."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from inflint.checks.pages import rules
from tests.cli.project import IMPORTS, LISTED, PLAIN, UNLISTED, USED, codes, found, run, write

RETURN = '        return ["pi", "vf"]'


def on_return(comment: str) -> str:
    return USED.replace(RETURN, f"{RETURN}  {comment}")


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa: INF202",
        "#noqa:INF202",
        "# NOQA : inf202",
        "# noqa: INF2",
        "# noqa: F401,INF202",
        "# noqa: F401 INF202",
        "# noqa: E501, listed-but-used",
        "# noqa: listed-but-used we know",
        "# noqa",
        "# noqa because",
        "# type: ignore # noqa: INF202",
        "# inflint: ignore[INF202]",
        "# inflint: ignore[listed-but-used, INF203] it is right",
        "# inflint:ignore",
    ],
)
def test_on_the_line(tmp_path: Path, comment: str) -> None:
    path = write(tmp_path / "m.py", on_return(comment))
    assert "INF202" not in codes(path)
    assert "INF202" in codes(path, "--ignore-noqa")


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa: INF203",
        "# noqa: F401",
        "# noqa: see below",
        "# noqa:",
        "# noqualm: INF202",
        "# inflint: ignore[INF203]",
        "# inflint: ignored",
        "# we ignore noqa here",
    ],
)
def test_what_is_not_for_it(tmp_path: Path, comment: str) -> None:
    assert "INF202" in codes(write(tmp_path / "m.py", on_return(comment)))


def test_a_string_is_no_comment(tmp_path: Path) -> None:
    text = USED.replace(RETURN, '        _ = """\n# noqa: INF202\n"""; return ["pi", "vf"]')
    assert codes(write(tmp_path / "m.py", text)) == ["INF202"]
    text = USED.replace(RETURN, f'{RETURN} + ["# noqa: INF202"][1:]')
    assert "INF202" in codes(write(tmp_path / "m.py", text))


SPREAD = """\
        return [  {first}
            "pi",  {middle}
            "vf",  {other}
        ]  {last}
"""


@pytest.mark.parametrize(
    ("place", "hidden"), [("first", True), ("middle", True), ("other", False), ("last", True)]
)
def test_statements_of_several_lines(tmp_path: Path, place: str, hidden: bool) -> None:
    comments = dict.fromkeys(("first", "middle", "other", "last"), "")
    comments[place] = "# noqa: INF202"
    text = USED.replace(RETURN + "\n", SPREAD.format(**comments))
    assert ("INF202" not in codes(write(tmp_path / "m.py", text))) is hidden


def test_own_comments_hold_for_what_follows(tmp_path: Path) -> None:
    text = USED.replace(RETURN, "        # inflint: ignore[INF202]\n" + RETURN)
    assert codes(write(tmp_path / "m.py", text)) == []
    text = USED.replace(RETURN, "        # noqa: INF202\n" + RETURN)
    assert codes(write(tmp_path / "m.py", text)) == ["INF901", "INF202"]
    inside = SPREAD.format(first="", middle="", other="", last="").replace(
        '            "pi"', '            # inflint: ignore[INF202]\n            "pi"'
    )
    assert codes(write(tmp_path / "m.py", USED.replace(RETURN + "\n", inside))) == []


HEAD = "class M(TorchRLModule, InferenceOnlyAPI):"


@pytest.mark.parametrize(
    ("head", "hidden"),
    [
        (f"{HEAD}  # noqa: INF202", True),
        (f"{HEAD}  # inflint: ignore[INF202] reason", True),
        (f"{HEAD}  # inflint: ignore", True),
        (f"{HEAD}  # noqa", False),  # other tools mean the line by it
        (f"# inflint: ignore[INF202]\n{HEAD}", True),
        (f"# noqa: INF202\n{HEAD}", True),
        (f"# noqa\n{HEAD}", False),
        (f"# inflint: ignore[INF202]\n# more words\n@final\n{HEAD}", True),
        (f"@final\n# inflint: ignore[INF202]\n{HEAD}", True),
        (f"# inflint: ignore[INF202]\n\n{HEAD}", False),
        ("class M(  # noqa: INF202\n    TorchRLModule, InferenceOnlyAPI\n):", True),
        ("class M(\n    TorchRLModule, InferenceOnlyAPI\n):  # noqa: INF202", True),
    ],
)
def test_on_the_class(tmp_path: Path, head: str, hidden: bool) -> None:
    text = "from typing import final\n" + USED.replace(HEAD, head)
    assert ("INF202" not in codes(write(tmp_path / "m.py", text))) is hidden


def test_a_class_is_not_its_neighbour(tmp_path: Path) -> None:
    both = (
        USED.replace(HEAD, f"# inflint: ignore[INF202]\n{HEAD}")
        + "\n\n"
        + USED.replace(IMPORTS, "").replace("class M", "class N")
    )
    (left,) = found(write(tmp_path / "m.py", both))
    assert (left["code"], left["class"]) == ("INF202", "N")


@pytest.mark.parametrize(
    ("line", "hidden"),
    [
        ("# inflint: ignore-file[INF202]", True),
        ("# inflint: ignore-file", True),
        ("# inflint: ignore-file[INF203]", False),
        ("# ruff: noqa: INF202", True),
        ("# flake8: noqa: E501, INF202", True),
        ("# flake8: noqa", True),
        ("# ruff: noqa: F401", False),
        ("x = 1  # ruff: noqa: INF202", False),
    ],
)
def test_for_the_file(tmp_path: Path, line: str, hidden: bool) -> None:
    for text in (f"{line}\n{USED}", f"{USED}\n{line}\n"):
        assert ("INF202" not in codes(write(tmp_path / "m.py", text))) is hidden


def test_a_finding_in_a_base_elsewhere(tmp_path: Path) -> None:
    """The list stands in a mixin; the class that makes it wrong is in the other file."""
    mixin = (
        "class Lists:\n    def get_non_inference_attributes(self):\n        return ['pi', 'vf']\n"
    )
    module = (
        IMPORTS
        + "from lists import Lists\n\n\n"
        + LISTED.replace(IMPORTS, "")
        .split("\n    def get_non")[0]
        .replace("(Torch", "(Lists, Torch")
    )
    base = write(tmp_path / "lists.py", mixin)
    child = write(tmp_path / "m.py", module)
    (finding,) = found(tmp_path)
    assert (finding["code"], Path(finding["path"]).name) == ("INF202", "lists.py")
    on_child = module.replace("class M", "# inflint: ignore[INF202]\nclass M")
    write(child, on_child)
    assert codes(tmp_path) == codes(child) == codes(base) == []
    write(child, module)
    write(base, mixin.replace("'vf']", "'vf']  # noqa: INF202"))
    # Alone, the base cannot tell that its comment is needed elsewhere.
    assert codes(tmp_path) == codes(child) == codes(base) == []


def test_the_count_is_told(tmp_path: Path) -> None:
    path = write(tmp_path / "m.py", on_return("# noqa: INF202"))
    assert run("check", path).stdout == (
        "No findings (1 suppressed): 1 RLModule class in 1 file.\n"
    )
    assert json.loads(run("check", "--format", "json", path).stdout)["suppressed"] == 1
    assert (
        json.loads(run("check", "--format", "json", "--ignore", "INF2", path).stdout)["suppressed"]
        == 0
    )


# INF901


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("# noqa: INF203", "INF203 suppresses nothing"),
        ("# noqa: INF202, INF203, INF1", "INF202, INF203, INF1 suppresses nothing"),
        ("# noqa: unresolved-path", "unresolved-path suppresses nothing"),
        ("# inflint: ignore[INF203] reason", "INF203 suppresses nothing"),
        ("# inflint: ignore", "the suppression suppresses nothing"),
        ("# inflint: ignore[]", "the suppression names no rule"),
        ("# noqa: INF777", "no rule matches 'INF777'"),
        ("# inflint: ignore[listed-but-use]", "did you mean 'listed-but-used'?"),
    ],
)
def test_unused(tmp_path: Path, comment: str, message: str) -> None:
    line = f'        return ["vf"]  {comment}'
    text = LISTED.replace('        return ["vf"]', line)
    (finding,) = found(write(tmp_path / "m.py", text))
    assert (finding["code"], finding["severity"], finding["class"]) == ("INF901", "warning", "M")
    assert message in finding["message"]
    end = len(line)
    assert (finding["line"], finding["column"], finding["end_column"]) == (16, 24, end + 1)


@pytest.mark.parametrize(
    ("comment", "args"),
    [
        ("# noqa", ()),
        ("# noqa: F401", ()),
        ("# noqa: some-other-name", ()),
        ("# noqa: INF405", ()),  # off by default
        ("# noqa: INF203", ("--ignore", "INF203")),
        ("# noqa: INF2", ("--ignore", "INF203")),
        ("# inflint: ignore", ("--select", "INF2,INF9")),
        ("# noqa: INF203", ("--ignore", "unused-suppression")),
        ("# noqa: INF203, INF901", ()),
        ("# noqa: INF203", ("--ignore-noqa",)),
    ],
)
def test_not_called_unused(tmp_path: Path, comment: str, args: tuple[str, ...]) -> None:
    text = LISTED.replace('["vf"]', f'["vf"]  {comment}')
    assert codes(write(tmp_path / "m.py", text), *args) == []


def test_unused_in_files_without_modules(tmp_path: Path) -> None:
    path = write(tmp_path / "m.py", "# inflint: ignore-file[INF101]\nx = 1  # noqa: INF202\n")
    assert [(f["line"], f["attribute"]) for f in found(path)] == [(1, "INF101"), (2, "INF202")]
    write(path, "x = 1  # noqa: F401, E501\ny = 'inflint: ignore'  # noqa\n")
    assert codes(path) == []


def test_a_broken_file_has_nothing_unused(tmp_path: Path) -> None:
    path = write(tmp_path / "m.py", on_return("# noqa: INF203") + "\n    def broken(:\n")
    assert codes(path) == ["INF900"]


@pytest.mark.parametrize(
    ("comment", "fixed"),
    [
        ("# noqa: INF203", ""),
        ("# noqa: F401, INF203", "  # noqa: F401"),
        ("# noqa: INF203,F401", "  # noqa: F401"),
        ("# noqa: INF203, INF206, F401, INF1", "  # noqa: F401"),
        ("# noqa: INF203 why", "  # why"),
        ("# inflint: ignore[INF203] why", ""),
        ("# why  # inflint: ignore[INF203]", "  # why"),
        ("# inflint: ignore[INF203] why  # noqa: F401", "  # noqa: F401"),
        ("# noqa: INF203  # type: ignore", "  # type: ignore"),
        ("# inflint: ignore", ""),
    ],
)
def test_fix_removes_just_that(tmp_path: Path, comment: str, fixed: str) -> None:
    text = LISTED.replace('["vf"]', f'["vf"]  {comment}').replace("\n", "\r\n")
    path = write(tmp_path / "m.py", text)
    assert run("fix", "--write", path).exit_code == 0
    wanted = LISTED.replace('["vf"]', f'["vf"]{fixed}').replace("\n", "\r\n")
    assert path.read_bytes().decode() == wanted
    assert codes(path) == []


def test_fix_removes_a_line_of_its_own(tmp_path: Path) -> None:
    path = write(tmp_path / "m.py", LISTED.replace(HEAD, f"# inflint: ignore[INF101] why\n{HEAD}"))
    run("fix", "--write", path)
    assert path.read_text() == LISTED


def test_fix_leaves_what_is_hidden_or_not_known(tmp_path: Path) -> None:
    for comment in ("# noqa: INF201", "# noqa: INF201, INF777"):
        text = UNLISTED.replace("return []", f"return []  {comment}")
        line = next(f["line"] for f in found(write(tmp_path / "n.py", UNLISTED)))
        hidden = UNLISTED.splitlines(keepends=True)
        hidden[line - 1] = hidden[line - 1].rstrip("\n") + f"  {comment}\n"
        text = "".join(hidden)
        path = write(tmp_path / "m.py", text)
        run("fix", "--write", path)
        assert path.read_text() == text


# --add-noqa


def test_add_noqa(tmp_path: Path) -> None:
    text = (
        USED.replace(RETURN, f"{RETURN}  # the list")
        + "\n\n"
        + PLAIN.replace(IMPORTS, "")
        .replace("class M", "class N")
        .replace(":\n", ":  # noqa: D101\n", 1)
    ).replace("\n", "\r\n")
    path = write(tmp_path / "m.py", text)
    result = run("check", "--add-noqa", path)
    assert (result.exit_code, result.stderr) == (0, "Wrote noqa comments for 2 of 2 findings.\n")
    wanted = text.replace("# the list", "# the list  # noqa: INF202").replace(
        "# noqa: D101", "# noqa: D101, INF101"
    )
    assert path.read_bytes().decode() == wanted
    assert codes(path) == []
    assert sorted(codes(path, "--ignore-noqa")) == ["INF101", "INF202"]
    run("check", "--add-noqa", path)
    assert path.read_bytes().decode() == wanted


def test_add_noqa_where_a_comment_would_be_text(tmp_path: Path) -> None:
    text = USED.replace(RETURN, '        return ["pi", \\\n            "vf"]; """\ntext\n"""')
    path = write(tmp_path / "m.py", text)
    assert codes(path) == ["INF202"]
    run("check", "--add-noqa", path)
    assert path.read_text() == text.replace('text\n"""', 'text\n"""  # noqa: INF202')
    assert codes(path) == []


def test_add_noqa_keeps_other_encodings_and_broken_files(tmp_path: Path) -> None:
    path = tmp_path / "m.py"
    data = ("# -*- coding: latin-1 -*-\n# caf\xe9\n" + USED).encode("latin-1")
    path.write_bytes(data)
    broken = write(tmp_path / "broken.py", "class M(TorchRLModule:\n")
    result = run("check", "--add-noqa", tmp_path)
    assert path.read_bytes() == data.rstrip(b"\n") + b"  # noqa: INF202\n"
    assert broken.read_text() == "class M(TorchRLModule:\n"
    assert "for 1 of 2 findings" in result.stderr


def test_add_noqa_hides_all_and_changes_no_code(tmp_path: Path) -> None:
    """On the bad examples of all rules."""
    for rule in rules().values():
        for index, source in enumerate(rule.examples("bad")):
            write(tmp_path / f"{rule.code}_{index}.py", source)
    before = {path: path.read_text() for path in tmp_path.iterdir()}
    assert len(set(codes(tmp_path, "--select", "ALL"))) >= 20
    run("check", tmp_path, "--select", "ALL", "--add-noqa")
    assert set(codes(tmp_path, "--select", "ALL")) == {"INF900", "INF901"}
    after = {path: path.read_text() for path in tmp_path.iterdir()}
    for path, text in before.items():
        if not path.name.startswith("INF900"):
            assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(after[path]))
    run("check", tmp_path, "--select", "ALL", "--add-noqa")
    assert after == {path: path.read_text() for path in tmp_path.iterdir()}


def test_newer_syntax_is_read_by_another_parser(tmp_path: Path) -> None:
    """Python 3.12's nested quotes: an older tokenizer loses its way in them."""
    newer = 'x = f"{\'a\' + f"{1}" # noqa: F401\n}"\n'
    path = write(tmp_path / "m.py", newer + on_return("# noqa: INF202"))
    assert codes(path) == []


def test_ruff_agrees_on_what_is_a_noqa_comment(tmp_path: Path) -> None:
    """The forms of `# noqa` are those that ruff honours."""
    forms = ["# noqa: {}", "#noqa:{}", "# NOQA: {}", "# noqa : {}", "# noqa: E501,{}",
             "# noqa: E501 {}", "# noqa: {} words", "# x # noqa: {}", "# noqa:  {}", "# noqa",
             "# noqa E501", "# noqas: {}"]  # fmt: skip
    ours, theirs = [], []
    for form in forms:
        write(tmp_path / "m.py", on_return(form.format("INF202")))
        ours.append("INF202" not in codes(tmp_path / "m.py"))
        write(tmp_path / "r.py", f"import os  {form.format('F401')}\n")
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "ruff",
                "check",
                "--isolated",
                "--no-cache",
                "--select",
                "F401",
                "-q",
                "r.py",
            ],
            cwd=tmp_path,
            check=False,
            capture_output=True,
        )
        theirs.append(done.returncode == 0)
    assert dict(zip(forms, ours, strict=True)) == dict(zip(forms, theirs, strict=True))
