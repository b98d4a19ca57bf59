# class: BuiltInHelpers
# non_inference: critic_body, critic_head
# findings: INF101@"class BuiltInHelpers"
"""`setup()` only calls `_build_*` methods, one of them through another."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class BuiltInHelpers(TorchRLModule, ValueFunctionAPI):
    def setup(self):
        self.size = self.observation_space.shape[0]
        self._build_actor()
        self._build_critic(width=self.model_config.get("width", 8))

    def _build_actor(self):
        self.actor_body = self._mlp(self.size, 8)
        self.actor_head = nn.Linear(8, self.action_space.n)

    def _build_critic(self, width):
        self.critic_body = self._mlp(self.size, width)
        self._build_critic_head(width)

    def _build_critic_head(self, width):
        self.critic_head = nn.Linear(width, 1)

    def _mlp(self, i, o):
        return nn.Sequential(nn.Linear(i, o), nn.Tanh())

    def _forward(self, batch, **kwargs):
        logits = self.actor_head(self.actor_body(batch[Columns.OBS]))
        return {Columns.ACTION_DIST_INPUTS: logits}

    def compute_values(self, batch, embeddings=None):
        return self.critic_head(self.critic_body(batch[Columns.OBS])).squeeze(-1)
