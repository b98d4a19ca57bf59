# class: FilteredLoop
# non_inference: critics
# acceptable-uncertain: nets.vf
# findings: INF101@"class FilteredLoop"
# note: nets.vf is skipped by the loop's condition, which no static pass need understand.
"""Loops over `items()` in inference: one skips a name, one takes all."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class FilteredLoop(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.nets = nn.ModuleDict({k: nn.Linear(size, 3) for k in ("fast", "slow", "vf")})
        self.stages = nn.ModuleDict({"a": nn.Linear(3, 3), "b": nn.Linear(3, 3)})
        self.critics = nn.ModuleDict({"a": nn.Linear(3, 1), "b": nn.Linear(3, 1)})

    def _forward(self, batch, **kwargs):
        logits = 0.0
        for name, net in self.nets.items():
            if name != "vf":
                logits = logits + net(batch[Columns.OBS])
        for stage in self.stages.values():
            logits = stage(logits)
        return {Columns.ACTION_DIST_INPUTS: logits}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        out["q"] = [c(out[Columns.ACTION_DIST_INPUTS]) for c in self.critics.values()]
        out[Columns.VF_PREDS] = self.nets["vf"](batch[Columns.OBS])
        return out
