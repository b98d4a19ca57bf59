# class: Recurrent
# non_inference: _values
# findings: INF202@"\"_h0\"", INF202@"\"_c_net\""
# note: _h0 and _c_net are read by get_initial_state() only.
"""An LSTM whose `get_initial_state()` reads components of its own."""

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Recurrent(TorchRLModule, ValueFunctionAPI, InferenceOnlyAPI):
    def setup(self):
        size = self.observation_space.shape[0]
        self._cell = self.model_config.get("cell", 8)
        self._lstm = nn.LSTM(size, self._cell, batch_first=True)
        self._h0 = nn.Parameter(torch.randn(self._cell))
        self._c_net = nn.Linear(1, self._cell)
        self._pi = nn.Linear(self._cell, self.action_space.n)
        self._values = nn.Linear(self._cell, 1)

    def get_initial_state(self):
        with torch.no_grad():
            c = self._c_net(torch.ones(1))
        return {"h": self._h0.detach().numpy(), "c": c.numpy()}

    def _features(self, batch):
        state = batch[Columns.STATE_IN]
        h, c = state["h"].unsqueeze(0), state["c"].unsqueeze(0)
        emb, (h, c) = self._lstm(batch[Columns.OBS], (h, c))
        return emb, {"h": h.squeeze(0), "c": c.squeeze(0)}

    def _forward(self, batch, **kwargs):
        emb, state = self._features(batch)
        return {Columns.ACTION_DIST_INPUTS: self._pi(emb), Columns.STATE_OUT: state}

    def compute_values(self, batch, embeddings=None):
        if embeddings is None:
            embeddings, _ = self._features(batch)
        return self._values(embeddings).squeeze(-1)

    def get_non_inference_attributes(self):
        return ["_values", "_h0", "_c_net"]
