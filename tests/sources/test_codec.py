"""Coding lines that name a codec which makes no text."""

from __future__ import annotations

import pytest

from inflint.sources.decode import DecodeError, decode


@pytest.mark.parametrize("codec", ["hex", "rot13", "base64", "zlib"])
def test_no_text(codec: str) -> None:
    with pytest.raises(DecodeError, match="text encoding"):
        decode(f"# coding: {codec}\nx = 1\n".encode())
