# class: Functional
# non_inference: critics, vf
# findings: INF101@"class Functional"
"""`torch.func.functional_call` and a batched ensemble."""

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn
from torch.func import functional_call, stack_module_state


class Functional(TorchRLModule):
    def setup(self):
        size, n = self.observation_space.shape[0], self.action_space.n
        self.pi = nn.Linear(size, n)
        self.members = nn.ModuleList([nn.Linear(size, n) for _ in range(2)])
        self.critics = nn.ModuleList([nn.Linear(size, 1) for _ in range(2)])
        self.vf = nn.Linear(size, 1)

    def _ensemble(self, members, obs):
        params, buffers = stack_module_state(list(members))
        member = members[0]

        def one(p, b):
            return functional_call(member, (p, b), (obs,))

        return torch.vmap(one)(params, buffers).mean(0)

    def _forward(self, batch, **kwargs):
        obs = batch[Columns.OBS]
        logits = functional_call(self.pi, dict(self.pi.named_parameters()), (obs,))
        return {Columns.ACTION_DIST_INPUTS: logits + self._ensemble(self.members, obs)}

    def compute_values(self, batch, embeddings=None):
        obs = batch[Columns.OBS]
        return (self._ensemble(self.critics, obs) + self.vf(obs)).squeeze(-1)
