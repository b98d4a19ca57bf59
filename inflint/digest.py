"""Fingerprints of contents."""

from __future__ import annotations

try:
    from _blake2 import blake2b  # hashlib also loads OpenSSL
except ImportError:
    from hashlib import blake2b


def digest(data: bytes) -> str:
    """A fingerprint of a file's content."""
    text: str = blake2b(data, digest_size=16).hexdigest()
    return text
