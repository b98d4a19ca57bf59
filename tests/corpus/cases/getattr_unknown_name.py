# class: ReadsAnything
# non_inference:
# acceptable-uncertain: vf, icm
# configs: [{"policy_net": "pi"}, {"policy_net": "pi_b"}]
# findings:
"""`getattr(self, <from the config>)` may reach any attribute: nothing can be listed."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class ReadsAnything(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.pi = nn.Linear(size, self.action_space.n)
        self.pi_b = nn.Linear(size, self.action_space.n)
        self.vf = nn.Linear(size, 1)
        self.icm = nn.Linear(size, 4)

    def _forward(self, batch, **kwargs):
        net = getattr(self, self.model_config["policy_net"])
        return {Columns.ACTION_DIST_INPUTS: net(batch[Columns.OBS])}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        out[Columns.VF_PREDS] = self.vf(batch[Columns.OBS]).squeeze(-1)
        out["icm"] = self.icm(batch[Columns.OBS])
        return out
