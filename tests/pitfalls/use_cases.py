"""Rows e, f, g, k, m, q, r, s, u, x, y, z: what inference does with the listed names."""

from __future__ import annotations

from .expect import Case, error, warning

IN_FORWARD = '''
from typing import Any, Dict, List

import torch
from torch import nn

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class Trader(TorchRLModule, InferenceOnlyAPI):
    """Reports the value estimate with each action."""

    def setup(self) -> None:
        in_size: int = self.observation_space.shape[0]
        self.encoder = nn.Sequential(nn.Linear(in_size, 32), nn.ReLU())
        self.pi = nn.Linear(32, self.action_space.n)
        self.vf = nn.Linear(32, 1)

    def get_non_inference_attributes(self) -> List[str]:
        return ["vf"]

    def _forward(self, batch: Dict[str, Any], **kwargs) -> Dict[str, Any]:
        emb = self.encoder(batch[Columns.OBS])
        return {
            Columns.ACTION_DIST_INPUTS: self.pi(emb),
            Columns.VF_PREDS: self.vf(emb).squeeze(-1),
        }
'''

EXPLORATION_ONLY = """
import torch.nn as nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class CuriousAgent(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        size = self.observation_space.shape[0]
        self.net = nn.Linear(size, self.action_space.n)
        self.novelty = nn.Linear(size, 1)

    def get_non_inference_attributes(self):
        return ["novelty"]

    def _forward_inference(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.net(batch[Columns.OBS])}

    def _forward_exploration(self, batch, t=None, **kwargs):
        novelty = self.novelty
        bonus = novelty(batch[Columns.OBS]).sigmoid()
        return {Columns.ACTION_DIST_INPUTS: self.net(batch[Columns.OBS]) * (1 - bonus)}

    def _forward_train(self, batch, **kwargs):
        return self._forward_inference(batch)
"""

GUARDED = """
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.utils.framework import try_import_torch

torch, nn = try_import_torch()


class ElevatorModule(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    def setup(self):
        floors = self.observation_space.shape[0]
        self.shared = nn.Sequential(nn.Linear(floors, 16), nn.Mish())
        self.calls = nn.Linear(16, self.action_space.n)
        BUILD

    def get_non_inference_attributes(self):
        return ["value"]

    def _forward(self, batch, **kwargs):
        h = self.shared(batch[Columns.OBS])
        out = {Columns.ACTION_DIST_INPUTS: self.calls(h)}
        GUARD
        return out

    def compute_values(self, batch, embeddings=None):
        h = self.shared(batch[Columns.OBS]) if embeddings is None else embeddings
        return self.value(h).squeeze(-1)
"""


def guarded(*guard: str, build: tuple[str, ...] = ("self.value = nn.Linear(16, 1)",)) -> str:
    """The elevator module with this way to keep the value off the runner."""
    text = GUARDED.replace("GUARD", "\n        ".join(guard))
    return text.replace("BUILD", "\n        ".join(build))


VALUE_OUT = "out[Columns.VF_PREDS] = self.value(h).squeeze(-1)"

NESTED = """
import torch
from torch import nn
from typing import List

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class ActorCriticEncoder(nn.Module):
    def __init__(self, in_features: int, width: int) -> None:
        super().__init__()
        self.pol = nn.Sequential(nn.Linear(in_features, width), nn.Tanh())
        self.vf = nn.Sequential(nn.Linear(in_features, width), nn.Tanh())


class BoatModule(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    def setup(self):
        self._encoder = ActorCriticEncoder(self.observation_space.shape[0], 16)
        self._head = nn.Linear(16, self.action_space.n)
        self.HEAD = nn.Linear(16, 1)
        AFTER_SETUP

    def get_non_inference_attributes(self) -> List[str]:
        return LIST

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self._head(self._encoder.pol(batch[Columns.OBS]))}

    def compute_values(self, batch, embeddings=None):
        return self.HEAD(self._encoder.vf(batch[Columns.OBS])).squeeze(-1)
"""


def nested(names: str, *, head: str = "_value", setup: tuple[str, ...] = ()) -> str:
    """The boat module; inference touches neither `_encoder.vf` nor the value head."""
    text = NESTED.replace("LIST", names).replace("HEAD", head)
    return text.replace("        AFTER_SETUP\n", "".join(f"        {line}\n" for line in setup))


PLAIN_CONTAINERS = '''
import torch
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class Ensemble(TorchRLModule, InferenceOnlyAPI):
    """Averages the logits of several small nets; plain containers, so torch sees none of them."""

    def setup(self):
        n, k = self.observation_space.shape[0], self.action_space.n
        self.anchor = nn.Linear(n, k)
        self.members = [nn.Linear(n, k) for _ in range(self.model_config.get("size", 3))]
        self.critics = {"q1": nn.Linear(n, 1), "q2": nn.Linear(n, 1)}

    def get_non_inference_attributes(self):
        return ["critics"]

    def _forward(self, batch, **kwargs):
        obs = batch[Columns.OBS]
        logits = self.anchor(obs) + torch.stack([m(obs) for m in self.members]).mean(0)
        return {Columns.ACTION_DIST_INPUTS: logits}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        for name, critic in self.critics.items():
            out[name] = critic(batch[Columns.OBS])
        return out
'''

LISTED_VALUES = '''
import torch
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class Sailor(TorchRLModule, InferenceOnlyAPI):
    """Scales its logits by something that is kept on the module."""

    def setup(self):
        n = self.observation_space.shape[0]
        self.mu = nn.Linear(n, self.action_space.n)
        self.aux = nn.Linear(n, 1)
        ASSIGN

    def get_non_inference_attributes(self):
        return ["aux", "scale"]

    def _forward(self, batch, **kwargs):
        logits = self.mu(batch[Columns.OBS])
        READ
        return {Columns.ACTION_DIST_INPUTS: logits}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        out["aux"] = self.aux(batch[Columns.OBS])
        return out
'''


def listed(assign: str, read: str = "logits = logits * self.scale") -> str:
    """The sailor, whose list names `scale`."""
    return LISTED_VALUES.replace("ASSIGN", assign).replace("READ", read)


ALIAS = """
import torch.nn as nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class Crawler(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        n = self.observation_space.shape[0]
        self.policy = nn.Sequential(nn.Linear(n, 16), nn.ReLU(), nn.Linear(16, self.action_space.n))
        # The loss knows it by this name.
        self.actor = self.policy

    def get_non_inference_attributes(self):
        return ["actor"]

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.policy(batch[Columns.OBS])}

    def _forward_train(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.actor(batch[Columns.OBS])}
"""

ALIAS_OF_A_PART = """
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.utils.framework import try_import_torch

torch, nn = try_import_torch()


class Net(nn.Module):
    def __init__(self, n, k):
        super().__init__()
        self.stem = nn.Linear(n, 16)
        self.out = nn.Linear(16, k)

    def forward(self, x):
        return self.out(torch.relu(self.stem(x)))


class Swimmer(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        self.net = Net(self.observation_space.shape[0], self.action_space.n)
        self.stem = self.net.stem

    def get_non_inference_attributes(self):
        return ["stem"]

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.net(batch[Columns.OBS])}

    def _forward_train(self, batch, **kwargs):
        return {**self._forward(batch), "features": self.stem(batch[Columns.OBS])}
"""

TWO_NAMES_ONE_LISTED = """
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class Hopper(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    def setup(self):
        n = self.observation_space.shape[0]
        self.pi = nn.Linear(n, self.action_space.n)
        self.critic = nn.Sequential(nn.Linear(n, 16), nn.ReLU(), nn.Linear(16, 1))
        self.value_net = self.critic

    def get_non_inference_attributes(self):
        return ["critic"]

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}

    def compute_values(self, batch, embeddings=None):
        return self.value_net(batch[Columns.OBS]).squeeze(-1)
"""

TIED = """
import torch
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class TiedHeads(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        n, k = self.observation_space.shape[0], self.action_space.n
        self.logits = nn.Linear(n, k, bias=False)
        self.imitation = nn.Linear(n, k)
        self.imitation.weight = self.logits.weight

    def get_non_inference_attributes(self):
        return ["imitation"]

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.logits(batch[Columns.OBS])}

    def _forward_train(self, batch, **kwargs):
        return {**self._forward(batch), "imitation": self.imitation(batch[Columns.OBS])}
"""

OWN_GET_STATE = """
import torch
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class Checkpointed(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    def setup(self):
        n = self.observation_space.shape[0]
        self.pi = nn.Linear(n, self.action_space.n)
        self.vf = nn.Linear(n, 1)

    def get_non_inference_attributes(self):
        return ["vf"]

    GET_STATE

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}

    def compute_values(self, batch, embeddings=None):
        return self.vf(batch[Columns.OBS]).squeeze(-1)
"""

INITIAL_STATE = '''
from typing import Any, Dict

import numpy as np
import torch
from torch import nn

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.utils.annotations import override


class MemoryAgent(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    """GRU policy with a recurrent critic of its own."""

    @override(TorchRLModule)
    def setup(self):
        n = self.observation_space.shape[0]
        cell = self.model_config.get("cell_size", 8)
        self.gru = nn.GRU(n, cell, batch_first=True)
        self.pi = nn.Linear(cell, self.action_space.n)
        self.critic_gru = nn.GRU(n, cell, batch_first=True)
        self.vf = nn.Linear(cell, 1)

    def get_non_inference_attributes(self):
        return ["critic_gru", "vf"]

    @override(TorchRLModule)
    def get_initial_state(self) -> Any:
        return {
            "h": np.zeros((self.gru.hidden_size,), np.float32),
            "critic": np.zeros((self.critic_gru.hidden_size,), np.float32),
        }

    @override(TorchRLModule)
    def _forward(self, batch: Dict[str, Any], **kwargs) -> Dict[str, Any]:
        state = batch[Columns.STATE_IN]
        out, h = self.gru(batch[Columns.OBS], state["h"].unsqueeze(0))
        return {
            Columns.ACTION_DIST_INPUTS: self.pi(out),
            Columns.STATE_OUT: {"h": h.squeeze(0), "critic": state["critic"]},
        }

    @override(ValueFunctionAPI)
    def compute_values(self, batch: Dict[str, Any], embeddings=None) -> torch.Tensor:
        state = batch[Columns.STATE_IN]
        out, _ = self.critic_gru(batch[Columns.OBS], state["critic"].unsqueeze(0))
        return self.vf(out).squeeze(-1)
'''

IS_STATEFUL = """
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class MaybeRecurrent(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        n = self.observation_space.shape[0]
        self.policy = nn.Linear(n, self.action_space.n)
        self.predictor = nn.Linear(n, n)

    def get_non_inference_attributes(self):
        return ["predictor"]

    def is_stateful(self):
        return isinstance(self.predictor, nn.LSTM)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.policy(batch[Columns.OBS])}

    def _forward_train(self, batch, **kwargs):
        return {**self._forward(batch), "next_obs": self.predictor(batch[Columns.OBS])}
"""

DISTRIBUTION = """
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.distribution.torch.torch_distribution import TorchCategorical
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


def tempered(net):
    class Tempered(TorchCategorical):
        temperature = net.out_features

    return Tempered


class Tempering(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        n = self.observation_space.shape[0]
        self.policy = nn.Linear(n, self.action_space.n)
        self.temperature_net = nn.Linear(n, 1)

    def get_non_inference_attributes(self):
        return ["temperature_net"]

    def get_exploration_action_dist_cls(self):
        return tempered(self.temperature_net)

    def get_inference_action_dist_cls(self):
        return TorchCategorical

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.policy(batch[Columns.OBS])}

    def _forward_train(self, batch, **kwargs):
        return {**self._forward(batch), "t": self.temperature_net(batch[Columns.OBS])}
"""

NOT_DELETABLE = """
import torch
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class Tractor(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    hidden_size = 16

    def setup(self):
        n = self.observation_space.shape[0]
        self._body = nn.Linear(n, self.hidden_size)
        self._pi = nn.Linear(self.hidden_size, self.action_space.n)
        self._vf = nn.Linear(self.hidden_size, 1)

    @property
    def value_head(self):
        return self._vf

    def get_non_inference_attributes(self):
        return LIST

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self._pi(self._body(batch[Columns.OBS]))}

    def compute_values(self, batch, embeddings=None):
        return self.value_head(self._body(batch[Columns.OBS])).squeeze(-1)
"""

LATE = """
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class OldStyle(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        n = self.observation_space.shape[0]
        self.net = nn.Linear(n, self.action_space.n)
        self.value_net = nn.Linear(n, 1)

    def get_non_inference_attributes(self):
        return ["value_net"]

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.net(batch[Columns.OBS])}

    def compute_values(self, batch, embeddings=None):
        return self.value_net(batch[Columns.OBS]).squeeze(-1)
"""

LAZY = """
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class Lazy(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        self.net = nn.Linear(self.observation_space.shape[0], self.action_space.n)

    def get_non_inference_attributes(self):
        return ["probe"]

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.net(batch[Columns.OBS])}

    def _forward_train(self, batch, **kwargs):
        obs = batch[Columns.OBS]
        if not hasattr(self, "probe"):
            self.probe = nn.Linear(obs.shape[-1], 1)
        return {**self._forward(batch), "probe": self.probe(obs)}
"""

CONFIG_IN_LIST = """

from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule


class Configured(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    def setup(self):
        n = self.observation_space.shape[0]
        self.pi = nn.Linear(n, self.action_space.n)
        self.vf = nn.Linear(n, 1)
        if self.model_config.get("curiosity"):
            self.icm = nn.Linear(n, n)

    def get_non_inference_attributes(self):
        names = ["vf"]
        if self.model_config.get("curiosity"):
            names = names + ["icm"]
        return names

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}

    def compute_values(self, batch, embeddings=None):
        return self.vf(batch[Columns.OBS]).squeeze(-1)
"""

USE_CASES = [
    # e: listed and used.
    Case("e forward", IN_FORWARD, (error("INF202", "vf"),)),
    Case("e exploration only", EXPLORATION_ONLY, (error("INF202", "novelty"),)),
    Case(
        "e wrong guard",
        guarded("if self.inference_only:", f"    {VALUE_OUT}"),
        (error("INF202", "value"),),
    ),
    Case(
        "e guard on something else",
        guarded('if self.model_config.get("report_values"):', f"    {VALUE_OUT}"),
        (error("INF202", "value"),),
    ),
    Case(
        "e-ok not inference_only",
        guarded("if not self.inference_only:", f"    {VALUE_OUT}"),
        silent=True,
    ),
    Case("e-ok hasattr", guarded('if hasattr(self, "value"):', f"    {VALUE_OUT}"), silent=True),
    Case(
        "e-ok early return",
        guarded("if self.inference_only:", "    return out", VALUE_OUT),
        silent=True,
    ),
    Case(
        "e-ok getattr with default",
        guarded(
            'value = getattr(self, "value", None)',
            "if value is not None:",
            "    out[Columns.VF_PREDS] = value(h).squeeze(-1)",
        ),
        silent=True,
    ),
    Case(
        "e-ok conditional expression",
        guarded("out[Columns.VF_PREDS] = None if self.inference_only else self.value(h)"),
        silent=True,
    ),
    Case(
        "e-ok guarded and built on the learner only",
        guarded(
            "if not self.inference_only:",
            f"    {VALUE_OUT}",
            build=("if not self.inference_only:", "    self.value = nn.Linear(16, 1)"),
        ),
        silent=True,
    ),
    # f, g: nested paths (their own rules judge these; the verdict behind them is right).
    Case("f nested", nested('["_encoder.vf", "_value"]')),
    Case(
        "f deleted in setup",
        nested(
            '["_encoder.vf", "_value"]',
            setup=("if self.inference_only:", "    del self._encoder.vf"),
        ),
    ),
    Case(
        "f' listed for the learner only",
        nested('["_value"] + ([] if self.inference_only else ["_encoder.vf"])'),
    ),
    Case("g leaf on the root", nested('["_encoder.vf", "vf"]', head="vf")),
    # k: containers that torch does not see.
    Case("k plain containers", PLAIN_CONTAINERS),
    # m: things that are no modules.
    Case("m bool", listed("self.scale = True"), (error("INF202", "scale"),)),
    Case("m int", listed("self.scale: int = 2"), (error("INF202", "scale"),)),
    Case("m zero", listed("self.scale = 0"), (error("INF202", "scale"),)),
    Case("m tensor", listed("self.scale = torch.ones(1)"), (error("INF202", "scale"),)),
    Case(
        "m buffer",
        listed('self.register_buffer("scale", torch.ones(1))'),
        (error("INF202", "scale"),),
    ),
    Case(
        "m parameter",
        listed("self.scale = nn.Parameter(torch.zeros(()))", "logits = logits * self.scale.exp()"),
        (error("INF202", "scale"),),
    ),
    Case(
        "m None is skipped",
        listed(
            "self.scale = None",
            "logits = logits if self.scale is None else logits * self.scale",
        ),
    ),
    Case("m unread", listed("self.scale = 1.5", "pass")),
    # q: second names.
    Case("q alias listed", ALIAS, silent=True),
    Case("q alias of a part listed", ALIAS_OF_A_PART, silent=True),
    Case("q' two names, one listed", TWO_NAMES_ONE_LISTED, (warning("INF201", "value_net"),)),
    Case("q'' tied parameter", TIED, silent=True),
    # r: own get_state (rules of their own judge these).
    Case(
        "r drops the flag",
        OWN_GET_STATE.replace(
            "GET_STATE",
            "def get_state(self, components=None, *, inference_only=False, **kwargs):\n"
            "        return super().get_state(components)",
        ),
    ),
    Case(
        "r' lacks the argument",
        OWN_GET_STATE.replace(
            "GET_STATE", "def get_state(self):\n        return super().get_state()"
        ),
    ),
    # s: the other entry points.
    Case("s initial state", INITIAL_STATE, (error("INF202", "critic_gru"),)),
    Case("s is_stateful", IS_STATEFUL, (error("INF202", "predictor"),)),
    Case("s distribution class", DISTRIBUTION, (error("INF202", "temperature_net"),)),
    # u: names that cannot be deleted (rules of their own judge these).
    Case(
        "u property",
        NOT_DELETABLE.replace("LIST", '["value_head"]'),
        tolerated=(warning("INF201", "_vf"),),
    ),
    Case("u class attribute", NOT_DELETABLE.replace("LIST", '["_vf", "hidden_size"]')),
    Case("u method", NOT_DELETABLE.replace("LIST", '["_vf", "compute_values"]')),
    Case("u' RLlib's own", NOT_DELETABLE.replace("LIST", '["_vf", "observation_space"]')),
    Case("u-ok what the property hides", NOT_DELETABLE.replace("LIST", '["_vf"]'), silent=True),
    # x, y, z.
    Case("x built after the constructor", LATE),
    Case("y built lazily in training", LAZY, silent=True),
    Case("z list reads the config", CONFIG_IN_LIST),
]
