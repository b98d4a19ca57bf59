# class: LayerLists
# non_inference: _values, _dueling.1
# findings: INF101@"class LayerLists"
# note: _dueling.1 is a nested path; only _values can be listed today.
"""Lists of layers, filled in loops, end in `nn.Sequential(*layers)`."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class LayerLists(TorchRLModule):
    def setup(self):
        in_size = self.observation_space.shape[0]
        layers = []
        for width in self.model_config.get("hiddens", [8, 8]):
            layers.append(nn.Linear(in_size, width))
            layers.append(nn.ReLU())
            in_size = width
        self._body = nn.Sequential(*layers)

        pi_layers = [nn.Linear(in_size, in_size), nn.Tanh()]
        pi_layers += [nn.Linear(in_size, self.action_space.n)]
        self._logits = nn.Sequential(*pi_layers)

        vf_layers = [
            nn.Linear(in_size, in_size),
            nn.Tanh(),
        ]
        vf_layers.extend([nn.Linear(in_size, 1)])
        self._values = nn.Sequential(*vf_layers)

        heads = [nn.Linear(in_size, self.action_space.n)]
        heads.append(nn.Linear(in_size, 1))
        self._dueling = nn.ModuleList(heads)

    def _forward(self, batch, **kwargs):
        h = self._body(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: self._logits(h) + self._dueling[0](h)}

    def _forward_train(self, batch, **kwargs):
        out = self._forward(batch)
        h = self._body(batch[Columns.OBS])
        out[Columns.VF_PREDS] = (self._values(h) + self._dueling[1](h)).squeeze(-1)
        return out
