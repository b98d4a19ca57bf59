"""Notebooks as users and their editors write them."""

from __future__ import annotations

import json
from typing import Any

IMPORTS = """\
import torch
from torch import nn

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule"""
MODULE = """\
class M(TorchRLModule):
    def setup(self):
        self.pi = nn.Linear(4, 2)
        self.vf = nn.Linear(4, 1)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}"""


def code(source: Any, **more: Any) -> dict[str, Any]:
    lines = source.splitlines(keepends=True) if isinstance(source, str) else source
    cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    return {**cell, "source": lines, **more}


def prose(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": [text]}


def notebook(*cells: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    return {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def as_jupyter(*cells: dict[str, Any], **metadata: Any) -> bytes:
    """The bytes that Jupyter would write."""
    text = json.dumps(notebook(*cells, **metadata), indent=1, ensure_ascii=False)
    return f"{text}\n".encode()
