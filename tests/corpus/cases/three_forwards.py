# class: SeparateForwards
# non_inference: _vf_encoder, _vf_head
# findings: INF101@"class SeparateForwards"
"""Three separate forwards; the value branch is only in the training one."""

from typing import Any, Dict, Optional

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class SeparateForwards(TorchRLModule, ValueFunctionAPI):
    def setup(self):
        hidden = self.model_config.get("hidden", 8)
        in_size = self.observation_space.shape[0]
        self._pi_encoder = nn.Sequential(nn.Linear(in_size, hidden), nn.Tanh())
        self._vf_encoder = nn.Sequential(nn.Linear(in_size, hidden), nn.Tanh())
        self._pi_head = nn.Linear(hidden, self.action_space.n)
        self._vf_head = nn.Linear(hidden, 1)

    def _forward_inference(self, batch, **kwargs):
        with torch.no_grad():
            return self._policy(batch)

    def _forward_exploration(self, batch, **kwargs):
        with torch.no_grad():
            return self._policy(batch)

    def _forward_train(self, batch, **kwargs):
        out = self._policy(batch)
        out[Columns.VF_PREDS] = self.compute_values(batch)
        return out

    def _policy(self, batch):
        return {Columns.ACTION_DIST_INPUTS: self._pi_head(self._pi_encoder(batch[Columns.OBS]))}

    def compute_values(self, batch: Dict[str, Any], embeddings: Optional[Any] = None):
        return self._vf_head(self._vf_encoder(batch[Columns.OBS])).squeeze(-1)
