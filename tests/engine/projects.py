"""Small projects with modules, a base in another file, and what else decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

HEAD = """\
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn
"""
BODY = """\
    def setup(self):
        self.pi = nn.Linear(4, 2)
        self.vf = nn.Linear(4, 1)

    def _forward_inference(self, batch, **kwargs):
        return {"action_dist_inputs": self.pi(batch["obs"])}

    def _forward_exploration(self, batch, **kwargs):
        return {"action_dist_inputs": self.pi(batch["obs"])}

    def compute_values(self, batch, embeddings=None):
        return self.vf(batch["obs"])
"""
LISTED = """
    def get_non_inference_attributes(self):
        return ["vf"]
"""
BASE = f"{HEAD}\n\nclass Base(TorchRLModule):\n{BODY}"
LISTING_BASE = f"{HEAD}\n\nclass Base(TorchRLModule, InferenceOnlyAPI):\n{BODY}{LISTED}"
DERIVED = """\
from base import Base
from torch import nn


class Derived(Base):
    def setup(self):
        super().setup()
        self.extra = nn.Linear(4, 1)
"""
PLAIN = "import os\n\n\nclass Plain(dict):\n    pass\n"


def write(top: Path, files: dict[str, str]) -> None:
    """Write files below a directory."""
    for name, text in files.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text)


def module(name: str, base: str = "TorchRLModule") -> str:
    """A file with one module that lists nothing."""
    return f"{HEAD}\n\nclass {name}({base}):\n{BODY}"
