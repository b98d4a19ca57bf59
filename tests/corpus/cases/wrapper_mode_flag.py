# class: ModeFlag
# non_inference: old_net
# acceptable-uncertain: net.critic, net.critic_body
# findings: INF101@"class ModeFlag"
# note: branches on an argument are both taken, so net.critic may count as read.
"""`forward(x, mode="actor")` with a constant flag at each call."""

import copy

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class MultiModeNet(nn.Module):
    def __init__(self, size, actions):
        super().__init__()
        self.actor_body = nn.Linear(size, 8)
        self.critic_body = nn.Linear(size, 8)
        self.actor = nn.Linear(8, actions)
        self.critic = nn.Linear(8, 1)

    def forward(self, x, mode="both"):
        if mode == "actor":
            return self.actor(self.actor_body(x))
        if mode == "critic":
            return self.critic(self.critic_body(x))
        return self.forward(x, "actor"), self.forward(x, mode="critic")


class ModeFlag(TorchRLModule):
    def setup(self):
        self.net = MultiModeNet(self.observation_space.shape[0], self.action_space.n)
        self.old_net = copy.deepcopy(self.net)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.net(batch[Columns.OBS], mode="actor")}

    def _forward_train(self, batch, **kwargs):
        logits, values = self.net(batch[Columns.OBS])
        old, _ = self.old_net(batch[Columns.OBS])
        return {
            Columns.ACTION_DIST_INPUTS: logits,
            Columns.VF_PREDS: values.squeeze(-1),
            "old": old,
        }
