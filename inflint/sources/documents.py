"""Which files hold Python inside of something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inflint.sources.embedding import Embedding

NOTEBOOKS = (".ipynb",)
MARKDOWN = (".md", ".markdown", ".mdx", ".qmd", ".rmd")
_DOCUMENTS = (*NOTEBOOKS, *MARKDOWN)


def is_document(path: str) -> bool:
    """Whether a file is a document, by its suffix, rather than Python."""
    return path.lower().endswith(_DOCUMENTS)


def embedding_of(path: str, data: bytes) -> Embedding:
    """The Python in a document.

    A document without the word ``class`` defines none and is not taken apart, unless it
    cannot be what its suffix says.
    """
    from inflint.sources.embedding import DocumentError, Embedding, broken

    if path.lower().endswith(MARKDOWN):
        from inflint.sources.markdown import read_markdown

        return read_markdown(data) if b"class" in data else Embedding(data)
    from inflint.sources.notebook import read_notebook

    if b"class" not in data and _is_braced(data):
        return Embedding(data)
    try:
        return read_notebook(data)
    except DocumentError as error:
        return broken(data, error)


def _is_braced(data: bytes) -> bool:
    """Whether data begins and ends as a JSON object does."""
    space = b" \t\r\n\xef\xbb\xbf"
    return data[:4096].lstrip(space)[:1] == b"{" and data[-4096:].rstrip(space)[-1:] == b"}"
