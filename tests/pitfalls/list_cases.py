"""Rows h, i, j, l, n, o, p, v, w: the names in the list."""

from __future__ import annotations

from .expect import Case, error, info, warning

CONV = '''
from typing import Any, Dict, List

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.inference_only_api import InferenceOnlyAPI
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.utils.annotations import override
from ray.rllib.utils.framework import try_import_torch

torch, nn = try_import_torch()


def conv_block(c_in: int, c_out: int) -> List[Any]:
    return [nn.Conv2d(c_in, c_out, 3, stride=2, padding=1), nn.ReLU()]


class PixelAgent(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    """A conv net over images in NHWC layout, with an actor and a critic head."""

    @override(TorchRLModule)
    def setup(self):
        super().setup()
        height, width, channels = self.observation_space.shape
        filters = self.model_config.get("filters", [8, 16])
        layers: List[Any] = []
        for out_channels in filters:
            layers.extend(conv_block(channels, out_channels))
            channels = out_channels
        self._cnn = nn.Sequential(*layers, nn.Flatten())
        with torch.no_grad():
            flat = self._cnn(torch.zeros(1, self.observation_space.shape[-1], height, width))
        self._policy = nn.Linear(flat.shape[-1], self.action_space.n)
        self._value_branch = nn.Sequential(
            nn.Linear(flat.shape[-1], 32), nn.ReLU(), nn.Linear(32, 1)
        )

    @override(InferenceOnlyAPI)
    def get_non_inference_attributes(self) -> List[str]:
        return LIST

    @override(TorchRLModule)
    def _forward(self, batch: Dict[str, Any], **kwargs) -> Dict[str, Any]:
        return {Columns.ACTION_DIST_INPUTS: self._policy(self._features(batch))}

    @override(TorchRLModule)
    def _forward_train(self, batch: Dict[str, Any], **kwargs) -> Dict[str, Any]:
        features = self._features(batch)
        return {
            Columns.ACTION_DIST_INPUTS: self._policy(features),
            Columns.EMBEDDINGS: features,
        }

    @override(ValueFunctionAPI)
    def compute_values(self, batch: Dict[str, Any], embeddings=None):
        if embeddings is None:
            embeddings = self._features(batch)
        return self._value_branch(embeddings).squeeze(-1)

    def _features(self, batch: Dict[str, Any]):
        return self._cnn(batch[Columns.OBS].permute(0, 3, 1, 2).float())
'''

DUELING = """
from ray.rllib.core import Columns
from ray.rllib.core.learner.utils import make_target_network
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, TargetNetworkAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
import torch
from torch import nn


class DuelingQ(TorchRLModule, TargetNetworkAPI, InferenceOnlyAPI):
    def setup(self):
        d = self.observation_space.shape[0]
        self.trunk = nn.Sequential(nn.Linear(d, 32), nn.ELU())
        self.advantage = nn.Linear(32, self.action_space.n)
        self.dueling = self.model_config.get("dueling", True)
        if self.dueling:
            self.state_value = nn.Linear(32, 1)
        AFTER_SETUP

    def make_target_networks(self):
        self.target_trunk = make_target_network(self.trunk)
        self.target_advantage = make_target_network(self.advantage)
        if self.dueling:
            self.target_state_value = make_target_network(self.state_value)

    def get_target_network_pairs(self):
        pairs = [(self.trunk, self.target_trunk), (self.advantage, self.target_advantage)]
        if self.dueling:
            pairs.append((self.state_value, self.target_state_value))
        return pairs

    def forward_target(self, batch):
        z = self.target_trunk(batch[Columns.OBS])
        q = self.target_advantage(z)
        return {"q": q + self.target_state_value(z) if self.dueling else q}

    def get_non_inference_attributes(self):
        LIST

    def _q_values(self, obs):
        z = self.trunk(obs)
        adv = self.advantage(z)
        if not self.dueling:
            return adv
        return self.state_value(z) + adv - adv.mean(-1, keepdim=True)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self._q_values(batch[Columns.OBS])}
"""

TWO_CRITICS = """
import torch
import torch.nn as nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule

CONSTANTS


def mlp(*sizes):
    mods = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        mods += [nn.Linear(a, b), nn.Tanh()]
    return nn.Sequential(*mods[:-1])


class SafeRLModule(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    BODY_CONSTANTS

    def setup(self):
        obs, act = self.observation_space.shape[0], self.action_space.n
        self.actor = mlp(obs, 32, act)
        self.reward_critic, self.cost_critic = mlp(obs, 32, 1), mlp(obs, 32, 1)

    def get_non_inference_attributes(self):
        METHOD_BODY

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.actor(batch[Columns.OBS])}

    def compute_values(self, batch, embeddings=None):
        return self.reward_critic(batch[Columns.OBS]).squeeze(-1)

    def compute_cost_values(self, batch):
        return self.cost_critic(batch[Columns.OBS]).squeeze(-1)
"""


def conv(names: str) -> str:
    """The image agent with this list (right: `_value_branch`)."""
    return CONV.replace("LIST", names)


TARGETS = '["target_trunk", "target_advantage", "target_state_value"]'


def dueling(*lines: str, setup: str = "") -> str:
    """The Q module with this method body (right: the three targets)."""
    body = DUELING.replace("LIST", "\n        ".join(lines))
    return body.replace("        AFTER_SETUP\n", f"        {setup}\n" if setup else "")


def critics(*lines: str, module: str = "", body: str = "") -> str:
    """The module with two critics and this method body (right: both critics)."""
    text = TWO_CRITICS.replace("METHOD_BODY", "\n        ".join(lines))
    text = text.replace("    BODY_CONSTANTS\n\n", f"    {body}\n\n" if body else "")
    return text.replace("CONSTANTS\n\n\n", f"{module}\n\n\n" if module else "\n")


SHARED_SUPER = """
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.utils.framework import try_import_torch

torch, nn = try_import_torch()


class RobotArm(TorchRLModule, InferenceOnlyAPI):
    learner_parts = ["inverse_model"]

    def setup(self):
        n, k = self.observation_space.shape[0], self.action_space.n
        self.policy = nn.Sequential(nn.Linear(n, 16), nn.ReLU(), nn.Linear(16, k))
        self.inverse_model = nn.Linear(2 * n, k)

    def get_non_inference_attributes(self):
        return PARENT

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.policy(batch[Columns.OBS])}


class RobotArmWithForwardModel(RobotArm):
    def setup(self):
        super().setup()
        n, k = self.observation_space.shape[0], self.action_space.n
        self.forward_model = nn.Linear(n + k, n)

    def get_non_inference_attributes(self):
        names = super().get_non_inference_attributes()
        names += ["forward_model"]
        return names
"""

HEADS = """
import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class MultiHead(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        dim = self.observation_space.shape[0]
        # 0: actions, 1: predicted return
        self.heads = nn.ModuleList([nn.Linear(dim, self.action_space.n), nn.Linear(dim, 1)])

    def get_non_inference_attributes(self):
        return LIST

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.heads[0](batch[Columns.OBS])}

    def _forward_train(self, batch, **kwargs):
        policy, value = (head(batch[Columns.OBS]) for head in self.heads)
        return {Columns.ACTION_DIST_INPUTS: policy, Columns.VF_PREDS: value.squeeze(-1)}
"""

NAMED_HEADS = """
import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class NamedHeads(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        dim = self.observation_space.shape[0]
        self.md = nn.ModuleDict(
            {"act": nn.Linear(dim, self.action_space.n), "crit": nn.Linear(dim, 1)}
        )

    def get_non_inference_attributes(self):
        return ["md.crit"]

    def _forward(self, batch, **kwargs):
        logits = self.md["act"](batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: logits}

    def _forward_train(self, batch, **kwargs):
        fwd = self._forward(batch)
        fwd[Columns.VF_PREDS] = self.md["crit"](batch[Columns.OBS]).squeeze(-1)
        return fwd
"""

PREFIXES = '''
import torch
import torch.nn as nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class Prefixes(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    """`vf` is a head of the learner; `vf_encoder` and `vf2` make features for the policy."""

    def setup(self):
        obs_dim = self.observation_space.shape[0]
        self.vf_encoder = nn.Linear(obs_dim, 16)
        self.vf2 = nn.Linear(16, 16)
        self.pi = nn.Linear(16, self.action_space.n)
        self.vf = nn.Linear(16, 1)

    def get_non_inference_attributes(self):
        return ["vf"]

    def _forward(self, batch, **kwargs):
        x = torch.relu(self.vf_encoder(batch[Columns.OBS]))
        x = torch.relu(self.vf2(x))
        return {Columns.ACTION_DIST_INPUTS: self.pi(x), Columns.EMBEDDINGS: x}

    def compute_values(self, batch, embeddings=None):
        x = self._forward(batch)[Columns.EMBEDDINGS] if embeddings is None else embeddings
        return self.vf(x).squeeze(-1)
'''

CRITIC_PARTS = """
from torch import nn

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class Critic(nn.Module):
    def __init__(self, in_features: int, hidden: int = 32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(in_features, hidden), nn.ReLU())
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.head(self.body(x)).squeeze(-1)


class WarehousePicker(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    def setup(self):
        n = self.observation_space.shape[0]
        self.actor = nn.Linear(n, self.action_space.n)
        self.critic = Critic(n)

    def get_non_inference_attributes(self):
        return LIST

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.actor(batch[Columns.OBS])}

    def compute_values(self, batch, embeddings=None):
        return self.critic(batch[Columns.OBS])
"""

BOTH = '["reward_critic", "cost_critic"]'

#: A typo leaves the component itself unlisted: saying so as well is true.
ALSO_UNLISTED = (warning("INF201", "_value_branch"),)

#: With inherited forwards, a base class that only builds would be a module with a short list.
OVERRIDE_ELSEWHERE = ("setup_in_base", "reexported")

LIST_CASES = [
    # h: paths that nothing assigns.
    Case("h typo", conv('["_value_brnach"]'), (warning("INF203"),), ALSO_UNLISTED),
    Case("h self prefix", conv('["self._value_branch"]'), (warning("INF203"),), ALSO_UNLISTED),
    Case("h blank", conv('["_value_branch "]'), (warning("INF203"),), ALSO_UNLISTED),
    Case("h empty name", conv('["_value_branch", ""]'), (warning("INF203"),)),
    Case("h stale name", conv('["_value_branch", "_old_optimizer_net"]'), (warning("INF203"),)),
    Case("h-ok right list", conv('["_value_branch"]'), silent=True),
    Case("h-ok targets and conditions", dueling(f"return {TARGETS}"), silent=True),
    Case(
        "h-ok listed under a condition",
        dueling(
            'names = [f"target_{part}" for part in ("trunk", "advantage")]',
            "if self.dueling:",
            '    names.append("target_state_value")',
            "return names",
        ),
        silent=True,
    ),
    # i, j: components that the list leaves out.
    Case("i value head", conv("[]"), (warning("INF201", "_value_branch"),)),
    Case(
        "i second critic",
        critics('return ["reward_critic"]'),
        (warning("INF201", "cost_critic"),),
    ),
    Case(
        "i both critics in order",
        critics("return []"),
        (warning("INF201", "reward_critic, cost_critic"),),
    ),
    Case(
        "j target network",
        dueling('return ["target_trunk", "target_advantage"]'),
        (warning("INF201", "target_state_value"),),
    ),
    Case(
        "j all targets in order",
        dueling("return []"),
        (warning("INF201", "target_trunk, target_advantage, target_state_value"),),
    ),
    Case(
        "j target made in setup",
        dueling(f"return {TARGETS}", setup="self.frozen_trunk = make_target_network(self.trunk)"),
        (warning("INF201", "frozen_trunk"),),
    ),
    # l: `+` binds tighter than the conditional.
    Case(
        "l precedence",
        dueling(
            'return ["target_trunk", "target_advantage"] + ["target_state_value"] '
            'if self.dueling else ["target_state_value"]'
        ),
        (error("INF205"),),
    ),
    Case(
        "l reviewer's suggestion",
        critics(
            'return ["reward_critic"] + [] if self.model_config.get("no_costs") '
            'else ["cost_critic"]'
        ),
        (error("INF205"),),
    ),
    Case(
        "l-ok parentheses",
        critics(
            'return ["reward_critic"] + ([] if self.model_config.get("no_costs") '
            'else ["cost_critic"])'
        ),
        silent=True,
    ),
    Case(
        "l-ok whole alternatives",
        dueling(f'return {TARGETS} if self.dueling else ["target_trunk", "target_advantage"]'),
        silent=True,
    ),
    # n: lists that others share.
    Case(
        "n class-level +=",
        critics(
            "names = self.LEARNER_PARTS",
            'names += ["cost_critic"]',
            "return names",
            body='LEARNER_PARTS = ["reward_critic"]',
        ),
        (error("INF206"),),
    ),
    Case(
        "n class-level append",
        critics(
            'self.LEARNER_PARTS.append("cost_critic")',
            "return self.LEARNER_PARTS",
            body='LEARNER_PARTS = ["reward_critic"]',
        ),
        (error("INF206"),),
    ),
    Case(
        "n module-level extend",
        critics(
            "parts = LEARNER_ONLY",
            'parts.extend(["cost_critic"])',
            "return parts",
            module='LEARNER_ONLY = ["reward_critic"]',
        ),
        (error("INF206"),),
    ),
    Case(
        "n parent returns its class-level list",
        SHARED_SUPER.replace("PARENT", "self.learner_parts"),
        (error("INF206")._replace(severity=None),),
        skip=OVERRIDE_ELSEWHERE,
    ),
    Case(
        "n-ok super builds a fresh list",
        SHARED_SUPER.replace("PARENT", "[*self.learner_parts]"),
        silent=True,
        skip=OVERRIDE_ELSEWHERE,
    ),
    Case(
        "n-ok copy of a class-level list",
        critics(
            "names = list(self.LEARNER_PARTS)",
            'names += ["cost_critic"]',
            "return names",
            body='LEARNER_PARTS = ["reward_critic"]',
        ),
        silent=True,
    ),
    Case(
        "n-ok plus makes a new list",
        critics(
            'return LEARNER_ONLY + ["cost_critic"]',
            module='LEARNER_ONLY = ["reward_critic"]',
        ),
        silent=True,
    ),
    # o: parts of containers (the rules for nested paths judge these).
    Case("o index of a ModuleList", HEADS.replace("LIST", '["heads.1"]')),
    Case(
        "o index in brackets",
        HEADS.replace("LIST", '["heads[1]"]'),
        tolerated=(warning("INF203"), error("INF203")),
    ),
    Case("o key of a ModuleDict", NAMED_HEADS),
    # p: whole segments count.
    Case("p common prefix", PREFIXES, silent=True),
    # v, w: the same thing twice.
    Case("v name twice", conv('["_value_branch", "_value_branch"]'), (info("INF207"),)),
    Case(
        "v twice by concatenation",
        critics(f'return {BOTH} + ["cost_critic"]'),
        (info("INF207"),),
    ),
    Case(
        "w parent then child",
        CRITIC_PARTS.replace("LIST", '["critic", "critic.head"]'),
        (info("INF207"),),
    ),
    Case(
        "w child then parent",
        CRITIC_PARTS.replace("LIST", '["critic.head", "critic"]'),
        (error("INF207"),),
    ),
]
