"""What is wrong with a piece of source."""

from __future__ import annotations


class LoweringError(ValueError):
    """The text does not parse; ``line`` is 1-based within the text handed over."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line
