"""Bytes to text, by Python's own rules (PEP 263), with the place of what goes wrong."""

from __future__ import annotations

import codecs
import io
import tokenize


class DecodeError(ValueError):
    """The file is no Python text; ``line`` and ``column`` are 1-based."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


def decode(data: bytes) -> str:
    """The text of a Python source file, line ends untouched, without its BOM.

    Raises:
        DecodeError: Unknown or wrong encoding, or a null byte.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise DecodeError("UTF-16 is no encoding for Python source; save it as UTF-8", 1, 1)
    null = data.find(b"\0")
    if null >= 0:
        raise DecodeError("source code cannot contain null bytes", *_place(data, null))
    try:
        return data.decode(encoding_of(data)).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line, column = _place(data, error.start)
        message = (
            f"byte 0x{data[error.start]:02x} is not {error.encoding}: "
            "save the file as UTF-8, or declare its encoding in the first line"
        )
        raise DecodeError(message, line, column) from None


def encoding_of(data: bytes) -> str:
    """The encoding that a file's BOM or its first two lines declare; UTF-8 by default.

    Raises:
        DecodeError: The declaration names no known encoding, or contradicts the BOM.
    """
    if b"coding" not in data[:400]:
        return "utf-8-sig"
    try:
        name = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        "".encode(name)  # some codecs make no text of bytes
    except (SyntaxError, LookupError) as error:
        raise DecodeError(str(error), 1, 1) from None
    return name


def _place(data: bytes, offset: int) -> tuple[int, int]:
    line = data.count(b"\n", 0, offset) + 1
    return line, offset - data.rfind(b"\n", 0, offset)
