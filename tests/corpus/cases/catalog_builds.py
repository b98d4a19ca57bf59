# class: FromCatalog
# non_inference: vf
# acceptable-uncertain: encoder.critic_encoder
# configs: [ppo(vf_share_layers=False)]
# findings: INF101@"class FromCatalog"
# note: encoder.critic_encoder is not built where the catalog is told so, as setup() does here.
"""`self.catalog.build_*()` on a module that is no default one."""

from ray.rllib.algorithms.ppo.ppo_catalog import PPOCatalog
from ray.rllib.core.columns import Columns
from ray.rllib.core.models.base import ACTOR, CRITIC, ENCODER_OUT
from ray.rllib.core.rl_module.torch import TorchRLModule


class FromCatalog(TorchRLModule):
    def __init__(self, *args, **kwargs):
        kwargs["catalog_class"] = PPOCatalog
        super().__init__(*args, **kwargs)

    def setup(self):
        if self.inference_only:
            self.catalog.actor_critic_encoder_config.inference_only = True
        self.encoder = self.catalog.build_actor_critic_encoder(framework=self.framework)
        self.pi = self.catalog.build_pi_head(framework="torch")
        self.vf = self.catalog.build_vf_head(framework="torch")

    def _forward(self, batch, **kwargs):
        encoded = self.encoder(batch)[ENCODER_OUT]
        return {Columns.ACTION_DIST_INPUTS: self.pi(encoded[ACTOR])}

    def compute_values(self, batch, embeddings=None):
        if embeddings is None:
            embeddings = self.encoder(batch)[ENCODER_OUT][CRITIC]
        return self.vf(embeddings).squeeze(-1)


# class: CatalogNotTold
# non_inference: vf
# configs: [ppo(vf_share_layers=False)]
# findings: ?INF101@"class CatalogNotTold"
# note: the catalog does not know of inference_only, so the encoder runs its critic half too.
class CatalogNotTold(FromCatalog):
    def setup(self):
        self.encoder = self.catalog.build_actor_critic_encoder(framework=self.framework)
        self.pi = self.catalog.build_pi_head(framework="torch")
        self.vf = self.catalog.build_vf_head(framework="torch")
