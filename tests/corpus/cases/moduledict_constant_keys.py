# class: NamedNets
# non_inference: nets.vf, nets.icm, extra
# findings: INF101@"class NamedNets"
"""ModuleDict with constant keys: literal, `update`, item assignment, and a key in a constant."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn

POLICY = "pi"


class NamedNets(TorchRLModule):
    VALUE = "vf"

    def setup(self):
        size = self.observation_space.shape[0]
        self.nets = nn.ModuleDict(
            {
                "enc": nn.Linear(size, 8),
                POLICY: nn.Linear(8, self.action_space.n),
                self.VALUE: nn.Linear(8, 1),
            }
        )
        self.nets["icm"] = nn.Linear(8, 8)
        self.extra = nn.ModuleDict()
        self.extra.update({"rnd": nn.Linear(size, 4)})

    def _forward(self, batch, **kwargs):
        h = self.nets["enc"](batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: self.nets[POLICY](h)}

    def _forward_train(self, batch, **kwargs):
        h = self.nets["enc"](batch[Columns.OBS])
        return {
            Columns.ACTION_DIST_INPUTS: self.nets["pi"](h),
            Columns.VF_PREDS: self.nets[self.VALUE](h),
            "icm": self.nets["icm"](h),
            "rnd": self.extra["rnd"](batch[Columns.OBS]),
        }
