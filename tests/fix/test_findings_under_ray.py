"""Faults of a module, other than of its list: the fixed code runs under RLlib in both modes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inflint.engine.run import Request, check
from inflint.fix.planning import FIXERS
from tests.fix.test_under_ray import faults, write_fixes

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("ray.rllib")
pytestmark = [pytest.mark.ray]

HEAD = """\
import torch
from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import (
    DefaultPPOTorchRLModule,
)
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.pol = nn.Linear(6, 4)
        self.vf = nn.Linear(6, 4)
        self.log_alpha = nn.Parameter(torch.zeros(1))


"""
SETUP = """\
    def setup(self):
        self.enc = Encoder()
        self.pi = nn.Linear(4, 3)
        self.heads = nn.ModuleList([nn.Linear(4, 3), nn.Linear(4, 1), nn.Linear(4, 1)])
        self.nets = nn.ModuleDict({"pi": nn.Linear(4, 3), "q": nn.Linear(4, 1)})
        self.seq = nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 1))
        self.pars = nn.ParameterDict()
        self.pars["a"] = nn.Parameter(torch.ones(1))
        self.pars["b"] = nn.Parameter(torch.ones(1))
"""
FORWARD = """
    def _forward(self, batch, **kwargs):
        h = self.enc.pol(batch[Columns.OBS])
        logits = self.pi(h) + self.heads[0](h) + self.nets["pi"](h) + self.seq[0](h)
        return {Columns.ACTION_DIST_INPUTS: logits * self.pars["a"]}

    def _forward_train(self, batch, **kwargs):
        h = self.enc.vf(batch[Columns.OBS]) * self.enc.log_alpha.exp()
        values = self.heads[1](h) + self.heads[2](h) + self.nets["q"](h)
        return {**self._forward(batch), "v": values * self.pars["b"]}
"""
LIST = """
    def get_non_inference_attributes(self):
        return [{}]
"""
CLASS = "class Policy(TorchRLModule, InferenceOnlyAPI):\n"
GUARD = "        if self.inference_only:\n            return\n        self.vf = nn.Linear(4, 1)\n"


def listing(paths: str) -> str:
    return HEAD + CLASS + SETUP + FORWARD + LIST.format(", ".join(f'"{p}"' for p in paths.split()))


BUILT_BY_BASE = (
    f"{HEAD}class Base(TorchRLModule):\n{SETUP}{FORWARD}\n\n"
    "class Policy(Base, InferenceOnlyAPI):\n    def setup(self):\n        super().setup()\n"
) + LIST.format('"enc.vf"')
CATALOG = f"""\
{HEAD}class Policy(DefaultPPOTorchRLModule):
    def setup(self):
        self.encoder = self.catalog.build_actor_critic_encoder(framework=self.framework)
        self.pi = self.catalog.build_pi_head(framework=self.framework)
        self.vf = self.catalog.build_vf_head(framework=self.framework)
"""
SOURCES = {
    "f: attribute": listing("enc.vf"),
    "f: two attributes": listing("enc.vf enc.log_alpha"),
    "f: early return": listing("enc.vf").replace(SETUP, SETUP + GUARD),
    "f: base": BUILT_BY_BASE,
    "f: read": listing("enc.pol enc.vf"),
    "f: catalog": CATALOG,
    "g: leaf on the module": listing("enc.vf").replace(
        SETUP, SETUP + "        self.vf = nn.Linear(4, 1)\n"
    ),
    "o: elements of a list": listing("heads.1 heads.2"),
    "o: element of a sequence": listing("seq.1"),
    "o: element of a dict": listing("nets.q"),
    "o: element of a parameter dict": listing("pars.b"),
    "o: element before one in use": listing("heads.0 heads.2"),
    "i: no API": (HEAD + CLASS + SETUP + "        self.vf = nn.Linear(4, 1)\n" + FORWARD).replace(
        ", InferenceOnlyAPI)", ")"
    ),
}
PLAIN = """\
class Policy(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.vf = {vf}

    def _forward(self, batch, **kwargs):
        h = self.pi(batch[Columns.OBS])
        {read}
        return {{Columns.ACTION_DIST_INPUTS: h}}

    def _forward_train(self, batch, **kwargs):
        return {{**self._forward(batch), "v": len(list(self.vf.parameters()))}}
"""


def plain(more: str = "", vf: str = "nn.Linear(6, 1)", read: str = "") -> str:
    listed = LIST.format('"vf"')
    return HEAD + PLAIN.format(vf=vf, read=read or "h = h + 0") + listed + more


def container(value: str, read: str) -> str:
    return plain(vf=f"nn.Linear(6, 1)\n        self.nets = {value}", read=read)


SOURCES |= {
    "k: list": container("[nn.Linear(3, 3), nn.Linear(3, 3)]", "h = self.nets[1](self.nets[0](h))"),
    "k: loop": container("[nn.Linear(3, 3) for _ in range(2)]", "for n in self.nets: h = n(h)"),
    "k: tuple": container("nn.Linear(3, 3), nn.Linear(3, 3)", "a, b = self.nets; h = a(b(h))"),
    "k: dict": container('{"a": nn.Linear(3, 3)}', "for k, n in self.nets.items(): h = n(h)"),
    "k: grown": container(
        "[]\n        self.nets.append(nn.Linear(3, 3))", "h = self.nets[-1](h) * len(self.nets)"
    ),
    "r: without the flag": plain(
        """
    def get_state(self, components=None, *, not_components=None, inference_only=False, **kw):
        return dict(super().get_state(components, not_components=not_components))
"""
    ),
    "r: kwargs": plain(
        """
    def get_state(self, *args, **kwargs):
        return super().get_state()
"""
    ),
    "r': not taken": plain(
        """
    def get_state(self, components=None):
        return super().get_state(components)
"""
    ),
    "r': nothing taken": plain(
        """
    def get_state(self):
        return TorchRLModule.get_state(self)
"""
    ),
}
LATE = """
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.vf = nn.Linear(self.observation_space.shape[0], 1)
"""
SOURCES |= {
    "u: property": plain("\n    @property\n    def scale(self):\n        return 1.0\n").replace(
        '"vf"]', '"vf", "scale"]'
    ),
    "u: method": plain("\n    def scale(self):\n        return 1.0\n").replace(
        '"vf"]', '"vf", "scale"]'
    ),
    "u: class attribute": plain("\n    scale = 1.0\n").replace('"vf"]', '"vf", "scale"]'),
    "u': RLlib's own": plain().replace('"vf"]', '"vf", "action_space"]'),
    "x: late": plain(LATE).replace("        self.vf = nn.Linear(6, 1)\n", ""),
    "built in vain": plain(),
}
UNSAFE = {
    "f: catalog",
    "x: late",
    "built in vain",
    *(name for name in SOURCES if name.startswith("k: ")),
}
FINE = ["i: no API", "built in vain"]
"""What works before as well, for all that an EnvRunner can see."""


def job(name: str, module: str) -> dict[str, str]:
    configs = '[{"vf_share_layers": False}]'
    return {"id": name, "module": module, "get": "Policy", "configs": configs, "ignored": ""}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What is wrong with each source's fixed code."""
    directory = tmp_path_factory.mktemp("sources")
    jobs = []
    for index, (name, source) in enumerate(SOURCES.items()):
        module = directory / f"source_{index}" / f"fixed_{index}.py"
        module.parent.mkdir()
        module.write_text(source, encoding="utf-8")
        assert check(Request((module,), codes=frozenset(FIXERS))).findings, name
        write_fixes(module, unsafe=name in UNSAFE, codes=frozenset(FIXERS))
        left = check(Request((module,), codes=frozenset(FIXERS))).findings
        assert not [f for f in left if f.severity == "error"], name
        module.rename(directory / module.name)
        jobs.append(job(name, module.stem))
    return faults(directory, jobs, tmp_path_factory.mktemp("jobs"))


@pytest.mark.parametrize("name", SOURCES)
def test_fixed_code_works(results: dict[str, list[str]], name: str) -> None:
    assert results[name] == []


def test_the_sources_do_not_work_before(tmp_path: Path) -> None:
    """Else this file would prove nothing."""
    jobs = []
    for index, (name, source) in enumerate(SOURCES.items()):
        (tmp_path / f"source_{index}.py").write_text(source, encoding="utf-8")
        jobs.append(job(name, f"source_{index}"))
    found = faults(tmp_path, jobs, tmp_path)
    assert [name for name, why in found.items() if not why] == FINE
