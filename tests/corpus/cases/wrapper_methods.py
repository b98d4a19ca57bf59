# class: WrapsMethods
# non_inference: net.vf, net.vf_body
"""An owned net with `act` and `evaluate` methods; `self.net.forward(...)` is spelled out once."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Net(nn.Module):
    def __init__(self, size, actions):
        super().__init__()
        self.body = nn.Linear(size, 8)
        self.vf_body = nn.Linear(size, 8)
        self.pi = nn.Linear(8, actions)
        self.vf = nn.Linear(8, 1)

    def features(self, obs):
        return self.body(obs).tanh()

    def act(self, obs):
        return self._logits(self.features(obs))

    def _logits(self, h):
        return self.pi.forward(h)

    def evaluate(self, obs):
        return self.vf(self.vf_body(obs)).squeeze(-1)

    def forward(self, obs):
        return self.act(obs)


class WrapsMethods(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.net = Net(size, self.action_space.n)

    def _forward_inference(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.net.act(batch[Columns.OBS])}

    def _forward_exploration(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.net.forward(batch[Columns.OBS])}

    def _forward_train(self, batch, **kwargs):
        obs = batch[Columns.OBS]
        return {
            Columns.ACTION_DIST_INPUTS: self.net(obs),
            Columns.VF_PREDS: self.net.evaluate(obs),
        }
