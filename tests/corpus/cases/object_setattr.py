# class: HiddenAttachment
# non_inference: teacher, critic
# findings: INF101@"class HiddenAttachment"
# note: `teacher` is not registered in torch, so it is not in the state; it can go all the same.
"""`object.__setattr__` keeps a net out of torch's registry."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class HiddenAttachment(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.pi = nn.Linear(size, self.action_space.n)
        self.critic = nn.Linear(size, 1)
        object.__setattr__(self, "teacher", nn.Linear(size, self.action_space.n))
        object.__setattr__(self, "frozen_norm", nn.LayerNorm(size))

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.frozen_norm(batch[Columns.OBS]))}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        out["teacher_logits"] = self.teacher(batch[Columns.OBS]).detach()
        out[Columns.VF_PREDS] = self.critic(batch[Columns.OBS]).squeeze(-1)
        return out
