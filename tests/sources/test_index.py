"""The index says what the profile and the snapshots say."""

from __future__ import annotations

from inflint.data import INDEX, rules_directory
from inflint.engine.snapshot import index


def test_the_index_is_what_it_would_be_made_anew() -> None:
    assert (rules_directory() / INDEX).read_bytes() == index()
