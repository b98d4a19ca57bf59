# class: FirstIsTheCritic
# non_inference:
# findings:
# note: deleting heads.0 leaves a list of one, so heads[1] is an IndexError: heads.0 must stay;
# note: tail.0 must stay since tail[-1] would be looked up under the key "0".
"""The unused element comes first: an index into a ModuleList depends on its length."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class FirstIsTheCritic(TorchRLModule):
    def setup(self):
        self.body = nn.Linear(self.observation_space.shape[0], 8)
        self.heads = nn.ModuleList()
        self.heads.append(nn.Linear(8, 1))
        self.heads.append(nn.Linear(8, self.action_space.n))
        self.tail = nn.ModuleList([nn.Linear(3, 1), nn.Linear(3, 3)])

    def _forward(self, batch, **kwargs):
        logits = self.heads[1](self.body(batch[Columns.OBS]))
        return {Columns.ACTION_DIST_INPUTS: self.tail[-1](logits)}

    def _forward_train(self, batch, **kwargs):
        h = self.body(batch[Columns.OBS])
        logits = self.heads[1](h)
        return {
            Columns.ACTION_DIST_INPUTS: self.tail[-1](logits),
            Columns.VF_PREDS: self.heads[0](h) + self.tail[0](logits),
        }
