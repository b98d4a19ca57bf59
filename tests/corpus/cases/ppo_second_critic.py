# class: CostAwarePPO
# non_inference: vf, encoder.critic_encoder, cost_encoder, cost_vf
# configs: [ppo(vf_share_layers=False)]
# findings: INF201@"class CostAwarePPO"
"""A second critic beside the inherited one; the inherited list does not know it."""

from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
from ray.rllib.core.columns import Columns
from ray.rllib.utils.annotations import override
from torch import nn


class CostAwarePPO(DefaultPPOTorchRLModule):
    @override(DefaultPPOTorchRLModule)
    def setup(self):
        super().setup()
        self.cost_encoder = nn.Linear(self.observation_space.shape[0], 8)
        self.cost_vf = nn.Linear(8, 1)

    @override(DefaultPPOTorchRLModule)
    def _forward_train(self, batch, **kwargs):
        out = super()._forward_train(batch, **kwargs)
        out["cost_preds"] = self.compute_cost_values(batch)
        return out

    def compute_cost_values(self, batch):
        return self.cost_vf(self.cost_encoder(batch[Columns.OBS])).squeeze(-1)
