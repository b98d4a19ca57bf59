"""The package's front door."""

from .models import PolicyBase

__all__ = ["PolicyBase"]
