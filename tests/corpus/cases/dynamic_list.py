# class: ListFromLoop
# non_inference: vf, critic, q_a
# note: what the list holds is open to a static pass; the verdict is not.
"""Lists made by loops, conditions, getattr and try/except."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class ListFromLoop(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        size = self.observation_space.shape[0]
        self.pi = nn.Linear(size, self.action_space.n)
        self.vf = nn.Linear(size, 1)
        self.critic = nn.Linear(size, 1)
        self.q_a = nn.Linear(size, 1)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}

    def compute_values(self, batch, embeddings=None):
        obs = batch[Columns.OBS]
        return (self.vf(obs) + self.critic(obs) + self.q_a(obs)).squeeze(-1)

    def get_non_inference_attributes(self):
        names = []
        for name in ("vf", "critic"):
            if getattr(self, name, None) is not None:
                names.append(name)
        try:
            names.extend(self.model_config["more_names"])
        except KeyError:
            names.extend(n for n, _ in self.named_children() if n.startswith("q_"))
        return names
