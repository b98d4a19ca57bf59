# class: Zipped
# non_inference: value_layers, value_norms, value_head
# findings: INF101@"class Zipped"
"""`zip`, `enumerate`, `reversed`, slices and `len` over ModuleLists."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Zipped(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.layers, self.norms = nn.ModuleList(), nn.ModuleList()
        self.value_layers, self.value_norms = nn.ModuleList(), nn.ModuleList()
        for _ in range(2):
            self.layers.append(nn.Linear(size, size))
            self.norms.append(nn.LayerNorm(size))
            self.value_layers.append(nn.Linear(size, size))
            self.value_norms.append(nn.LayerNorm(size))
        self.finals = nn.ModuleList([nn.Linear(size, size), nn.Linear(size, 3)])
        self.value_head = nn.Linear(size, 1)

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        for i, (layer, norm) in enumerate(zip(self.layers, self.norms)):
            x = norm(layer(x)) * (i + 1)
        for i in range(len(self.finals)):
            x = self.finals[i](x)
        return {Columns.ACTION_DIST_INPUTS: x}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        x = batch[Columns.OBS]
        for layer, norm in zip(self.value_layers[:], reversed(self.value_norms)):
            x = norm(layer(x))
        out[Columns.VF_PREDS] = self.value_head(x).squeeze(-1)
        return out
