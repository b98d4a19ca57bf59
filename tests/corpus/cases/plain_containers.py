# class: PlainContainers
# non_inference: critics, aux
# acceptable-uncertain: nets.vf
# note: plain lists and dicts are not registered in torch; what inference reads of them stays.
"""Plain Python lists and dicts of modules."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class PlainContainers(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.layers = [nn.Linear(size, 8), nn.Linear(8, 8)]
        self.nets = {"pi": nn.Linear(8, self.action_space.n), "vf": nn.Linear(8, 1)}
        self.critics = []
        for _ in range(2):
            self.critics.append(nn.Linear(8, 1))
        self.aux = nn.Linear(8, 1)

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        for layer in self.layers:
            x = layer(x)
        return {Columns.ACTION_DIST_INPUTS: self.nets["pi"](x)}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        x = self.layers[1](self.layers[0](batch[Columns.OBS]))
        out[Columns.VF_PREDS] = self.nets["vf"](x) + self.aux(x)
        out["q"] = [critic(x) for critic in self.critics]
        return out
