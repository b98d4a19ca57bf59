"""Rows a to d: the base class, the method and what it returns."""

from __future__ import annotations

from .expect import Case, error, warning

NO_BASE = '''
from typing import Any, Dict, List, Optional

import torch
import torch.nn as nn

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule
from ray.rllib.utils.annotations import override


class LidarPolicy(TorchRLModule, ValueFunctionAPI):
    """Small MLP over a lidar scan with a state-value head for PPO."""

    @override(TorchRLModule)
    def setup(self) -> None:
        super().setup()
        width = self.model_config.get("width", 64)
        n_beams = self.observation_space.shape[0]
        self.torso = nn.Sequential(nn.Linear(n_beams, width), nn.Tanh())
        self.action_head = nn.Linear(width, self.action_space.n)
        self.value_head = nn.Linear(width, 1)

    def get_non_inference_attributes(self) -> List[str]:
        return ["value_head"]

    @override(TorchRLModule)
    def _forward(self, batch: Dict[str, Any], **kwargs) -> Dict[str, Any]:
        h = self.torso(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: self.action_head(h)}

    @override(TorchRLModule)
    def _forward_train(self, batch: Dict[str, Any], **kwargs) -> Dict[str, Any]:
        h = self.torso(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: self.action_head(h), Columns.EMBEDDINGS: h}

    @override(ValueFunctionAPI)
    def compute_values(
        self, batch: Dict[str, Any], embeddings: Optional[torch.Tensor] = None
    ) -> torch.Tensor:
        if embeddings is None:
            embeddings = self.torso(batch[Columns.OBS])
        return self.value_head(embeddings).squeeze(-1)
'''

DECORATED = """
from ray.rllib.core import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, TargetNetworkAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.core.learner.utils import make_target_network
from ray.rllib.utils.annotations import override
from ray.rllib.utils.framework import try_import_torch

torch, nn = try_import_torch()


class GridAgent(TorchRLModule, TargetNetworkAPI):
    def setup(self):
        obs_dim = self.observation_space.shape[0]
        self._q_net = nn.Sequential(
            nn.Linear(obs_dim, 32), nn.ReLU(), nn.Linear(32, self.action_space.n)
        )

    def make_target_networks(self):
        self._q_target = make_target_network(self._q_net)

    def get_target_network_pairs(self):
        return [(self._q_net, self._q_target)]

    def forward_target(self, batch):
        return {"q_target": self._q_target(batch[Columns.OBS])}

    # The decorator does not check that the class has this base.
    @override(InferenceOnlyAPI)
    def get_non_inference_attributes(self):
        return ["_q_target"]

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self._q_net(batch[Columns.OBS])}
"""

NO_METHOD = """
import torch
from torch import nn

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module import apis
from ray.rllib.core.rl_module.torch import TorchRLModule


class ConveyorModule(TorchRLModule, apis.InferenceOnlyAPI, apis.ValueFunctionAPI):
    # TODO: say what the workers can do without
    def setup(self):
        hidden = self.model_config.get("fcnet_hiddens", [32, 32])
        layers, size = [], self.observation_space.shape[0]
        for h in hidden:
            layers += [nn.Linear(size, h), nn.ReLU()]
            size = h
        self.body = nn.Sequential(*layers)
        self.logits = nn.Linear(size, self.action_space.n)
        self.vf = nn.Linear(size, 1)

    def _forward(self, batch, **kwargs):
        out = self.body(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: self.logits(out)}

    def compute_values(self, batch, embeddings=None):
        if embeddings is None:
            embeddings = self.body(batch[Columns.OBS])
        return torch.squeeze(self.vf(embeddings), -1)
"""

MISSPELLED_WITH_BASE = """
from typing import List

import torch.nn as nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class PortfolioRLM(TorchRLModule, ValueFunctionAPI, InferenceOnlyAPI):
    def setup(self):
        n_assets = self.observation_space.shape[0]
        self.features = nn.Sequential(nn.LayerNorm(n_assets), nn.Linear(n_assets, 48), nn.GELU())
        self.weights = nn.Linear(48, self.action_space.n)
        self.critic = nn.Sequential(nn.Linear(48, 48), nn.GELU(), nn.Linear(48, 1))

    def NAME(self) -> List[str]:
        return ["critic"]

    def _forward_inference(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.weights(self.features(batch[Columns.OBS]))}

    def _forward_exploration(self, batch, **kwargs):
        return self._forward_inference(batch, **kwargs)

    def _forward_train(self, batch, **kwargs):
        z = self.features(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: self.weights(z), Columns.EMBEDDINGS: z}

    def compute_values(self, batch, embeddings=None):
        z = self.features(batch[Columns.OBS]) if embeddings is None else embeddings
        return self.critic(z).squeeze(-1)
"""

MISSPELLED_UNDER_PPO = '''
from torch import nn

from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
from ray.rllib.core.columns import Columns


class PPOWithAuxiliaryLoss(DefaultPPOTorchRLModule):
    """Default PPO nets plus a reward predictor, trained by an extra loss term."""

    def setup(self):
        super().setup()
        self.reward_predictor = nn.Linear(self.observation_space.shape[0], 1)

    def get_non_inference_only_attributes(self):
        return super().get_non_inference_attributes() + ["reward_predictor"]

    def _forward_train(self, batch, **kwargs):
        outs = super()._forward_train(batch, **kwargs)
        outs["predicted_rewards"] = self.reward_predictor(batch[Columns.OBS])
        return outs
'''

ANOTHER_METHOD = """
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.utils.framework import try_import_torch

torch, nn = try_import_torch()


class Thermostat(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        self.net = nn.Linear(self.observation_space.shape[0], self.action_space.n)
        self.aux = nn.Linear(self.observation_space.shape[0], 8)

    def get_inference_latency(self):
        return 0.02

    def get_non_inference_attributes(self):
        return ["aux"]

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.net(batch[Columns.OBS])}

    def _forward_train(self, batch, **kwargs):
        return {**self._forward(batch), "aux": self.aux(batch[Columns.OBS])}
"""

RETURNS = '''
from typing import Any, Dict

import torch
import torch.nn as nn

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class DroneModule(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    """Actor and critic on a common embedding."""

    def setup(self):
        super().setup()
        cfg = self.model_config or {}
        in_dim, emb = self.observation_space.shape[0], cfg.get("embedding_dim", 24)
        self.embed = nn.Sequential(nn.Linear(in_dim, emb), nn.SiLU())
        self.pi = nn.Linear(emb, self.action_space.n)
        self.vf = nn.Linear(emb, 1)
        self.aux = nn.Linear(emb, in_dim)

    RETURN

    def _forward(self, batch: Dict[str, Any], **kwargs) -> Dict[str, Any]:
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.embed(batch[Columns.OBS]))}

    def _forward_train(self, batch: Dict[str, Any], **kwargs) -> Dict[str, Any]:
        emb = self.embed(batch[Columns.OBS])
        return {
            Columns.ACTION_DIST_INPUTS: self.pi(emb),
            Columns.EMBEDDINGS: emb,
            "reconstruction": self.aux(emb),
        }

    def compute_values(self, batch, embeddings=None) -> torch.Tensor:
        if embeddings is None:
            embeddings = self.embed(batch[Columns.OBS])
        return self.vf(embeddings)[..., 0]
'''


def returning(*lines: str) -> str:
    """The drone module with this method (both `vf` and `aux` are for training only)."""
    return RETURNS.replace("RETURN", "\n    ".join(lines))


DEFINE = "def get_non_inference_attributes(self):"

BASE_CASES = [
    Case("a no base", NO_BASE, (error("INF102"),)),
    Case("a override decorator", DECORATED, (error("INF102"),)),
    Case("b no method", NO_METHOD, (error("INF103"),)),
    *(
        Case(f"c {name}", MISSPELLED_WITH_BASE.replace("NAME", name), (error("INF104"),))
        for name in (
            "get_non_inference_only_attributes",
            "get_non_inference_attribute",
            "get_noninference_attributes",
            "_get_non_inference_attributes",
        )
    ),
    Case(
        "c no base",
        NO_BASE.replace("get_non_inference_attributes", "get_non_inference_only_attributes"),
        (error("INF104"),),
    ),
    Case(
        "c parent implements it",
        MISSPELLED_UNDER_PPO,
        (error("INF104"),),
        # The inherited list stays in force, and it leaves the new net out.
        tolerated=(warning("INF201", "reward_predictor"),),
    ),
    Case("c-ok another method", ANOTHER_METHOD, silent=True),
    Case("d string", returning(DEFINE, '    return "vf"'), (error("INF204"),)),
    Case(
        "d parentheses",
        returning("def get_non_inference_attributes(self) -> list:", '    return ("vf")'),
        (error("INF204"),),
    ),
    Case(
        "d' no return",
        returning(DEFINE, '    attributes = ["vf"]', '    attributes.append("aux")'),
        (error("INF204"),),
    ),
    Case(
        "d' only a docstring",
        returning(DEFINE, '    """Nothing is needed on the runner but embed and pi."""'),
        (error("INF204"),),
    ),
    Case(
        "d' append returns None",
        returning(DEFINE, '    names = ["vf"]', '    return names.append("aux")'),
        (error("INF204"),),
    ),
    Case(
        "d'' generator",
        returning(DEFINE, '    yield "vf"', '    yield "aux"'),
        (error("INF204"),),
    ),
    Case(
        "d'' generator expression",
        returning(DEFINE, '    return (name for name in ("vf", "aux"))'),
        (error("INF204"),),
    ),
    Case(
        "d''' property",
        returning("@property", DEFINE, '    return ["vf", "aux"]'),
        (error("INF204"),),
    ),
    Case("d''' modules", returning(DEFINE, "    return [self.vf, self.aux]"), (error("INF204"),)),
    Case(
        "d''' missing comma",
        returning(DEFINE, "    return [", '        "vf"', '        "aux"', "    ]"),
        (error("INF204"),),
    ),
    Case(
        "d-ok tuple",
        returning(DEFINE, '    return ("vf", "aux")'),
    ),
    Case(
        "d-ok two returns",
        returning(
            DEFINE,
            "    if not self.model_config:",
            '        return ["vf", "aux"]',
            '    return list({"aux", "vf"})',
        ),
        silent=True,
    ),
]
