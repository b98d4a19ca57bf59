# class: WrapsTuple
# non_inference: target
# findings: INF101@"class WrapsTuple"
# note: net.vf runs at each call of net and its result is thrown away: it is needed as written.
"""An owned net returns (logits, value); inference drops the value, yet computes it."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.learner.utils import make_target_network
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class PolicyValueNet(nn.Module):
    def __init__(self, size, actions):
        super().__init__()
        self.common = nn.Sequential(nn.Linear(size, 8), nn.ReLU())
        self.pi = nn.Linear(8, actions)
        self.vf = nn.Linear(8, 1)

    def forward(self, x):
        x = self.common(x)
        return self.pi(x), self.vf(x)


class WrapsTuple(TorchRLModule):
    def setup(self):
        self.net = PolicyValueNet(self.observation_space.shape[0], self.action_space.n)
        self.target = make_target_network(self.net)

    def _forward(self, batch, **kwargs):
        logits, _ = self.net(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: logits}

    def _forward_train(self, batch, **kwargs):
        logits, values = self.net(batch[Columns.OBS])
        old_logits, _ = self.target(batch[Columns.OBS])
        return {
            Columns.ACTION_DIST_INPUTS: logits,
            Columns.VF_PREDS: values.squeeze(-1),
            "old_logits": old_logits,
        }
