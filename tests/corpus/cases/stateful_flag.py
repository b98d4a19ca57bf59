# class: CriticState
# non_inference: vf
# findings: INF202@"\"critic_rnn\""
"""`get_initial_state()` sizes the state by the critic's RNN; the dist class reads a net."""

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.distribution.torch.torch_distribution import TorchCategorical
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class CriticState(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        size = self.observation_space.shape[0]
        self.gru = nn.GRU(size, 8, batch_first=True)
        self.critic_rnn = nn.GRU(size, 8, batch_first=True)
        self.temperature = nn.Linear(1, 1)
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)

    def is_stateful(self):
        return self.gru is not None

    def get_initial_state(self):
        return {"pi": torch.zeros(8), "vf": torch.zeros(self.critic_rnn.hidden_size)}

    def get_inference_action_dist_cls(self):
        scale = float(self.temperature.weight.detach().sum())

        class Scaled(TorchCategorical):
            factor = scale

        return TorchCategorical if scale is not None else Scaled

    def _forward(self, batch, **kwargs):
        out, h = self.gru(batch[Columns.OBS], batch[Columns.STATE_IN]["pi"].unsqueeze(0))
        state = {"pi": h.squeeze(0), "vf": batch[Columns.STATE_IN]["vf"]}
        return {Columns.ACTION_DIST_INPUTS: self.pi(out), Columns.STATE_OUT: state}

    def compute_values(self, batch, embeddings=None):
        out, _ = self.critic_rnn(batch[Columns.OBS])
        return self.vf(out).squeeze(-1)

    def get_non_inference_attributes(self):
        return ["vf", "critic_rnn"]
