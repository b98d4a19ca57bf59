"""What people get wrong most often, written afresh in the shapes of real projects."""

from __future__ import annotations

from .expect import Case, error, warning

DELEGATING = '''
from typing import Any, Dict, Optional

import torch
import torch.nn as nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.utils.annotations import override


class TrafficSignalModule(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    """Chooses the phase of a junction."""

    @override(TorchRLModule)
    def setup(self):
        super().setup()
        lanes = self.observation_space.shape[0]
        emb = self.model_config.get("emb_dim", 16)
        self.encoder = nn.Sequential(nn.Linear(lanes, emb), nn.LeakyReLU())
        self.pi_head = nn.Linear(emb, self.action_space.n)
        self.vf_head = nn.Linear(emb, 1)

    @override(InferenceOnlyAPI)
    def get_non_inference_attributes(self):
        return ["vf_head"]

    @override(TorchRLModule)
    def _forward_inference(self, batch: Dict[str, Any], **kwargs) -> Dict[str, Any]:
        with torch.no_grad():
            return {
                Columns.ACTION_DIST_INPUTS: self.pi_head(self.encoder(batch[Columns.OBS]))
            }

    @override(TorchRLModule)
    def _forward_exploration(self, batch: Dict[str, Any], **kwargs) -> Dict[str, Any]:
        with torch.no_grad():
            return self._forward_train(batch, **kwargs)

    @override(TorchRLModule)
    def _forward_train(self, batch: Dict[str, Any], **kwargs) -> Dict[str, Any]:
        emb = self.encoder(batch[Columns.OBS])
        return {
            Columns.ACTION_DIST_INPUTS: self.pi_head(emb),
            Columns.VF_PREDS: self.vf_head(emb).squeeze(-1),
        }

    @override(ValueFunctionAPI)
    def compute_values(self, batch: Dict[str, Any], embeddings: Optional[Any] = None):
        if embeddings is None:
            embeddings = self.encoder(batch[Columns.OBS])
        return self.vf_head(embeddings).squeeze(-1)
'''

SHARED_HELPER = """
from typing import Tuple

import torch
from torch import nn, Tensor

from ray.rllib.core import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class ActorCriticCNN(TorchRLModule, ValueFunctionAPI, InferenceOnlyAPI):
    def setup(self):
        h, w, c = self.observation_space.shape
        self.conv1 = nn.Conv2d(c, 8, kernel_size=3, stride=2)
        self.conv2 = nn.Conv2d(8, 8, kernel_size=3)
        self.fc_actor = nn.LazyLinear(self.action_space.n)
        self.fc_critic = nn.LazyLinear(1)
        # Materialise the lazy layers.
        self._common_forward({Columns.OBS: torch.zeros(1, h, w, c)})

    def get_non_inference_attributes(self):
        return ["fc_critic"]

    def _common_forward(self, batch) -> Tuple[Tensor, Tensor]:
        x = batch[Columns.OBS].float().permute(0, 3, 1, 2)
        x = torch.relu(self.conv1(x))
        x = torch.relu(self.conv2(x)).flatten(1)
        return self.fc_actor(x), self.fc_critic(x)

    def _forward(self, batch, **kwargs):
        logits, _ = self._common_forward(batch)
        return {Columns.ACTION_DIST_INPUTS: logits}

    def _forward_train(self, batch, **kwargs):
        logits, values = self._common_forward(batch)
        return {Columns.ACTION_DIST_INPUTS: logits, Columns.VF_PREDS: values.squeeze(-1)}

    def compute_values(self, batch, embeddings=None):
        return self._common_forward(batch)[1].squeeze(-1)
"""

EXPLORATION_VALUES = """
import torch
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class LoggingAgent(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    def setup(self):
        n = self.observation_space.shape[0]
        self.policy = nn.Linear(n, self.action_space.n)
        self.values = nn.Sequential(nn.Linear(n, 16), nn.Tanh(), nn.Linear(16, 1))

    def get_non_inference_attributes(self):
        return ["values"]

    def _forward_inference(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.policy(batch[Columns.OBS])}

    def _forward_exploration(self, batch, **kwargs):
        outs = self._forward_inference(batch, **kwargs)
        outs[Columns.VF_PREDS] = self.compute_values(batch)
        return outs

    def _forward_train(self, batch, **kwargs):
        return self._forward_inference(batch, **kwargs)

    def compute_values(self, batch, embeddings=None):
        return self.values(batch[Columns.OBS]).squeeze(-1)
"""

RENAMED_HEAD = '''
import torch
from torch import nn

from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import (
    DefaultPPOTorchRLModule,
)
from ray.rllib.core.columns import Columns


class AttentionPPOModule(DefaultPPOTorchRLModule):
    """PPO with its own nets; nothing of the catalog is used."""

    def setup(self):
        dim = self.observation_space.shape[0]
        self.encoder = nn.Sequential(nn.Linear(dim, 16), nn.GELU())
        self.pi = nn.Linear(16, self.action_space.n)
        self.value_head = nn.Linear(16, 1)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.encoder(batch[Columns.OBS]))}

    def _forward_train(self, batch, **kwargs):
        z = self.encoder(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: self.pi(z), Columns.EMBEDDINGS: z}

    def compute_values(self, batch, embeddings=None):
        if embeddings is None:
            embeddings = self.encoder(batch[Columns.OBS])
        return self.value_head(embeddings).squeeze(-1)
'''

SECOND_CRITIC = '''
from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
from ray.rllib.core.columns import Columns
from ray.rllib.utils.annotations import override
from ray.rllib.utils.framework import try_import_torch

torch, nn = try_import_torch()


class RNDModule(DefaultPPOTorchRLModule):
    """PPO with a second critic for intrinsic returns."""

    @override(DefaultPPOTorchRLModule)
    def setup(self):
        super().setup()
        obs_dim = int(self.observation_space.shape[0])
        self.vf_intrinsic = nn.Sequential(nn.Linear(obs_dim, 32), nn.ReLU(), nn.Linear(32, 1))

    def compute_intrinsic_values(self, batch):
        return self.vf_intrinsic(batch[Columns.OBS]).squeeze(-1)
'''

ENCODER_OF_THE_CRITIC = """
import torch
import torch.nn as nn

from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.utils.annotations import override


class GraphPolicy(DefaultPPOTorchRLModule):
    def setup(self):
        n_nodes = self.observation_space.shape[0]
        self.actor = nn.Sequential(
            nn.Linear(n_nodes, 16), nn.ReLU(), nn.Linear(16, self.action_space.n)
        )
        # Only the critic encodes.
        self.encoder = nn.Linear(n_nodes, 16)
        self.vf = nn.Linear(16, 1)

    @override(InferenceOnlyAPI)
    def get_non_inference_attributes(self):
        return ["encoder", "vf"]

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.actor(batch[Columns.OBS])}

    def _forward_train(self, batch, **kwargs):
        return self._forward(batch, **kwargs)

    def compute_values(self, batch, embeddings=None):
        return self.vf(torch.relu(self.encoder(batch[Columns.OBS]))).squeeze(-1)
"""

VALUES_UNDER_PPO = """
from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
from ray.rllib.core.columns import Columns
from ray.rllib.core.models.base import ACTOR, CRITIC, ENCODER_OUT


class PPOWithValuesInSampling(DefaultPPOTorchRLModule):
    def _forward_exploration(self, batch, **kwargs):
        return self._forward_train(batch, **kwargs)

    def _forward_train(self, batch, **kwargs):
        enc = self.encoder(batch)[ENCODER_OUT]
        values = self.vf(enc[CRITIC])
        return {Columns.ACTION_DIST_INPUTS: self.pi(enc[ACTOR]), Columns.VF_PREDS: values}
"""

DUELING_VALUE = """
from ray.rllib.algorithms.dqn.torch.default_dqn_torch_rl_module import DefaultDQNTorchRLModule


class SlimDQN(DefaultDQNTorchRLModule):
    def get_non_inference_attributes(self):
        # "vf" is a value function, so the runners do not need it (they do: dueling).
        return super().get_non_inference_attributes() + ["vf"]
"""

THIRD_CRITIC = """
from ray.rllib.algorithms.sac.torch.default_sac_torch_rl_module import DefaultSACTorchRLModule
from ray.rllib.core.learner.utils import make_target_network


class TripleCriticSAC(DefaultSACTorchRLModule):
    def setup(self):
        super().setup()
        if not self.inference_only:
            self.qf3_encoder = self.catalog.build_qf_encoder(framework=self.framework)
            self.qf3 = self.catalog.build_qf_head(framework=self.framework)

    def make_target_networks(self):
        super().make_target_networks()
        self.target_qf3_encoder = make_target_network(self.qf3_encoder)
        self.target_qf3 = make_target_network(self.qf3)

    def get_target_network_pairs(self):
        return super().get_target_network_pairs() + [
            (self.qf3_encoder, self.target_qf3_encoder),
            (self.qf3, self.target_qf3),
        ]
"""

FLAGS = """
import numpy as np
import torch
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class Glider(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    def setup(self):
        cfg = self.model_config
        n = int(np.prod(self.observation_space.shape))
        self.use_norm = bool(cfg.get("use_norm", False))
        self._last_features = None
        self.norm = nn.LayerNorm(n)
        self.actor = nn.Linear(n, self.action_space.n)
        self.critic = nn.Linear(n, 1)

    def get_non_inference_attributes(self):
        return LIST

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        if self.use_norm:
            x = self.norm(x)
        if self._last_features is not None:
            x = 0.9 * x + 0.1 * self._last_features.mean(0)
        return {Columns.ACTION_DIST_INPUTS: self.actor(x)}

    def _forward_train(self, batch, **kwargs):
        self._last_features = self.norm(batch[Columns.OBS])
        return self._forward(batch)

    def compute_values(self, batch, embeddings=None):
        return self.critic(self.norm(batch[Columns.OBS])).squeeze(-1)
"""

PRE_GUARDED = '''
from typing import Any

import torch
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class Forklift(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    """One forward for all phases; the critic takes part only where it exists."""

    def setup(self):
        n = self.observation_space.shape[0]
        self.base = nn.Sequential(nn.Linear(n, 16), nn.ReLU())
        self.actor = nn.Linear(16, self.action_space.n)
        self.critic = nn.Linear(16, 1)

    def get_non_inference_attributes(self) -> list[str]:
        return ["critic"]

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        x = self.base(batch[Columns.OBS])
        out = {Columns.ACTION_DIST_INPUTS: self.actor(x)}
        if GUARD:
            out[Columns.VF_PREDS] = self.critic(x).squeeze(-1)
        return out

    def compute_values(self, batch, embeddings=None):
        return self.critic(self.base(batch[Columns.OBS])).squeeze(-1)
'''

LEARNER_BUILD = """
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class Shuttle(TorchRLModule, ValueFunctionAPI):
    def setup(self):
        n = self.observation_space.shape[0]
        self._actor = nn.Linear(n, self.action_space.n)
        if not self.inference_only:
            self._critic = nn.Sequential(nn.Linear(n, 16), nn.ReLU(), nn.Linear(16, 1))

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self._actor(batch[Columns.OBS])}

    def compute_values(self, batch, embeddings=None):
        return self._critic(batch[Columns.OBS]).squeeze(-1)
"""

HELPER_FUNCTION = """
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


def two_heads(features: int, actions: int):
    return nn.Linear(features, actions), nn.Linear(features, 1)


def add_auxiliary_nets(module, features: int) -> None:
    module.decoder = nn.Linear(features, module.observation_space.shape[0])


class Scheduler(TorchRLModule, ValueFunctionAPI):
    def setup(self):
        self._build_encoder()
        self.actor, self.critic = two_heads(16, self.action_space.n)
        add_auxiliary_nets(self, 16)

    def _build_encoder(self):
        self.encoder = nn.Sequential(nn.Linear(self.observation_space.shape[0], 16), nn.ReLU())

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.actor(self.encoder(batch[Columns.OBS]))}

    def _forward_train(self, batch, **kwargs):
        z = self.encoder(batch[Columns.OBS])
        return {
            Columns.ACTION_DIST_INPUTS: self.actor(z),
            Columns.EMBEDDINGS: z,
            "decoded": self.decoder(z),
        }

    def compute_values(self, batch, embeddings=None):
        z = self.encoder(batch[Columns.OBS]) if embeddings is None else embeddings
        return self.critic(z).squeeze(-1)
"""

LAMBDA = """
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class Bicycle(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        n = self.observation_space.shape[0]
        self.pi = nn.Linear(n, self.action_space.n)
        self.value_net = nn.Linear(n, 1)
        self._values = lambda obs: self.value_net(obs).squeeze(-1)

    def get_non_inference_attributes(self):
        return ["value_net"]

    def _forward(self, batch, **kwargs):
        obs = batch[Columns.OBS]
        return {Columns.ACTION_DIST_INPUTS: self.pi(obs), Columns.VF_PREDS: self._values(obs)}
"""

HOOK = """
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class Probed(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        n = self.observation_space.shape[0]
        self.net = nn.Linear(n, self.action_space.n)
        self.probe = nn.Linear(self.action_space.n, 2)
        self.net.register_forward_hook(self._record)

    def _record(self, module, inputs, output):
        self._probed = self.probe(output.detach())

    def get_non_inference_attributes(self):
        return ["probe"]

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.net(batch[Columns.OBS])}
"""

PROPERTY = """
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class Wheelchair(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        n = self.observation_space.shape[0]
        self._policy_and_value = nn.ModuleList([nn.Linear(n, self.action_space.n)])
        self._vf = nn.Linear(n, 1)

    @property
    def heads(self):
        return [*self._policy_and_value, self._vf]

    def get_non_inference_attributes(self):
        return ["_vf"]

    def _forward(self, batch, **kwargs):
        logits, value = [head(batch[Columns.OBS]) for head in self.heads]
        return {Columns.ACTION_DIST_INPUTS: logits, Columns.VF_PREDS: value[..., 0]}
"""

BY_NAME = """
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule

N_CRITICS = 2


class Redundant(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        n = self.observation_space.shape[0]
        self.policy = nn.Linear(n, self.action_space.n)
        for i in range(N_CRITICS):
            setattr(self, f"q{i}", nn.Linear(n, self.action_space.n))

    def get_non_inference_attributes(self):
        return [f"q{i}" for i in range(N_CRITICS)]

    def _forward(self, batch, **kwargs):
        obs = batch[Columns.OBS]
        logits = self.policy(obs)
        READ
        return {Columns.ACTION_DIST_INPUTS: logits}

    def _forward_train(self, batch, **kwargs):
        qs = [getattr(self, f"q{i}")(batch[Columns.OBS]) for i in range(N_CRITICS)]
        return {**self._forward(batch), "qs": qs}
"""

MANGLED = """
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class Vault(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    def setup(self):
        n = self.observation_space.shape[0]
        self.__actor = nn.Linear(n, self.action_space.n)
        self.__critic = nn.Linear(n, 1)

    def get_non_inference_attributes(self):
        return ["NAME"]

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.__actor(batch[Columns.OBS])}

    def compute_values(self, batch, embeddings=None):
        return self.__critic(batch[Columns.OBS]).squeeze(-1)
"""

POLICY_ONLY = """
import torch.nn as nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule


class Reinforce(TorchRLModule):
    def setup(self):
        hidden = self.model_config.get("hidden", 16)
        self.fc1 = nn.Linear(self.observation_space.shape[0], hidden)
        self.fc2 = nn.Linear(hidden, self.action_space.n)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.fc2(self.fc1(batch[Columns.OBS]).tanh())}
"""

LEARNER_ONLY = """
import torch.nn as nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule


class WorldModel(TorchRLModule):
    def setup(self):
        n = self.observation_space.shape[0]
        self.dynamics = nn.Linear(n, n)
        self.reward = nn.Linear(n, 1)

    def _forward(self, batch, **kwargs):
        raise NotImplementedError("only for training: use learner_only=True")

    def _forward_train(self, batch, **kwargs):
        nxt = self.dynamics(batch[Columns.OBS])
        return {"next_obs": nxt, "reward": self.reward(nxt)}
"""


def without_api(source: str) -> str:
    """`source` without the API and its list, which is the last line of a three-line method."""
    head, _, tail = source.partition("    def get_non_inference_attributes(self)")
    head = head.removesuffix("    @override(InferenceOnlyAPI)\n")
    body = tail.split("\n\n", 1)[1]
    text = f"{head}{body}"
    for old in (", InferenceOnlyAPI", "InferenceOnlyAPI, "):
        text = text.replace(old, "")
    return text


MISTAKES = [
    # A listed name is read on the inference path.
    Case("exploration is the training pass", DELEGATING, (error("INF202", "vf_head"),)),
    Case("helper computes the value", SHARED_HELPER, (error("INF202", "fc_critic"),)),
    Case("exploration asks for values", EXPLORATION_VALUES, (error("INF202", "values"),)),
    Case("inherited list, values in sampling", VALUES_UNDER_PPO, (error("INF202", "vf"),)),
    Case("dueling value listed", DUELING_VALUE, (error("INF202", "vf"),)),
    Case(
        "encoder of the critic listed",
        ENCODER_OF_THE_CRITIC,
        (error("INF202", "encoder"),),
        # With PPO's inherited forwards, half of this class would be a module of its own.
        skip=("setup_in_base", "list_in_base", "reexported"),
    ),
    Case(
        "flag listed",
        FLAGS.replace("LIST", '["critic", "use_norm"]'),
        (error("INF202", "use_norm"),),
    ),
    Case("lambda reads it", LAMBDA, (error("INF202", "value_net"),)),
    Case("forward hook reads it", HOOK, (error("INF202", "probe"),)),
    Case("property reads it", PROPERTY, (error("INF202", "_vf"),)),
    Case(
        "read by name",
        BY_NAME.replace("READ", 'logits = logits + getattr(self, "q1")(obs)'),
        (error("INF202", "q1"),),
    ),
    # The list is too short.
    Case("renamed value head", RENAMED_HEAD, (warning("INF201", "value_head"),)),
    Case("second critic", SECOND_CRITIC, (warning("INF201", "vf_intrinsic"),)),
    Case(
        "third critic and its targets",
        THIRD_CRITIC,
        (warning("INF201", "qf3_encoder, qf3, target_qf3_encoder, target_qf3"),),
    ),
    Case(
        "mangled name",
        MANGLED.replace("NAME", "__critic"),
        (warning("INF203"),),
        tolerated=(warning("INF201"),),
        skip=("setup_in_base", "list_in_base", "reexported"),
    ),
    # There is no list.
    Case(
        "no API, learner builds more",
        LEARNER_BUILD,
        (warning("INF101", "_critic"),),
    ),
    Case(
        "no API, built by helpers",
        HELPER_FUNCTION,
        (warning("INF101", "critic, decoder"),),
    ),
    # No mistakes.
    Case("None listed and read", FLAGS.replace("LIST", '["critic", "_last_features"]')),
    Case(
        "guard on inference_only",
        PRE_GUARDED.replace("GUARD", "not self.inference_only"),
        silent=True,
    ),
    Case(
        "guard on hasattr",
        PRE_GUARDED.replace("GUARD", 'hasattr(self, "critic")'),
        silent=True,
    ),
    Case("guard on training", PRE_GUARDED.replace("GUARD", "self.training"), silent=True),
    Case("list by f-string", BY_NAME.replace("READ", "obs.sum()"), silent=True),
    Case(
        "mangled name spelled out",
        MANGLED.replace("NAME", "_Vault__critic"),
        silent=True,
        skip=("setup_in_base", "list_in_base", "reexported"),
    ),
    Case("no API, value in each forward", without_api(SHARED_HELPER), silent=True),
    Case("no API, exploration is the training pass", without_api(DELEGATING), silent=True),
    Case("policy only", POLICY_ONLY, silent=True),
    Case("only for the learner", LEARNER_ONLY, silent=True),
]
