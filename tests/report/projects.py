"""A project with what is hard to write down: its letters, names and line ends."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

HEAD = """\
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn

"""
BODY = """
    def setup(self):
        self.pi = nn.Linear(4, 2)
        self.vf = nn.Linear(4, 1)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}
"""
WITHOUT_API = f"{HEAD}\nclass Critic(TorchRLModule):{BODY}"
"""INF101 on line 7: vf, built on line 10."""
USED = f"""{HEAD}
class Actor(TorchRLModule, InferenceOnlyAPI):{BODY}
    def get_non_inference_attributes(self):
        return ["🎈", "pi", "vf"]
"""
"""Line 16: INF203 on a name outside the BMP, and INF202 on pi, right of it."""
TWICE = f"""{HEAD}
class Net(TorchRLModule):{BODY}

class Net(TorchRLModule):{BODY}"""
"""INF101 twice, for classes of the same name, on lines 7 and 16."""

ODD_NAMES = ("a b.py", "50%,x:y#z?.py", "naïve-🎈.py", "new\nline.py", os.fsdecode(b"raw-\xff.py"))


def write_project(top: Path) -> Path:
    """Files under ``top``, a repository, with findings of all severities but info."""
    (top / ".git").mkdir()
    package = top / "pkg"
    package.mkdir()
    (package / "actor.py").write_text(USED, encoding="utf-8")
    (package / "crlf.py").write_bytes(USED.replace("\n", "\r\n").encode())
    (package / "twice.py").write_text(TWICE, encoding="utf-8")
    (package / "latin.py").write_bytes(b"class M(TorchRLModule):\n    x = '\xe9'\n")
    (package / "control.py").write_text(USED.replace("🎈", "\\x07\\x0b"), encoding="utf-8")
    for name in ODD_NAMES:
        (top / name).write_text(WITHOUT_API, encoding="utf-8")
    return top
