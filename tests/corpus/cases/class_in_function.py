# class: Inner
# non_inference: critic
# get: make_module_class(8)
# findings: INF101@"class Inner"
"""A class factory: the class body sees the function's arguments and locals."""

from torch import nn


def make_module_class(width, activation=nn.Tanh):
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.rl_module.torch import TorchRLModule

    def mlp(i, o):
        return nn.Sequential(nn.Linear(i, width), activation(), nn.Linear(width, o))

    class Inner(TorchRLModule):
        def setup(self):
            size = self.observation_space.shape[0]
            self.actor = mlp(size, self.action_space.n)
            self.critic = mlp(size, 1)

        def _forward(self, batch, **kwargs):
            return {Columns.ACTION_DIST_INPUTS: self.actor(batch[Columns.OBS])}

        def compute_values(self, batch, embeddings=None):
            return self.critic(batch[Columns.OBS]).squeeze(-1)

    return Inner


if __name__ == "__main__":
    print(make_module_class(16))
