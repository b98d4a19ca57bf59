# class: SeparateEncoders
# non_inference: vf
# configs: [ppo(vf_share_layers=False)]
# note: the catalog is not told of inference_only, so encoder.critic_encoder runs in inference,
#     though the inherited list names it.
"""A PPO subclass whose own `setup()` forgets `catalog.actor_critic_encoder_config`."""

from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
from torch import nn


class SeparateEncoders(DefaultPPOTorchRLModule):
    def setup(self):
        self.encoder = self.catalog.build_actor_critic_encoder(framework=self.framework)
        self.pi = self.catalog.build_pi_head(framework=self.framework)
        self.vf = nn.Sequential(self.catalog.build_vf_head(framework=self.framework))
