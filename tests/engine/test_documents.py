"""Notebooks, Markdown and standard input, from the command line to the bytes on disk."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from inflint.checks.pages import rules
from inflint.cli import main
from inflint.sources.markdown import read_markdown
from tests.sources.notebooks import IMPORTS, MODULE, as_jupyter, code, notebook, prose

if TYPE_CHECKING:
    from pathlib import Path

API = "from ray.rllib.core.rl_module.apis import InferenceOnlyAPI"
LIST = '\n    def get_non_inference_attributes(self):\n        return ["vf"]\n'
CHILD_SETUP = """\
    def setup(self):
        super().setup()
        self.q = nn.Linear(1, 1)"""
TORCH = '"from ray.rllib.core.rl_module.torch'
INSERTED = [
    r'"    def get_non_inference_attributes(self):\n",',
    r'"        return [\"vf\"]\n",',
    r'"\n",',
]
FIXED = MODULE.replace("(TorchRLModule)", "(TorchRLModule, InferenceOnlyAPI)").replace(
    "\n    def _forward", f"{LIST}\n    def _forward"
)


def run(*args: object, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(main, [str(a) for a in args], input=stdin)


def found(*args: object, stdin: bytes = b"") -> list[tuple[Any, ...]]:
    """Code, cell, line, column and class of each finding."""
    result = run("check", "--format", "json", *args, stdin=stdin)
    findings = json.loads(result.stdout)["findings"]
    return [(f["code"], f["cell"], f["line"], f["column"], f["class"]) for f in findings]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "book.ipynb"
    install = code("%pip install -q 'ray[rllib]'\n!nvidia-smi")
    output = {"output_type": "stream", "name": "stdout", "text": ["é\n", "x"]}
    cells = [
        prose("# M"),
        install,
        code(IMPORTS),
        code(f"%%time\n{MODULE}", execution_count=3, outputs=[output]),
        code("m = M()\n%time m.forward({})\nm?"),
    ]
    path.write_bytes(as_jupyter(*cells, kernelspec={"language": "python", "name": "python3"}))
    return path


def test_check_names_cell_and_line(book: Path) -> None:
    result = run("check", book)
    head, excerpt, carets, _, evidence, *_ = result.stdout.splitlines()
    assert head.endswith("book.ipynb:cell 4:2:1: warning INF101 missing-inference-api")
    assert excerpt == "    2 | class M(TorchRLModule):"
    assert carets == "      | ^^^^^^^"
    assert evidence.endswith("book.ipynb:cell 4:5: vf is built here")
    (finding,) = json.loads(run("check", "--format", "json", book).stdout)["findings"]
    assert (finding["cell"], finding["line"], finding["fix"]) == (4, 2, "safe")
    assert [(e["cell"], e["line"]) for e in finding["evidence"]] == [(4, 5)]


def test_a_directory_gives_its_notebooks(book: Path) -> None:
    (book.parent / "README.md").write_text(f"```python\n{IMPORTS}\n{MODULE}\n```\n")
    assert found(book.parent) == [("INF101", 4, 2, 1, "M")]


def test_inspect_names_cells(book: Path) -> None:
    assert "book.ipynb:cell 4:2\n" in run("inspect", book).stdout
    (cls,) = json.loads(run("inspect", "--format", "json", book).stdout)["classes"]
    assert (cls["cell"], cls["line"]) == (4, 2)
    assert [(e["cell"], e["line"]) for e in cls["components"][0]["evidence"]] == [(4, 4), (4, 8)]


def test_fix_writes_only_the_lines_that_change(book: Path) -> None:
    before = book.read_text()
    assert run("fix", "--write", book).exit_code == 0
    expected = before
    for old, new in (
        ('"class M(TorchRLModule):', ['"class M(TorchRLModule, InferenceOnlyAPI):']),
        ('"    def _forward', [*INSERTED, '"    def _forward']),
        (TORCH, [f'"{API}\\n",', TORCH]),
    ):
        assert expected.count(old) == 1
        expected = expected.replace(old, "\n    ".join(new))
    assert book.read_text() == expected
    assert found(book) == []
    assert run("fix", book).exit_code == 0


def test_diff_shows_the_cells(book: Path) -> None:
    result = run("fix", book)
    assert result.exit_code == 1
    assert "book.ipynb:cell 3\n" in result.stdout
    assert f"\n+{API}\n" in result.stdout
    assert "\n %%time\n-class M(TorchRLModule):\n+class M(" in result.stdout
    assert "exec(" not in result.stdout
    assert "book.ipynb:cell 4:2: INF101 M: would fix: list vf" in result.stderr


def test_a_new_import_goes_where_imports_are(tmp_path: Path) -> None:
    """Above the class, in the last cell before it that imports from the framework."""
    path = tmp_path / "b.ipynb"
    first, second = IMPORTS.split("\n\n")
    cells = [code(first), code(second), code("x = 1"), code(MODULE), code("from ray import tune")]
    path.write_bytes(as_jupyter(*cells))
    run("fix", "--write", path)
    fixed = ["".join(c["source"]) for c in json.loads(path.read_bytes())["cells"]]
    torch = "from ray.rllib.core.rl_module.torch import TorchRLModule"
    assert fixed[1] == f"from ray.rllib.core.columns import Columns\n{API}\n{torch}"
    assert fixed[3] == FIXED
    assert [fixed[0], fixed[2], fixed[4]] == [first, "x = 1", "from ray import tune"]


def test_fixes_over_several_passes(tmp_path: Path) -> None:
    """The second class's list builds on the first one's, which the first pass writes."""
    path = tmp_path / "b.ipynb"
    child = f"class N(M):\n{CHILD_SETUP}"
    path.write_bytes(as_jupyter(code(IMPORTS), code(MODULE), code(child)))
    result = run("fix", "--write", path)
    assert "Fixed 2, left 0." in result.stderr
    assert "b.ipynb:cell 3:1: INF201 N: fixed: list q" in result.stderr
    assert found(path) == []


def test_a_cell_that_does_not_parse(tmp_path: Path) -> None:
    path = tmp_path / "b.ipynb"
    cells = [code("x = = 1\ny"), code(IMPORTS), code(MODULE), code("if x:\ny"), code("print 3")]
    path.write_bytes(as_jupyter(*cells))
    assert found(path) == [
        ("INF900", 1, 1, 5, None),
        ("INF101", 3, 1, 1, "M"),
        ("INF900", 4, 2, 1, None),
        ("INF900", 5, 1, 1, None),
    ]
    text = run("check", path).stdout
    assert "    1 | x = = 1\n      |     ^\n" in text
    assert "the cell cannot be read: invalid syntax" in text
    run("fix", "--write", path)
    assert [code for code, *_ in found(path)] == ["INF900"] * 3


def test_a_class_in_a_cell_that_does_not_parse(tmp_path: Path) -> None:
    path = tmp_path / "b.ipynb"
    path.write_bytes(as_jupyter(code(IMPORTS), code(f"{MODULE}\n= 3")))
    assert found(path) == [("INF900", 2, 8, 1, None)]


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"not json", (1, 1)),
        (b'{"cells": [\n{"class ": ]}', (2, 12)),
        (b'{"nbformat": 4}', (1, 1)),
        (b'{"cells": 3, "a_class": 1}', (1, 1)),
    ],
)
def test_what_is_no_notebook(data: bytes, place: tuple[int, int], tmp_path: Path) -> None:
    path = tmp_path / "b.ipynb"
    path.write_bytes(data)
    assert found(tmp_path) == [("INF900", None, *place, None)]
    assert run("fix", "--write", path).exit_code == 0
    assert path.read_bytes() == data


def test_an_empty_notebook(tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_bytes(b"")
    (tmp_path / "b.ipynb").write_bytes(as_jupyter())
    (tmp_path / "c.ipynb").write_bytes(as_jupyter(code("%%bash\nclass")))
    result = run("check", tmp_path)
    assert result.stdout == "No findings: 0 RLModule classes in 3 files.\n"


def test_a_source_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "b.ipynb"
    cells = [code(IMPORTS), {**code(""), "source": 5}, code(MODULE), code("a = '\ud800'")]
    path.write_text(json.dumps(notebook(*cells)))
    assert found(path) == [
        ("INF900", 2, 1, 1, None),
        ("INF101", 3, 1, 1, "M"),
        ("INF900", 4, 1, 1, None),
    ]
    run("fix", "--write", path)
    sources = [c["source"] for c in json.loads(path.read_text())["cells"]]
    assert sources[1::2] == [5, ["a = '\ud800'"]]
    assert "".join(sources[2]) == FIXED


def test_another_version_of_a_class_in_a_later_cell(tmp_path: Path) -> None:
    """The child derives from the version that ran before it."""
    path = tmp_path / "b.ipynb"
    child = "class N(M):\n    pass"
    later = MODULE.replace("M(", "M(").replace("self.pi(batch", "self.pi(self.vf(batch") + ")"
    later = later.replace("[Columns.OBS])})", "[Columns.OBS]))}")
    path.write_bytes(as_jupyter(code(IMPORTS), code(MODULE), code(child), code(later), code(child)))
    classes = json.loads(run("inspect", "--format", "json", path).stdout)["classes"]
    assert [(c["cell"], c["qualname"], c["non_inference"]) for c in classes] == [
        (2, "M", ["vf"]),
        (3, "N", ["vf"]),
        (4, "M", []),
        (5, "N", []),
    ]


def test_a_magic_may_read_anything(tmp_path: Path) -> None:
    path = tmp_path / "b.ipynb"
    reading = MODULE.replace("        return", "        %timeit self.vf(batch)\n        return")
    path.write_bytes(as_jupyter(code(IMPORTS), code(reading)))
    assert found(path) == []
    assert "? vf (module): uncertain" in run("inspect", path).stdout


def test_no_notebook_no_json() -> None:
    """What a run over Python alone imports."""
    import subprocess

    program = (
        "import sys; from inflint.sources.disk import Disk; from pathlib import Path\n"
        "assert Disk({Path('/a.py'): b'class A: pass'}).document(Path('/a.py')) is None\n"
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert not loaded & {"json", "inflint.sources.notebook", "inflint.sources.markdown", "difflib"}


# Markdown


PAGE = f"""\
# Modules

```python
{IMPORTS}
```

1. Then:

   ```python
{"".join(f"   {line}" if line.strip() else line for line in MODULE.splitlines(keepends=True))}
   ```

   ```python
   class Broken(TorchRLModule):
   ...
       m = M(
   ```
"""


def test_markdown(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(PAGE)
    line = PAGE.splitlines().index("   class M(TorchRLModule):") + 1
    assert found(path) == [("INF101", None, line, 4, "M")]
    head, excerpt, carets, *_ = run("check", path).stdout.splitlines()
    assert head.endswith(f"page.md:{line}:4: warning INF101 missing-inference-api")
    assert excerpt == f"{line:>5} |    class M(TorchRLModule):"
    assert carets == "      |    ^^^^^^^"
    assert "fix exists" not in run("check", path).stdout
    assert found(tmp_path) == []  # it has to be named


def test_markdown_is_not_edited(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(PAGE)
    result = run("fix", "--write", path)
    assert result.exit_code == 0
    assert path.read_text() == PAGE
    assert "left: Markdown is checked, but not edited" in result.stderr


# Standard input


def test_stdin(tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "base.py").write_text(f"{IMPORTS}\n\n\n{MODULE}\n")
    text = b"from .base import M\n\n\nclass Child(M):\n    pass\n"
    name = package / "new.py"
    assert found("-", "--stdin-filename", name, stdin=text) == []
    assert not name.exists()
    child = b"from torch import nn\n" + text.replace(
        b"    pass",
        b"    def setup(self):\n        super().setup()\n        self.q = nn.Linear(1, 1)",
    )
    assert found("-", "--stdin-filename", name, stdin=child) == [("INF101", None, 5, 1, "Child")]
    result = run("check", "-", "--stdin-filename", name, stdin=child)
    assert "    5 | class Child(M):\n      | ^^^^^^^^^^^\n" in result.stdout


def test_stdin_stands_for_the_file_of_its_name(tmp_path: Path) -> None:
    path = tmp_path / "m.py"
    path.write_text("x = 1\n")
    text = f"{IMPORTS}\n{MODULE}\n".encode()
    assert found("-", "--stdin-filename", path, stdin=text) == [("INF101", None, 6, 1, "M")]
    assert found("-", stdin=text) == [("INF101", None, 6, 1, "M")]


def test_a_notebook_on_stdin(book: Path, tmp_path: Path) -> None:
    data = book.read_bytes()
    name = tmp_path / "other.ipynb"
    assert found("-", "--stdin-filename", name, stdin=data) == [("INF101", 4, 2, 1, "M")]
    result = run("fix", "-", "--stdin-filename", name, stdin=data)
    run("fix", "--write", book)
    assert result.stdout_bytes == book.read_bytes()


def test_stdin_stands_alone(tmp_path: Path) -> None:
    result = run("check", "-", tmp_path)
    assert result.exit_code == 2
    assert "- stands alone" in result.stderr


def test_suppressions_in_cells(book: Path) -> None:
    assert run("check", "--add-noqa", book).exit_code == 0
    text = book.read_text()
    assert text.count("class M(TorchRLModule):  # noqa: INF101\\n") == 1
    assert found(book) == []
    book.write_text(text.replace("INF101", "INF203"))
    assert [f[:3] for f in found(book)] == [("INF101", 4, 2), ("INF901", 4, 2)]
    run("fix", "--write", book)
    assert "noqa" not in book.read_text()
    assert found(book) == []


@pytest.mark.parametrize("form", ["github", "gitlab", "sarif", "junit", "concise"])
def test_reports_for_programs_name_the_cell(form: str, book: Path) -> None:
    """Programs that know no cells are sent to the notebook's first line."""
    text = run("check", "--format", form, book).stdout
    assert ("cell 4, line 2: M: " in text) or ("cell 4:2:1" in text)
    if form == "sarif":
        (result,) = json.loads(text)["runs"][0]["results"]
        assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 1
        assert "fixes" not in result
    if form == "github":
        assert "line=1," in text


@pytest.mark.parametrize("rule", ["INF206", "INF301", "INF302", "INF307"])
def test_blocks_of_a_page_do_not_mix(rule: str, tmp_path: Path) -> None:
    """Each page defines the same classes over and over, wrong and right."""
    page = tmp_path / "page.md"
    page.write_text(rules()[rule].text)
    together = {(f[0], f[2], f[4]) for f in found(page)}
    alone = set()
    for chunk in read_markdown(page.read_bytes()).chunks:
        results = found("-", "--stdin-filename", tmp_path / "x.py", stdin=chunk.source.encode())
        alone |= {(f[0], f[2] + chunk.line - 1, f[4]) for f in results if f[0] != "INF900"}
    assert together == alone
    assert any(f[0] == rule for f in together)
