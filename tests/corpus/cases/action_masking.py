# class: Masked
# non_inference: vf, encoder.critic_encoder
# configs: [ppo(vf_share_layers=False)]
# findings:
"""Action masking around the inherited PPO forwards; the inherited list is right."""

import torch
from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.rl_module import RLModule
from ray.rllib.utils.annotations import override
from ray.rllib.utils.torch_utils import FLOAT_MIN


class MaskedBase(RLModule):
    """Splits the observation into mask and features."""

    def _split(self, batch):
        mask = batch[Columns.OBS][..., : self.action_space.n] > 0
        return mask, dict(batch)


class Masked(MaskedBase, DefaultPPOTorchRLModule):
    @override(DefaultPPOTorchRLModule)
    def setup(self):
        super().setup()
        self._checked = False

    @override(DefaultPPOTorchRLModule)
    def _forward_inference(self, batch, **kwargs):
        mask, batch = self._split(batch)
        return self._mask(super()._forward_inference(batch, **kwargs), mask)

    @override(DefaultPPOTorchRLModule)
    def _forward_exploration(self, batch, **kwargs):
        mask, batch = self._split(batch)
        return self._mask(super()._forward_exploration(batch, **kwargs), mask)

    def _forward_train(self, batch, **kwargs):
        mask, batch = self._split(batch)
        return self._mask(super()._forward_train(batch, **kwargs), mask)

    def compute_values(self, batch, embeddings=None):
        _, batch = self._split(batch)
        return super().compute_values(batch, embeddings)

    def _mask(self, out, mask):
        inf_mask = torch.clamp(torch.log(mask.float()), min=FLOAT_MIN)
        out[Columns.ACTION_DIST_INPUTS] = out[Columns.ACTION_DIST_INPUTS] + inf_mask
        return out
