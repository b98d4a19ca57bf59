# class: TwoCritics
# non_inference: vf, cost_vf
# findings: INF201@"class TwoCritics"
"""Children of a base in another file: one adds a critic, one reads the listed head."""

from ray.rllib.core.columns import Columns
from torch import nn

from .base import BaseModule


class TwoCritics(BaseModule):
    def setup(self):
        super().setup()
        self.cost_vf = nn.Linear(8, 1)

    def compute_values(self, batch, embeddings=None):
        h = self.encoder(batch[Columns.OBS])
        return (self.vf(h) - self.cost_vf(h)).squeeze(-1)


# class: ValueGuided
# non_inference:
# findings: INF202@"class ValueGuided"
class ValueGuided(BaseModule):
    def _head(self, h):
        return super()._head(h) * self.vf(h).sigmoid()


# class: ListsAgain
# non_inference: vf, icm
# findings:
class ListsAgain(BaseModule):
    def setup(self):
        super().setup()
        self.icm = nn.Linear(8, 8)

    def get_non_inference_attributes(self):
        return [*super().get_non_inference_attributes(), "icm"]
