# class: AuxiliaryDQN
# non_inference: _target_encoder, _target_af, _target_vf, reward_head
# configs: [dqn(dueling=True), dqn(dueling=False)]
# findings: INF201@"class AuxiliaryDQN"
"""DQN's forwards reach `vf` through `compute_q_values`; only the new head is left out."""

from ray.rllib.algorithms.dqn.torch.default_dqn_torch_rl_module import DefaultDQNTorchRLModule
from ray.rllib.core.models.base import ENCODER_OUT
from torch import nn


class AuxiliaryDQN(DefaultDQNTorchRLModule):
    def setup(self):
        super().setup()
        self.reward_head = nn.Linear(8, 1)

    def _forward_train(self, batch):
        out = super()._forward_train(batch)
        out["reward_preds"] = self.reward_head(self.encoder(batch)[ENCODER_OUT]).squeeze(-1)
        return out
