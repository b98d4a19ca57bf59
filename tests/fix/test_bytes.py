"""Whatever a file looks like, only the edited lines change, and they look like their neighbours."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

import pytest

from inflint.fix.edits import CannotFixError, Document, Edit
from tests.fix.harness import FORWARD, IMPORTS, SETUP, check_noop, check_transformed

if TYPE_CHECKING:
    from pathlib import Path

BEFORE = (
    IMPORTS.replace("from ray.rllib.core.rl_module.apis import InferenceOnlyAPI\n", "")
    + "class Policy(TorchRLModule):\n"
    + SETUP
    + FORWARD
)
METHOD = '\n    def get_non_inference_attributes(self):\n        return ["vf", "aux", "third"]\n'
AFTER = IMPORTS + "class Policy(TorchRLModule, InferenceOnlyAPI):\n" + SETUP + METHOD + FORWARD


def test_plain(tmp_path: Path) -> None:
    check_transformed(BEFORE, AFTER, tmp_path)


@pytest.mark.parametrize("newline", [b"\r\n", b"\r"], ids=["CRLF", "CR"])
def test_line_ends(tmp_path: Path, newline: bytes) -> None:
    before, after = (t.encode().replace(b"\n", newline) for t in (BEFORE, AFTER))
    check_transformed(before, after, tmp_path)


def test_mixed_line_ends(tmp_path: Path) -> None:
    """New lines end like the line above them."""

    def mixed(text: str) -> bytes:
        head, setup, tail = text.partition("    def setup")
        return head.encode() + (setup + tail).replace("\n", "\r\n").encode()

    check_transformed(mixed(BEFORE), mixed(AFTER), tmp_path)


def test_byte_order_mark(tmp_path: Path) -> None:
    check_transformed(codecs.BOM_UTF8 + BEFORE.encode(), codecs.BOM_UTF8 + AFTER.encode(), tmp_path)


def test_no_final_newline(tmp_path: Path) -> None:
    check_transformed(BEFORE.rstrip("\n"), AFTER.rstrip("\n"), tmp_path)


def test_no_final_newline_where_the_method_goes(tmp_path: Path) -> None:
    head = BEFORE.partition("    def setup")[0]
    before = head + FORWARD.lstrip("\n") + "\n" + SETUP.rstrip("\n")
    after = (
        AFTER.partition("    def setup")[0]
        + FORWARD.lstrip("\n")
        + "\n"
        + SETUP
        + METHOD.rstrip("\n")
    )
    check_transformed(before, after, tmp_path)


def test_latin_1(tmp_path: Path) -> None:
    def encoded(text: str) -> bytes:
        text = text.replace("self.vf ", "self.größe ").replace("self.vf(", "self.größe(")
        text = text.replace('"vf"', '"größe"')
        return f"# -*- coding: latin-1 -*-\n# für alle\n{text}".encode("latin-1")

    check_transformed(encoded(BEFORE), encoded(AFTER), tmp_path)


def test_wide_characters_on_the_edited_line(tmp_path: Path) -> None:
    head = IMPORTS + "class Policy(TorchRLModule, InferenceOnlyAPI):\n" + SETUP + FORWARD
    method = "\n    def get_non_inference_attributes(self):\n        '🙂€'; return [{}]  # 🙂\n"
    check_transformed(
        head + method.format('"vf", "aux", "third", "vf"'),
        head + method.format('"vf", "aux", "third"'),
        tmp_path,
    )


def test_tabs(tmp_path: Path) -> None:
    before, after = (t.replace("    ", "\t") for t in (BEFORE, AFTER))
    check_transformed(before, after, tmp_path)


def test_form_feeds_and_blanks_at_line_ends(tmp_path: Path) -> None:
    before, after = (
        t.replace("class Policy", "\f\nclass Policy").replace(
            "self.pi = nn.Linear(4, 2)", "self.pi = nn.Linear(4, 2)   \t"
        )
        for t in (BEFORE, AFTER)
    )
    check_transformed(before, after, tmp_path)


def test_an_encoding_without_the_letter(tmp_path: Path) -> None:
    """The inherited name cannot be written in the child's encoding."""
    parent = BEFORE.replace("self.third", "self.größe")
    (tmp_path / "parent.py").write_text(parent, encoding="utf-8")
    child = "# coding: ascii\nfrom parent import Policy\n\n\nclass Child(Policy):\n    x = 1\n\n"
    child += "    def setup(self):\n        super().setup()\n        self.fourth = 1\n"
    check_noop(child, tmp_path)
    document = Document(child.encode())
    with pytest.raises(CannotFixError, match="ascii has no 'ö'"):
        document.spliced([Edit(20, 20, "ö")])


def test_an_encoding_that_shifts_its_state() -> None:
    data = "# coding: iso2022_jp\nx = 'あい'\n".encode("iso2022_jp")
    document = Document(data)
    assert document.spliced([Edit(21, 22, "y")]).decode("iso2022_jp").endswith("y = 'あい'\n")
    place = document.text.index("い")
    with pytest.raises(CannotFixError, match="cannot be edited in place"):
        document.spliced([Edit(place, place, "う")])
