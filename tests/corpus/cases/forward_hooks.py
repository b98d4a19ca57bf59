# class: Hooked
# non_inference: probe, vf
# findings: INF202@"\"gate\""
"""Forward hooks read components whenever the hooked net runs."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Hooked(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        size = self.observation_space.shape[0]
        self.encoder = nn.Linear(size, 8)
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)
        self.gate = nn.Linear(8, 8)
        self.shift = nn.Linear(8, 3)
        self.probe = nn.Linear(1, 1)
        self.encoder.register_forward_hook(self._apply_gate)
        self.pi.register_forward_hook(lambda mod, args, out: out + self.shift(args[0]))
        self.vf.register_forward_hook(lambda mod, args, out: self.probe(out))

    def _apply_gate(self, module, args, output):
        return output * self.gate(output).sigmoid()

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.encoder(batch[Columns.OBS]))}

    def _forward_train(self, batch, **kwargs):
        h = self.encoder(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: self.pi(h), Columns.VF_PREDS: self.vf(h)}

    def get_non_inference_attributes(self):
        return ["vf", "probe"] + ["gate"]
