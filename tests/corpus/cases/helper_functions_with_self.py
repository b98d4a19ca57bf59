# class: OutsideHelpers
# non_inference: value, value_norm
# findings: INF101@"class OutsideHelpers"
"""Module-level functions build on the module they are given, and run inference with it."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


def attach_policy(module, width):
    module.body = nn.Linear(module.observation_space.shape[0], width)
    module.logits = nn.Linear(width, module.action_space.n)


def attach_value(module: TorchRLModule, width: int) -> None:
    module.value_norm = nn.LayerNorm(width)
    module.value = nn.Linear(width, 1)


def act(rlm, obs):
    h = rlm.body(obs)
    return {Columns.ACTION_DIST_INPUTS: rlm.logits(h)}


def evaluate(rlm, obs):
    return rlm.value(rlm.value_norm(rlm.body(obs)))


class OutsideHelpers(TorchRLModule):
    def setup(self):
        attach_policy(self, 8)
        attach_value(module=self, width=8)

    def _forward(self, batch, **kwargs):
        return act(self, batch[Columns.OBS])

    def _forward_train(self, batch, **kwargs):
        out = act(self, batch[Columns.OBS])
        out[Columns.VF_PREDS] = evaluate(self, batch[Columns.OBS])
        return out
