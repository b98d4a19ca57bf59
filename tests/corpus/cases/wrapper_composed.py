# class: Composite
# non_inference: encoder, vf
# findings: INF101@"class Composite"
# note: `policy` registers encoder and head as its own parts and runs them; `head` is read by name.
"""Components handed to an owned net, which registers them a second time."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Policy(nn.Module):
    def __init__(self, encoder, head):
        super().__init__()
        self.encoder = encoder
        self.head = head

    def forward(self, obs):
        return self.head(self.encoder(obs).tanh())


class Composite(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.encoder = nn.Linear(size, 8)
        self.head = nn.Linear(8, self.action_space.n)
        self.policy = Policy(self.encoder, self.head)
        self.vf = nn.Linear(8, 1)

    def _forward(self, batch, **kwargs):
        logits = self.policy(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: logits + self.head.bias}

    def compute_values(self, batch, embeddings=None):
        return self.vf(self.encoder(batch[Columns.OBS])).squeeze(-1)


class _Hidden(nn.Module):
    """Keeps its net in a plain list, where torch does not see it."""

    def __init__(self, net):
        super().__init__()
        self._nets = [net]

    def forward(self, obs):
        return self._nets[0](obs)


# class: HiddenComposite
# non_inference: vf
# findings: INF101@"class HiddenComposite"
# note: `policy` runs encoder through a plain list, so encoder's keys must be sent.
class HiddenComposite(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.encoder = nn.Linear(size, self.action_space.n)
        self.policy = _Hidden(self.encoder)
        self.vf = nn.Linear(3, 1)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.policy(batch[Columns.OBS])}

    def compute_values(self, batch, embeddings=None):
        return self.vf(self.encoder(batch[Columns.OBS])).squeeze(-1)
