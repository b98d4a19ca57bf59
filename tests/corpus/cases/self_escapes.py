# class: Escapes
# non_inference:
# acceptable-uncertain: icm
# configs: [{}, {"on_forward": lambda module, out: out.update(vf_preds=module.vf.weight.sum())}]
# findings:
# note: whatever the config's callback reads of `self` is read in inference.
"""`self` goes to a callable that only the config knows: nothing may be listed."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Escapes(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.pi = nn.Linear(size, self.action_space.n)
        self.vf = nn.Linear(size, 1)
        self.icm = nn.Linear(size, 1)

    def _forward(self, batch, **kwargs):
        out = {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}
        callback = self.model_config.get("on_forward")
        if callback is not None:
            callback(self, out)
        return out

    def compute_values(self, batch, embeddings=None):
        return self.vf(batch[Columns.OBS]).squeeze(-1)


# class: StoresItself
# non_inference:
# acceptable-uncertain: vf, icm
# findings:
class StoresItself(Escapes):
    """`self` is stored in a foreign object that inference runs."""

    def setup(self):
        super().setup()
        self.runner = self.model_config.get("runner", SimpleRunner)(self)

    def _forward(self, batch, **kwargs):
        return self.runner.run(batch)


class SimpleRunner:
    def __init__(self, module):
        object.__setattr__(self, "module", module)

    def run(self, batch):
        return {Columns.ACTION_DIST_INPUTS: self.module.pi(batch[Columns.OBS])}
