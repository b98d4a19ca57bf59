# class: SecondNames
# non_inference: policy_net, body, vf_encoder, vf
# findings: INF101@"class SecondNames"
# note: inference reads `actor`, `features` and `shared`; the other names only send keys twice.
"""`self.a = self.b`: torch registers the module twice, and each name counts by itself."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class SecondNames(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.policy_net = nn.Linear(8, self.action_space.n)
        self.actor = self.policy_net
        self.features = self.body = nn.Linear(size, 8)
        shared = nn.Linear(8, 8)
        self.shared = shared
        self.vf_encoder = shared
        self.vf = nn.Linear(8, 1)

    def _forward(self, batch, **kwargs):
        h = self.shared(self.features(batch[Columns.OBS]))
        return {Columns.ACTION_DIST_INPUTS: self.actor(h)}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        h = self.vf_encoder(self.body(batch[Columns.OBS]))
        out[Columns.VF_PREDS] = self.vf(h).squeeze(-1)
        out["old_logits"] = self.policy_net(h)
        return out
