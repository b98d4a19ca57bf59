"""The plugin for flake8: the findings of inflint's default rules, as flake8 shows its own.

flake8 heeds its own ``# noqa`` and selects codes itself. A file that flake8 cannot parse never
comes here, so the rule about such files is flake8's matter.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from inflint import __version__

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator, Sequence


class Plugin:
    """What flake8 makes for each file.

    Args:
        tree: The file's syntax tree; a plugin that asks for it is called once a file.
        filename: The file, or the name that standard input goes by.
        lines: Its lines with their ends.
    """

    name = "inflint"
    version = __version__

    def __init__(self, tree: ast.AST, filename: str, lines: Sequence[str]) -> None:  # noqa: ARG002
        self._path = Path(os.path.abspath(filename))  # noqa: PTH100 - keeps links
        self._text = "".join(lines)

    def run(self) -> Iterator[tuple[int, int, str, type[Plugin]]]:
        """Line, 0-based column, text and origin of each finding."""
        from inflint.engine.run import Request, check
        from inflint.report.paths import one_line
        from inflint.report.wording import sentence

        request = Request((self._path,), overlay={self._path: _encoded(self._text)})
        for finding in check(request).findings:
            text = f"{finding.code} {one_line(sentence(finding))}"
            yield finding.span.line, finding.span.column, text, Plugin


def _encoded(text: str) -> bytes:
    """The bytes that the text would be read from, by the encoding that it declares."""
    from inflint.sources.decode import DecodeError, encoding_of

    data = text.encode("utf-8", "surrogatepass")
    try:
        return text.encode(encoding_of(data).removesuffix("-sig"))
    except (DecodeError, UnicodeEncodeError):
        return data
