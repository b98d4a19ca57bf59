# class: CompactSAC
# non_inference: qf_encoder, qf, qf_twin_encoder, qf_twin, target_qf_encoder, target_qf,
#     target_qf_twin_encoder, target_qf_twin, log_alpha_net
# configs: [sac()]
# findings: INF201@"class CompactSAC"
"""SAC with its own `setup()`: plain torch nets under RLlib's names, and one name more."""

from ray.rllib.algorithms.sac.torch.default_sac_torch_rl_module import DefaultSACTorchRLModule
from ray.rllib.core.columns import Columns
from torch import nn


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


class CompactSAC(DefaultSACTorchRLModule):
    def setup(self):
        self.twin_q = True
        obs, n = self.observation_space.shape[0], self.action_space.n
        self.pi_encoder = mlp(obs, 8)
        self.pi = mlp(8, 8, n)
        self.qf_encoder, self.qf_twin_encoder = mlp(obs, 8), mlp(obs, 8)
        self.qf = mlp(8, n)
        self.qf_twin = mlp(8, n)
        self.log_alpha_net = mlp(obs, 1)

    def _forward_inference(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.pi_encoder(batch[Columns.OBS]))}

    def _forward_exploration(self, batch, **kwargs):
        return self._forward_inference(batch)

    def _forward_train(self, batch):
        obs = batch[Columns.OBS]
        out = self._forward_inference(batch)
        out["qf_preds"] = self.qf(self.qf_encoder(obs))
        out["qf_twin_preds"] = self.qf_twin(self.qf_twin_encoder(obs))
        out["log_alpha"] = self.log_alpha_net(obs)
        return out
