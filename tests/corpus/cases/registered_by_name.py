# class: RegisteredByName
# non_inference: vf, vf_scale, critic_2
# findings: INF101@"class RegisteredByName"
"""`add_module`, `register_module` and `register_parameter` instead of assignments."""

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class RegisteredByName(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.add_module("encoder", nn.Linear(size, 8))
        self.add_module(name="pi", module=nn.Linear(8, self.action_space.n))
        self.register_module("vf", nn.Linear(8, 1))
        self.register_parameter("bias", nn.Parameter(torch.zeros(3)))
        self.register_parameter("vf_scale", nn.Parameter(torch.ones(1)))
        self.add_module("critic_%d" % 2, nn.Linear(8, 1))

    def _forward(self, batch, **kwargs):
        h = self.encoder(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: self.pi(h) + self.bias}

    def _forward_train(self, batch, **kwargs):
        h = self.encoder(batch[Columns.OBS])
        out = {Columns.ACTION_DIST_INPUTS: self.pi(h) + self.bias}
        out[Columns.VF_PREDS] = self.vf(h) * self.vf_scale + self.critic_2(h)
        return out
