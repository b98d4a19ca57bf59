"""Which files hold Python inside of something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inflint.sources.embedding import Embedding

NOTEBOOKS = (".ipynb",)
MARKDOWN = (".md", ".markdown", ".mdx", ".qmd", ".rmd")
_DOCUMENTS = (*NOTEBOOKS, *MARKDOWN)
_CLASSES = (b"class ", b"class\\", b"_class")
"""A notebook's JSON that has none of these defines no class and names none in a call; the
``class=`` of the HTML in its outputs is no reason to take it apart."""


def is_document(path: str) -> bool:
    """Whether a file is a document, by its suffix, rather than Python."""
    return path.lower().endswith(_DOCUMENTS)


def embedding_of(path: str, data: bytes) -> Embedding:
    """The Python in a document.

    A document that certainly has no classes is not taken apart, unless it cannot be what its
    suffix says.
    """
    from inflint.sources.embedding import DocumentError, Embedding, broken

    if path.lower().endswith(MARKDOWN):
        from inflint.sources.markdown import read_markdown

        return read_markdown(data) if b"class" in data else Embedding(data)
    from inflint.sources.notebook import read_notebook

    if not any(mark in data for mark in _CLASSES) and _looks_right(data):
        return Embedding(data)
    try:
        return read_notebook(data)
    except DocumentError as error:
        return broken(data, error)


def _looks_right(data: bytes) -> bool:
    """Whether data begins and ends as a JSON object does, and names cells."""
    space = b" \t\r\n\xef\xbb\xbf"
    if b'"cells"' not in data:
        return False
    return data[:4096].lstrip(space)[:1] == b"{" and data[-4096:].rstrip(space)[-1:] == b"}"
